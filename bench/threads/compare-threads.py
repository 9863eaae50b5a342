#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures threads that call MPI (threads.c) on two ranks: with plain MPICH, the runtime, and other MPI libraries, in
turns. Prints a table in nanoseconds per message: the median of all turns, and the best in brackets. The rows of one
thread are measured at MPI_THREAD_SINGLE and at MPI_THREAD_MULTIPLE.

    bench/threads/compare-threads.py [--build DIR] [--turns N] [--milliseconds N] [--processors LIST] [--bound]
                                     [--only VARIANT;...] [--before LIBRARY] [--peer NAME=DIR] [--results FILE]

--bound: the launcher binds each rank to a core. --before preloads another shared runtime, as one more variant. --peer
measures another library, whose mpicc and mpiexec are in DIR: "--peer 'Intel MPI=DIR'". Open MPI is measured if the
system has it. --results adds each turn's figures to FILE, and the table has all figures of FILE.
"""
import argparse
import collections
import os
import pathlib
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def build(compiler, name, directory, path=None):
    program = directory / name
    environment = dict(os.environ, PATH=f"{path}:{os.environ['PATH']}" if path else os.environ["PATH"])
    subprocess.run([compiler, "-O2", "-w", "-pthread", str(HERE / "threads.c"), "-o", str(program)], check=True,
                   env=environment)
    return str(program)


def find_variants(arguments, directory):
    """Name -> (program, mpiexec, variables)."""
    plain = build("mpicc.mpich", "plain", directory)
    runtime = pathlib.Path(arguments.build).resolve() / "lib/mpispec/mpich/libmpispec.so"
    mpich = ["mpiexec.mpich", *(["-bind-to", "core"] if arguments.bound else [])]
    variants = {"MPICH": (plain, mpich, {})}
    if arguments.before:
        variants["before"] = (plain, mpich, {"LD_PRELOAD": arguments.before, "MPISPEC_CACHE": "off"})
    variants["runtime"] = (plain, mpich, {"LD_PRELOAD": str(runtime), "MPISPEC_CACHE": "off"})
    if subprocess.run(["sh", "-c", "command -v mpicc.openmpi"], stdout=subprocess.DEVNULL).returncode == 0:
        binding = "core" if arguments.bound else "none"
        command = ["mpiexec.openmpi", "--bind-to", binding, "--allow-run-as-root"]
        variants["Open MPI"] = (build("mpicc.openmpi", "openmpi", directory), command, {})
    for peer in arguments.peer:
        name, _, where = peer.partition("=")
        where = pathlib.Path(where).resolve()
        os.environ["I_MPI_ROOT"] = str(where.parent)  # Intel MPI's wrappers and launcher need it
        program = build(str(where / "mpicc"), name.replace(" ", "-"), directory, where)
        # For the launcher, which binds the ranks before they start. Other libraries ignore the variable.
        os.environ["I_MPI_PIN"] = "1" if arguments.bound else "0"
        variants[name] = (program, [str(where / "mpiexec")], {})
    wanted = arguments.only.split(";") if arguments.only else list(variants)
    return {name: variants[name] for name in variants if name in wanted}


def run(variant, level, arguments):
    """Row -> nanoseconds; of a job that takes longer than 30 s, the rows until then."""
    program, mpiexec, variables = variant
    # The launcher itself is not to be preloaded.
    job = ["taskset", "-c", arguments.processors, "timeout", "30", *mpiexec, "-n", "2", "env",
           *[f"{name}={value}" for name, value in variables.items()], program, level, str(arguments.milliseconds)]
    result = subprocess.run(job, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    rows = {}
    for line in result.stdout.decode(errors="replace").splitlines():
        name, bar, value = line.rpartition("|")
        if bar:
            rows[f"{name}, {level}" if "1 thread" in name and "blocked" not in name else name] = float(value)
    return rows


def tell(figures):
    """The median and, in brackets, the best."""
    return f"{statistics.median(figures):.0f} ({min(figures):.0f})"


def print_table(results):
    """`results`: (variant, row) -> figures of all turns."""
    names = list(dict.fromkeys(name for name, _ in results))
    rows = sorted(dict.fromkeys(row for _, row in results), key=lambda row: not row.endswith("single"))
    print("| ns a message | " + " | ".join(names) + " |\n|---" + "|---:" * len(names) + "|")
    for row in rows:
        values = [tell(results[name, row]) if (name, row) in results else "-" for name in names]
        print(f"| {row} | " + " | ".join(values) + " |", flush=True)


def read_results(path):
    results = collections.defaultdict(list)
    for line in path.read_text().splitlines():
        name, row, value = line.split("\t")
        results[name, row].append(float(value))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--milliseconds", type=float, default=5)
    parser.add_argument("--processors", default="0,1")
    parser.add_argument("--bound", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--before", default="")
    parser.add_argument("--peer", action="append", default=[])
    parser.add_argument("--results", default="")
    arguments = parser.parse_args()
    directory = pathlib.Path(arguments.build).resolve() / "threads"
    directory.mkdir(exist_ok=True)
    path = pathlib.Path(arguments.results) if arguments.results else directory / "results.tsv"
    if not arguments.results:
        path.unlink(missing_ok=True)
    variants = find_variants(arguments, directory)
    for _ in range(arguments.turns):
        for name, variant in variants.items():
            for level in "single", "multiple":
                with path.open("a") as out:
                    for row, value in run(variant, level, arguments).items():
                        out.write(f"{name}\t{row}\t{value}\n")
    print_table(read_results(path))


if __name__ == "__main__":
    main()
