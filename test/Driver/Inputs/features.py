#!/usr/bin/env python3
"""Compiles each feature of a table through mpispec, in a unit with one call of MPI.

usage: features.py MPISPEC INCLUDE TABLE DIRECTORY LANGUAGE [NAME...]

INCLUDE has a small stand-in for mpi.h, since most of what a small source costs is reading that header.

The table's form stands at its top. A feature that this compiler does not have (the plain command
fails, too) is left out, but most must be there. Any other must be specialised, except for those that
the table calls lost: these must be, so that the table stays true. With QUICK in the environment four of five features are
left out.
"""
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CALL = "\nint mpispec_feature(int *x) { return MPI_Send(x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); }\n"


def features(table):
    for part in re.split(r"^=== ", table.read_text(), flags=re.M)[1:]:
        head, body = part.split("\n", 1)
        name, language, options, lost = ([word.strip() for word in head.split("|")] + ["", ""])[:4]
        yield name, language, shlex.split(options), lost, body


def outcome(mpispec, include, directory, feature):
    """"absent", or what is wrong, or nothing."""
    name, language, options, lost, body = feature
    is_cxx = language == "c++"
    source = directory / (name + (".cpp" if is_cxx else ".c"))
    source.write_text("#include <mpi.h>\n" + body + CALL)
    command = [mpispec, "--mpispec-verbose", "g++" if is_cxx else "gcc", "-I" + include, *options,
               "-c", source, "-o", source.with_suffix(".o")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if run.returncode:
        return "absent"
    specialised = re.search(r": sites=\d+ rewritten=[1-9]", run.stderr)
    if bool(specialised) != bool(lost):
        return ""
    return name + ": " + ("specialised, but the table calls it lost" if lost else run.stderr)


def main():
    mpispec, include, table, directory, language, *names = sys.argv[1:]
    of_language = [f for f in features(Path(table)) if f[1] == language]
    chosen = [f for f in of_language if f[0] in names] if names else of_language[::5 if os.environ.get("QUICK") else 1]
    with ThreadPoolExecutor(2) as workers:
        outcomes = list(workers.map(lambda f: outcome(mpispec, include, Path(directory), f), chosen))
    wrong = [o for o in outcomes if o and o != "absent"]
    absent = outcomes.count("absent")
    print(f"{len(outcomes)} features, {absent} absent, {len(wrong)} wrong")
    print("\n".join(wrong))
    sys.exit(bool(wrong) or absent * 10 > len(outcomes))


main()
