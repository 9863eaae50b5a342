#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the tables of bench/profile-overhead.sh from the files that it has collected.

usage: profile_overhead.py DIRECTORY cost|gain KERNEL...
"""
import pathlib
import statistics
import sys

# Columns: heading, what is divided by, what is divided.
TABLES = {
    "cost": [("specialised", "special", "special-profiled"),
             ("runtime preloaded", "preloaded", "preloaded-profiled")],
    "gain": [("specialised", "special", "used")],
}
OTHER = {"cost": "with a profile", "gain": "built with a profile"}

# Two programs met the machine in the same state if the raw handoffs beside them differ by less than this factor.
SAME_STATE = 1.5


def read(path):
    """Milliseconds and handoff of a program's run."""
    words = dict(line.split()[:2] for line in path.read_text(encoding="utf-8").splitlines()
                 if line.startswith(("seconds ", "handoff ")))
    if "right" not in path.read_text(encoding="utf-8").splitlines() or "seconds" not in words:
        sys.exit(f"{path}: the result is wrong, or there is none")
    return float(words["seconds"]) * 1e3, float(words["handoff"])


def turns(directory, kernel, base, other):
    """(before, after) of each turn in which the machine's state was the same."""
    pairs = []
    for path in sorted(directory.glob(f"{kernel}.{base}.[0-9]*")):
        (before, handoff), (after, later) = read(path), read(directory / f"{kernel}.{other}{path.suffix}")
        if max(handoff, later) < SAME_STATE * min(handoff, later):
            pairs.append((before, after))
    return pairs


def cells(pairs):
    if not pairs:
        return ["-", "-", "-", "0"]
    ratios = [after / before for before, after in pairs]
    return [f"{statistics.median(before for before, _ in pairs):.3f}", f"{statistics.median(ratios):.2f}",
            f"{min(ratios):.2f} to {max(ratios):.2f}", str(len(pairs))]


def main():
    directory, table, kernels = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    columns = TABLES[table]
    print("| kernel |", " | ".join(f"{heading}, ms | {OTHER[table]}, times as long | all turns | turns"
                                   for heading, *_ in columns), "|")
    print("|---|" + "---:|" * 4 * len(columns))
    for kernel in kernels:
        row = [cell for _, base, other in columns for cell in cells(turns(directory, kernel, base, other))]
        print(f"| {kernel} |", " | ".join(row), "|")


if __name__ == "__main__":
    main()
