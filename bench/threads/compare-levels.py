#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what MPI_THREAD_MULTIPLE costs a program that calls MPI from one thread: the kernels of bench/kernels and the
exchanges of bench/exchange, on two ranks, with MPI_Init and with MPI_Init_thread. Plain MPICH, the runtime and
specialised programs take turns. Prints two tables, kernels in milliseconds and exchanges in nanoseconds a message: the
medians of the turns, and the ratio of both levels.

    bench/threads/compare-levels.py [--build DIR] [--turns N] [--milliseconds N] [--only VARIANT;...]
"""
import argparse
import collections
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KERNELS = "mm lu cg cg-allreduce rows halo packed-halo transpose deal histogram queue stealing".split()
LEVELS = "single", "multiple"
LIMIT = 60  # seconds of a job


def build(directory, tree):
    """Builds all programs, plain and specialised, under `directory`."""
    programs = [f"{directory}/{variant}/{kernel}" for variant in ("plain", "special") for kernel in KERNELS]
    mpispec = tree / "bin/mpispec"
    subprocess.run(["make", "-s", "-j2", "-C", str(ROOT / "bench"), f"OUT={directory}", "MPICC=mpicc.mpich",
                    f"MPISPEC={mpispec}", *programs], check=True)
    for variant, prefix in ("plain", []), ("special", [str(mpispec)]):
        subprocess.run([*prefix, "mpicc.mpich", "-O2", "-w", "-D_GNU_SOURCE", f"-I{ROOT}/bench/common",
                        str(ROOT / "bench/exchange/both-ways.c"), str(ROOT / "bench/common/handoff.c"), "-pthread",
                        "-o", str(directory / variant / "both-ways")], check=True)


def start(program, level, variables, *words):
    """The lines that two ranks print."""
    variables = dict(variables, BENCH_THREAD_LEVEL=level)
    command = ["timeout", str(LIMIT), "mpiexec.mpich", "-n", "2", "env",
               *[f"{name}={value}" for name, value in variables.items()], str(program), *words]
    result = subprocess.run(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    if result.returncode:
        sys.exit(f"{program} with BENCH_THREAD_LEVEL={level} ended with status {result.returncode}")
    return [line.split() for line in result.stdout.decode().splitlines()]


def run(programs, level, variables, milliseconds):
    """(table, row) -> time."""
    times = {}
    for kernel in KERNELS:
        lines = start(programs / kernel, level, variables, "5")
        times["kernels", kernel] = 1e3 * next(float(line[1]) for line in lines if line[0] == "seconds")
    for name, nanoseconds, *_ in start(programs / "both-ways", level, variables, str(milliseconds)):
        times["exchanges", name] = float(nanoseconds)
    return times


def print_table(table, unit, variants, results):
    rows = list(dict.fromkeys(row for _, _, (kind, row) in results if kind == table))
    print(f"\n| {table}, {unit} | " + " | ".join(f"{name} | `MULTIPLE` | ratio" for name in variants) + " |")
    print("|---" + "|---:" * 3 * len(variants) + "|")
    for row in rows:
        cells = []
        for name in variants:
            single, multiple = (statistics.median(results[name, level, (table, row)]) for level in LEVELS)
            cells += [f"{single:.4g}", f"{multiple:.4g}", f"{multiple / single:.2f}"]
        print(f"| {row} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--milliseconds", type=float, default=5)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    tree = arguments.build.resolve()
    directory = tree / "thread-levels"
    build(directory, tree)
    off = {"MPISPEC_CACHE": "off"}
    runtime = dict(off, LD_PRELOAD=str(tree / "lib/mpispec/mpich/libmpispec.so"))
    variants = {"plain": (directory / "plain", {}), "runtime": (directory / "plain", runtime),
                "specialised": (directory / "special", off)}
    wanted = arguments.only.split(";") if arguments.only else list(variants)
    variants = {name: variants[name] for name in variants if name in wanted}
    results = collections.defaultdict(list)
    for turn in range(arguments.turns):
        print(f"turn {turn + 1} of {arguments.turns}", file=sys.stderr)
        for name, (programs, variables) in variants.items():
            for level in LEVELS:
                for row, time in run(programs, level, variables, arguments.milliseconds).items():
                    results[name, level, row].append(time)
    print_table("kernels", "ms", variants, results)
    print_table("exchanges", "ns", variants, results)


if __name__ == "__main__":
    main()
