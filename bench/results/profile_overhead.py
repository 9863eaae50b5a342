#!/usr/bin/env python3
"""Prints the tables of bench/profile-overhead.sh from what that has collected.

usage: profile_overhead.py DIRECTORY cost|gain KERNEL...
"""
import pathlib
import statistics
import sys

# Columns of three: heading, what is divided by, what is divided.
TABLES = {
    "cost": [("specialised, ms | with a profile", "special", "special-profiled"),
             ("runtime preloaded, ms | with a profile", "preloaded", "preloaded-profiled")],
    "gain": [("specialised, ms | built with the profile", "special", "used")],
}


def median(directory, kernel, variant):
    """In milliseconds, of the best repetition of each turn."""
    turns = []
    for path in directory.glob(f"{kernel}.{variant}.[0-9]*"):
        lines = path.read_text(encoding="utf-8").splitlines()
        if "right" not in lines:
            sys.exit(f"{path}: the result is wrong, or there is none")
        turns += [float(line.split()[1]) * 1e3 for line in lines if line.startswith("seconds ")]
    return statistics.median(turns)


def main():
    directory, table, kernels = pathlib.Path(sys.argv[1]), TABLES[sys.argv[2]], sys.argv[3:]
    print("| kernel |", " | ".join(f"{heading} | ratio" for heading, *_ in table), "|")
    print("|---|" + "---:|" * 3 * len(table))
    for kernel in kernels:
        cells = []
        for _, base, other in table:
            before, after = median(directory, kernel, base), median(directory, kernel, other)
            cells.append(f"{before:.3f} | {after:.3f} | {after / before:.2f}")
        print(f"| {kernel} |", " | ".join(cells), "|")


if __name__ == "__main__":
    main()
