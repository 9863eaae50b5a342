#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures mpi4py between two ranks: with plain MPICH and with the runtime preloaded, in turns. Messages and reductions
have 8 B, by the functions for buffers (Send, Allreduce) and by those that pickle (send, allreduce). mpi4py requests
MPI_THREAD_MULTIPLE by default; the rows "single" have MPI_THREAD_SINGLE. Prints a table in nanoseconds: the median of
all turns, and the best in brackets.

    bench/threads/compare-mpi4py.py [--build DIR] [--turns N] [--milliseconds N] [--processors LIST] [--before LIBRARY]
                                    [--results FILE]

The first run installs mpi4py's wheel in DIR/threads. --before preloads another shared runtime, as one more variant.
--results adds each turn's figures to FILE, and the table has all figures of FILE.
"""
import argparse
import collections
import os
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MPI4PY = "mpi4py==4.1.2"
ROUNDS = 11


# --- the program of a rank -------------------------------------------------------------------------------------------


def ping_pong_buffer(comm, peer, count):
    data = bytearray(8)
    for _ in range(count):
        if peer:
            comm.Send(data, peer)
            comm.Recv(data, peer)
        else:
            comm.Recv(data, peer)
            comm.Send(data, peer)
    return 2 * count


def ping_pong_pickle(comm, peer, count):
    for i in range(count):
        if peer:
            comm.send(i, peer)
            assert comm.recv(source=peer) == i
        else:
            comm.send(comm.recv(source=peer), peer)
    return 2 * count


def allreduce_buffer(comm, _, count):
    own, total = memoryview(bytearray(8)).cast("d"), memoryview(bytearray(8)).cast("d")
    own[0] = 1.0
    for _ in range(count):
        comm.Allreduce(own, total)
    assert total[0] == 2.0
    return count


def allreduce_pickle(comm, _, count):
    for _ in range(count):
        assert comm.allreduce(1.0) == 2.0
    return count


ROWS = {"Send, Recv": ping_pong_buffer, "send, recv": ping_pong_pickle, "Allreduce": allreduce_buffer,
        "allreduce": allreduce_pickle}


def measure(level, budget):
    """Prints "row|nanoseconds": the time of one message or one reduction, the median of the rounds."""
    import mpi4py
    mpi4py.rc.thread_level = level
    from mpi4py import MPI
    comm = MPI.COMM_WORLD
    assert MPI.Query_thread() >= (MPI.THREAD_MULTIPLE if level == "multiple" else MPI.THREAD_SINGLE)
    for name, work in ROWS.items():
        count, figures = 200, []
        for number in range(ROUNDS + 1):
            comm.Barrier()
            began = time.perf_counter()
            operations = work(comm, 1 - comm.rank, count)
            seconds = time.perf_counter() - began
            if number == 0:  # how many fit the budget
                count = comm.bcast(max(1, int(count * budget / seconds)))
            else:
                figures.append(seconds / operations * 1e9)
        if comm.rank == 0:
            print(f"{name}, {level}|{statistics.median(figures)}", flush=True)


# --- the comparison --------------------------------------------------------------------------------------------------


def install(directory):
    """A Python with mpi4py's wheel. The wheel loads libmpi.so.12, which the distribution calls libmpich.so.12."""
    python = directory / "mpi4py/bin/python"
    if not (directory / "mpi4py/ready").exists():
        subprocess.run([sys.executable, "-m", "venv", str(directory / "mpi4py")], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--only-binary", "mpi4py",
                        MPI4PY], check=True)
        mpich = subprocess.run(["mpicc.mpich", "-print-file-name=libmpich.so.12"], check=True, stdout=subprocess.PIPE,
                               text=True).stdout.strip()
        (directory / "mpi4py/libmpi.so.12").symlink_to(pathlib.Path(mpich).resolve())
        (directory / "mpi4py/ready").touch()
    return str(python)


def run(python, library, level, arguments):
    """Row -> nanoseconds; of a job that takes longer than 30 s, the rows until then."""
    variables = [f"LD_PRELOAD={library}", "MPISPEC_CACHE=off"] if library else []
    # The launcher itself is not to be preloaded.
    job = ["taskset", "-c", arguments.processors, "timeout", "30", "mpiexec.mpich", "-n", "2", "env",
           f"LD_LIBRARY_PATH={pathlib.Path(python).parent.parent}", *variables, python, __file__, "--measure", level, "--milliseconds", str(arguments.milliseconds)]
    done = subprocess.run(job, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)
    return {name: float(value) for name, bar, value in (line.rpartition("|") for line in done.stdout.splitlines()) if bar}


def cell(figures):
    return f"{statistics.median(figures):.0f} ({min(figures):.0f})" if figures else "-"


def print_table(path):
    results = collections.defaultdict(list)
    for line in path.read_text().splitlines():
        name, row, value = line.split("\t")
        results[name, row].append(float(value))
    names = list(dict.fromkeys(name for name, _ in results))
    print("| ns an operation | " + " | ".join(names) + " |\n|---" + "|---:" * len(names) + "|")
    for level in "multiple", "single":
        for row in ROWS:
            cells = [cell(results[name, f"{row}, {level}"]) for name in names]
            print(f"| {row}, {level} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--milliseconds", type=float, default=10)
    parser.add_argument("--processors", default="0,1")
    parser.add_argument("--before", default="")
    parser.add_argument("--results", default="")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        return measure(arguments.measure, arguments.milliseconds / 1000)
    directory = pathlib.Path(arguments.build).resolve() / "threads"
    directory.mkdir(exist_ok=True)
    path = pathlib.Path(arguments.results) if arguments.results else directory / "mpi4py.tsv"
    if not arguments.results:
        path.unlink(missing_ok=True)
    python = install(directory)
    variants = {"MPICH": None, "before": arguments.before,
                "runtime": str(pathlib.Path(arguments.build).resolve() / "lib/mpispec/mpich/libmpispec.so")}
    for _ in range(arguments.turns):
        for name, library in variants.items():
            for level in ("multiple", "single") if library != "" else ():
                with path.open("a") as out:
                    for row, value in run(python, library, level, arguments).items():
                        out.write(f"{name}\t{row}\t{value}\n")
    print_table(path)
    return None


if __name__ == "__main__":
    sys.exit(main())
