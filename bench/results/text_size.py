#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how much machine code mpispec adds: the sums of the .text sections of object files.

usage: text_size.py PLAIN-DIRECTORY SPECIAL-DIRECTORY NAME

Prints a line "NAME object plain-bytes special-bytes" for every object that is in both directories, and one for `total`.
"""
import pathlib
import subprocess
import sys


def text_bytes(path):
    out = subprocess.run(["size", "-A", str(path)], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in out.splitlines()]
    return sum(int(row[1]) for row in rows if len(row) == 3 and row[0].startswith(".text"))


def objects(directory):
    return {str(path.relative_to(directory)): path for path in pathlib.Path(directory).rglob("*.o")}


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.strip().splitlines()[2])
    plain, special = objects(sys.argv[1]), objects(sys.argv[2])
    common = sorted(plain.keys() & special.keys())
    if not common:
        sys.exit(f"no object is in both {sys.argv[1]} and {sys.argv[2]}")
    totals = [0, 0]
    for name in common:
        sizes = [text_bytes(plain[name]), text_bytes(special[name])]
        totals = [total + size for total, size in zip(totals, sizes)]
        print(sys.argv[3], name.removesuffix(".o"), *sizes)
    print(sys.argv[3], "total", *totals)


if __name__ == "__main__":
    main()
