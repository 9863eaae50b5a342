#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the time of a job that only starts and ends (starts.c), with plain MPICH and with the runtime preloaded, in
turns. Prints a table in milliseconds: the best and the median of the wall time, and the median of the processor time of
all processes, including the launcher. The last two columns are the medians of the runtime over those of plain MPICH.

    bench/starts/compare-starts.py [--build DIR] [--ranks N,N,...] [--turns N] [--exchange]

With --exchange all ranks exchange messages with all others. Then a second table has rank 0's address space and its page
tables at the end.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(program, variables, ranks, exchange):
    """Wall time and processor time in ms, and rank 0's memory in KiB by the system's names."""
    environment = [word for name, value in variables.items() for word in ("-genv", name, value)]
    command = ["timeout", "-s", "KILL", "300", "mpiexec.mpich", "-n", str(ranks), *environment, str(program),
               *["exchange"] * exchange]
    read, write = os.pipe()
    begin = time.monotonic()
    process = os.posix_spawnp(command[0], command, os.environ,
                              file_actions=[(os.POSIX_SPAWN_DUP2, write, 1)])  # fewer pages to copy than by fork
    os.close(write)
    with os.fdopen(read) as output:
        text = output.read()
    _, status, usage = os.wait4(process, 0)
    if status:
        sys.exit(f"compare-starts.py: {' '.join(command)} failed (status {status}):\n{text}")
    times = (time.monotonic() - begin) * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3
    return times, {name: int(kib) for name, kib in re.findall(r"^(\w+):\s*(\d+) kB", text, re.M)}


def describe(times):
    walls, processors = zip(*times)
    return min(walls), statistics.median(walls), statistics.median(processors)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--ranks", default="2,8,16,32,64,128")
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--exchange", action="store_true")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.build).resolve() / "starts"
    folder.mkdir(exist_ok=True)
    program = folder / "starts"
    subprocess.run(["mpicc.mpich", "-O2", str(ROOT / "bench/starts/starts.c"), "-o", str(program)], check=True)
    library = pathlib.Path(arguments.build).resolve() / "lib/mpispec/mpich/libmpispec.so"
    variants = {"plain": {}, "runtime": {"LD_PRELOAD": str(library), "MPISPEC_CACHE": "off"}}
    memory = []
    print("| ranks | plain: best | median | processors | runtime: best | median | processors | median | processors |")
    print("|---:" * 9 + "|", flush=True)
    for ranks in map(int, arguments.ranks.split(",")):
        times, kib = {name: [] for name in variants}, {}
        for turn in range(arguments.turns):
            for name in sorted(variants, reverse=turn % 2 == 1):
                taken, kib[name] = run(program, variants[name], ranks, arguments.exchange)
                times[name].append(taken)
        plain, runtime = (describe(times[name]) for name in variants)
        cells = [f"{value:.4g}" for value in (*plain, *runtime)]
        print(f"| {ranks} | " + " | ".join(cells), f"| {runtime[1] / plain[1]:.2f} | {runtime[2] / plain[2]:.2f} |", flush=True)
        memory.append((ranks, kib))
    if not arguments.exchange:
        return
    print("\n| ranks | plain: address space, MiB | page tables, KiB | runtime: address space, MiB | page tables, KiB |")
    print("|---:" * 5 + "|")
    for ranks, kib in memory:
        cells = [f"{kib[name]['VmPeak'] / 1024:.0f} | {kib[name]['VmPTE']}" for name in variants]
        print(f"| {ranks} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
