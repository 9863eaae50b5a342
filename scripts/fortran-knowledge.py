#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts what mpispec knows of the MPI calls in the Fortran sources of a program.

usage: fortran-knowledge.py NAME DIRECTORY [FLAG...]

All Fortran sources below DIRECTORY that no other source includes make a compile database, each with the wrapper mpif90 and
the flags. A row of docs/results/fortran-knowledge.md is printed: the sources with call sites, those that could not be
read, the call sites that a text search finds, those that the flags leave to the compiler, those that the analysis reads,
those of which function, datatypes and types of the buffers are known, and the share of these among the sites that are
left to the compiler. What `mpispec lint` finds stands on standard error. A site is a line of a file; one that several
sources include counts as known if it is known in each.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

SUFFIXES = (".f", ".F", ".f90", ".F90", ".f95", ".F95", ".f03", ".F03", ".for", ".inc", ".fh", ".h")
CALL = re.compile(r"\bcall\s+(mpi_\w+)", re.IGNORECASE)
INCLUDE = re.compile(r"^\s*#?\s*include\s*['\"]([^'\"]+)['\"]", re.IGNORECASE | re.MULTILINE)
MARKER = re.compile(r"^# (\d+) \"([^\"]*)\"")


def sources(directory):
    for root, _, names in sorted(os.walk(directory)):
        for name in sorted(names):
            if name.endswith(SUFFIXES):
                yield os.path.join(root, name)


def is_compiled(name):
    return not name.endswith((".inc", ".fh", ".h"))


def without_strings(line):
    return re.sub(r"'[^']*'|\"[^\"]*\"", "''", line)


def sites_by_text(name):
    """The lines of a file that call MPI."""
    fixed = name.endswith((".f", ".F", ".for"))
    found = set()
    with open(name, encoding="latin-1") as text:
        for number, line in enumerate(text, 1):
            if fixed and line[:1] in "cC*!dD":
                continue
            if CALL.search(without_strings(line).split("!")[0]):
                found.add(number)
    return found


def included_names(files):
    """The base names of what each file includes."""
    includes = {}
    for file in files:
        with open(file, encoding="latin-1") as content:
            includes[file] = {os.path.basename(name) for name in INCLUDE.findall(content.read())}
    return includes


def with_calls(files, includes, text):
    """The files that have a call site, or include a file that has one."""
    sites = {name for name, _ in text}
    found = {file for file in files if os.path.realpath(file) in sites}
    while True:
        names = {os.path.basename(file) for file in found}
        more = {file for file in files if file not in found and includes[file] & names}
        if not more:
            return found
        found |= more


def sites_left(source, flags, text):
    """The sites of `text` that are there when `source` is preprocessed; those of its own text if that fails."""
    own = os.path.realpath(source)
    result = run(["gfortran", "-E", "-cpp", *flags, source], errors="replace")
    if result.returncode != 0:
        return {site for site in text if site[0] == own}
    left, name, number = set(), own, 0
    for line in result.stdout.splitlines():
        marker = MARKER.match(line)
        if marker:
            name, number = os.path.realpath(marker.group(2)), int(marker.group(1)) - 1
            continue
        number += 1
        if (name, number) in text and CALL.search(line):
            left.add((name, number))
    return left


def write_database(place, directory, names, flags):
    entries = [{"directory": directory, "file": name, "arguments": ["mpif90", *flags, "-c", name]} for name in names]
    with open(os.path.join(place, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(entries, file)


def run(command, **options):
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **options
    )


def count(place):
    name, directory, flags = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3:]
    files = list(sources(directory))
    text = {(os.path.realpath(file), line) for file in files for line in sites_by_text(file)}
    includes = included_names(files)
    parts = set().union(*includes.values())
    compiled = [file for file in files if is_compiled(file) and os.path.basename(file) not in parts]
    write_database(place, directory, compiled, flags)
    asked = sorted(set(compiled) & with_calls(files, includes, text))
    left = set().union(*(sites_left(source, flags, text) for source in asked))
    explained = run(["mpispec", "explain", "--format=json", "-p", place, *asked])
    known = {}
    for site in json.loads(explained.stdout or "[]"):
        key = (os.path.realpath(os.path.join(directory, site["file"])), site["line"])
        known[key] = known.get(key, True) and site["resolved"]
    unread = explained.stderr.count("cannot analyse")
    lint = run(["mpispec", "lint", "-p", place, *asked])
    findings = [line for line in lint.stdout.splitlines() if ": warning: " in line]
    sys.stderr.write(explained.stderr + "\n".join(findings) + "\n")
    read = left & set(known)
    resolved = sum(known[site] for site in read)
    share = round(100 * resolved / len(left)) if left else 0
    columns = [name, len(asked), unread, len(text), len(left), len(read), resolved, f"{share} %", len(findings)]
    print("| " + " | ".join(map(str, columns)) + " |")
    for site in sorted(left):
        if not known.get(site, False):
            sys.stderr.write(f"{'unknown' if site in known else 'unread'}: {site[0]}:{site[1]}\n")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="fortran-knowledge") as place:
        count(place)


if __name__ == "__main__":
    main()
