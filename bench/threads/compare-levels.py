#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what MPI_THREAD_MULTIPLE costs a program that calls MPI from one thread: the kernels of bench/kernels and the
exchanges of bench/exchange, on two ranks, with MPI_Init and with MPI_Init_thread. Plain MPICH, the runtime and
specialised programs take turns. Prints two tables, kernels in milliseconds and exchanges in nanoseconds a message: the
medians of the turns, and the median of the turns' ratios of both levels. A shared machine moves its cores away from
each other and back. Therefore a turn counts only if the raw handoffs of both its runs differ by less than a quarter.

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
sys.path.insert(0, str(ROOT / "bench/common"))
from kernels import KERNELS, build_kernels

LEVELS = "single", "multiple"
LIMIT = 60  # seconds of a job


def build(directory, tree):
    """Builds all programs, plain and specialised, under `directory`."""
    mpispec = tree / "bin/mpispec"
    build_kernels(directory, ["plain", "special"], "mpicc.mpich", mpispec)
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
    """(table, row) -> time and raw handoff."""
    times = {}
    for kernel in KERNELS:
        lines = dict(line for line in start(programs / kernel, level, variables, "5") if len(line) == 2)
        times["kernels", kernel] = 1e3 * float(lines["seconds"]), float(lines["handoff"])
    for name, nanoseconds, handoff in start(programs / "both-ways", level, variables, str(milliseconds)):
        times["exchanges", name] = float(nanoseconds), float(handoff)
    return times


def pair(results, name, row):
    """The times of both levels, of the turns that count."""
    both = zip(*(results[name, level, row] for level in LEVELS))
    return [(single[0], multiple[0]) for single, multiple in both if 0.75 < single[1] / multiple[1] < 1.33]


def print_table(table, unit, variants, results):
    rows = list(dict.fromkeys(row for _, _, (kind, row) in results if kind == table))
    print(f"\n| {table}, {unit} | " + " | ".join(f"{name} | `MULTIPLE` | ratio" for name in variants) + " |")
    print("|---" + "|---:" * 3 * len(variants) + "|")
    for row in rows:
        cells = []
        for name in variants:
            pairs = pair(results, name, (table, row))
            if not pairs:
                cells += ["-"] * 3
                continue
            single, multiple = (statistics.median(times) for times in zip(*pairs))
            ratio = statistics.median(multiple / single for single, multiple in pairs)
            cells += [f"{single:.4g}", f"{multiple:.4g}", f"{ratio:.2f}"]
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
