#!/usr/bin/env python3
"""Prints each file that a comment of the runtime or the templates, or a page about them, names and that is not there.

usage: cited_files.py ROOT

A name may have the last of its directories with it, or none.
"""
import pathlib
import re
import sys

PAGES = ("Design.md", "Runtime.md", "Templates.md")
NAME = re.compile(r"(?<![.\w/*{-])[A-Za-z_][\w/-]*\.(?:c|h|cpp|def)\b(?!\.\w)")
# Of examples, of other projects, of the system, and one that is written when the build is configured.
FOREIGN = {"foo.c", "solver.c", "coll_base_reduce.c", "mpi.h", "mpif.h", "sched.h", "linux/sched/types.h", "abi/lacking.h"}


def sources(root):
    for directory in ("runtime", "templates"):
        yield from sorted(path for path in (root / directory).rglob("*") if path.suffix in (".c", ".h", ".def"))
    yield from (path for path in (root / "docs" / page for page in PAGES) if path.exists())


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip().splitlines()[2])
    root = pathlib.Path(sys.argv[1])
    there = set(FOREIGN)
    for directory in ("lib", "tools", "templates", "runtime", "test", "bench"):
        for path in (root / directory).rglob("*"):
            parts = path.relative_to(root).parts
            there |= {"/".join(parts[i:]) for i in range(len(parts))}
    for path in sources(root):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for name in [] if "#include" in line else NAME.findall(line):
                if name not in there:
                    print(f"{path.relative_to(root)}:{number}: {name}")


if __name__ == "__main__":
    main()
