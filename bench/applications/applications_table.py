#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a table of the times that compare-applications.sh measured: the medians of all turns for plain MPI, and their
ratio to the medians of the other variants.

    applications_table.py RESULTS PROGRAMS

RESULTS/<run>.<plain|lanes|full> has the output of all turns of a run. PROGRAMS/<program>/report.json has the forms of
the program's calls.
"""
import json
import pathlib
import re
import statistics
import sys

# Run: what it is, and how many times of one run stand in what it prints, whose sum counts.
RUNS = {
    "lammps-lj": ("LAMMPS, Lennard-Jones liquid, 32000 atoms, 100 steps", 1),
    "lammps-lj-small": ("the same, 2048 atoms", 1),
    "lammps-chain": ("LAMMPS, polymer chains, 32000 atoms, 100 steps", 1),
    "lammps-eam": ("LAMMPS, copper, 32000 atoms, 100 steps", 1),
    "hypre-pfmg": ("hypre, PFMG, 80x40x40, setup and solve", 2),
    "hypre-pfmg-small": ("the same, 16x8x8", 2),
    "hypre-amg": ("hypre, BoomerAMG, 24x24x24, setup and solve", 2),
}
TIME = {"lammps": re.compile(r"^Loop time of ([0-9.e+-]+)", re.M),
        "hypre": re.compile(r"^(?:Setup|Solve) phase times:\n=+\n[^\n]*:\n  wall clock time = ([0-9.]+)", re.M)}
VARIANTS = ["plain", "lanes", "full"]


def seconds(path, program, parts):
    """The seconds of each turn."""
    found = [float(value) for value in TIME[program].findall(path.read_text(encoding="utf-8", errors="replace"))]
    if not found or len(found) % parts:
        sys.exit(f"{path}: {len(found)} times, which is no multiple of {parts}")
    return [sum(found[i:i + parts]) for i in range(0, len(found), parts)]


def main():
    results, programs = map(pathlib.Path, sys.argv[1:])
    rows, turns = [], set()
    for run, (title, parts) in RUNS.items():
        paths = [results / f"{run}.{variant}" for variant in VARIANTS]
        if not all(path.exists() for path in paths):
            continue
        program = run.partition("-")[0]
        times = [seconds(path, program, parts) for path in paths]
        turns.update(map(len, times))
        plain, *ours = map(statistics.median, times)
        bests = [min(times[0]) / min(values) for values in times[1:]]
        rows.append(f"| {title} | {plain * 1e3:.4g} ms | " +
                    " | ".join(f"{plain / value:.2f} ({best:.2f})" for value, best in zip(ours, bests)) + " |")
    print(f"Two ranks, medians of {' or '.join(map(str, sorted(turns)))} turns; ratios of the bests in brackets.\n")
    print("| run | plain MPI | runtime only | specialised |\n|---|---:|---:|---:|")
    print("\n".join(rows))
    print("\n| program | calls | inline | ordinary | left |\n|---|---:|---:|---:|---:|")
    for program in sorted({run.partition("-")[0] for run in RUNS}):
        report = programs / program / "report.json"
        if report.exists():
            sites = json.loads(report.read_text(encoding="utf-8"))["sites"]
            print(f"| {program} | " + " | ".join(str(sites[key]) for key in ("found", "inline", "ordinary", "left")) +
                  " |")


if __name__ == "__main__":
    main()
