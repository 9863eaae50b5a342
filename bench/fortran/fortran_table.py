# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the tables of docs/results/fortran.md: fortran_table.py ways|times RESULTS-DIRECTORY.

ways.txt has a line "BINDING COMPILER; WORD WORD WORD; ..." for each binding and compiler, with a part for each kernel.
The words are the results as plain MPI, with the runtime preloaded, and linked. The times are in files
KERNEL.VARIANT.TURN, like those of scripts/results.sh.
"""
import pathlib
import statistics
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "results"))
from results import samples  # noqa: E402
from tables import gain, table, time  # noqa: E402

BINDINGS = {"MPIF_H": "`mpif.h`", "USE_MPI": "`use mpi`", "USE_MPI_F08": "`use mpi_f08`"}
COMPILERS = {"gfortran": "gfortran, MPICH", "flang-22": "flang, MPICH", "openmpi": "gfortran, Open MPI",
             "openmpi-flang-22": "flang, Open MPI"}
KERNELS = {"cg": "CG", "ft": "FT", "is": "IS", "lu": "LU"}
WAYS = ["plain", "preloaded", "linked"]


def joined(words):
    """What all kernels did in one way; if not all the same, each."""
    return words[0] if len(set(words)) == 1 else ", ".join(f"{name} {word}" for name, word in zip(KERNELS, words))


def ways(directory):
    rows = []
    for line in (directory / "ways.txt").read_text().splitlines():
        head, *kernels = line.split(";")
        binding, compiler = head.split()
        done = [words.split() for words in kernels]
        if any(words == ["unbuilt"] for words in done):
            cells = ["does not build", "", ""]
        else:
            cells = [joined([words[way] for words in done]) for way in range(len(WAYS))]
        rows.append([f"{BINDINGS[binding]}, {COMPILERS[compiler]}"] + cells)
    return table(["", "plain MPI", "runtime preloaded", "linked"], rows)


def median(directory, program, variant):
    seconds = samples(directory, program, variant).get("seconds")
    return statistics.median(seconds) if seconds else None


def times(directory):
    rows = []
    for kernel, title in KERNELS.items():
        for compiler, compiler_title in COMPILERS.items():
            for binding, binding_title in BINDINGS.items():
                medians = [median(directory, f"{compiler}-{binding}-{kernel}", way) for way in WAYS]
                if medians[0]:
                    rows.append([f"{title}, {binding_title}, {compiler_title}", time(medians[0] * 1e9)] +
                                [gain(medians[0], ours) for ours in medians[1:]])
    return table(["", "plain MPI", "runtime preloaded", "linked"], rows)


def main():
    directory = pathlib.Path(sys.argv[2])
    if sys.argv[1] == "ways":
        print(ways(directory))
        return
    turns = len(list(directory.glob("*-cg.plain.*"))) // max(1, len(list(directory.glob("*-cg.plain.1"))))
    print(f"Medians of {turns} turns.\n")
    print(times(directory), end="")


main()
