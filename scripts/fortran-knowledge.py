#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts how many MPI calls in a program's Fortran sources mpispec can analyse.

usage: fortran-knowledge.py NAME DIRECTORY [FLAG...] [-- FLAG...]...

All Fortran sources below DIRECTORY that no other source includes make a compile database. Each is compiled by the
wrapper mpif90 with the flags. A build may compile its sources several times, for example once for each precision. Then
`--` separates the flags of each compile.

The script prints a row of docs/results/fortran-knowledge.md:

- the sources with call sites, and those that could not be read;
- the call sites that a text search finds, those that all flags switch off, and those that are left to the compiler;
- the call sites that the analysis reads, and the known ones: function, datatypes and types of the buffers are known;
- the share of known call sites among those that are left to the compiler, and among all;
- the number of warnings of `mpispec lint`.

Standard error has these warnings, and the sites that are not known. A site is a line of a file. If several sources
include the line, or it is compiled several times, it is known if it is known in each.
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
    result = run(["mpif90", "-E", "-cpp", *flags, source], errors="replace")
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


def alternatives(words):
    """The flags between each `--`."""
    flags = [[]]
    for word in words:
        if word == "--":
            flags.append([])
        else:
            flags[-1].append(word)
    return flags


def percent(part, whole):
    return f"{round(100 * part / whole) if whole else 0} %"


class Program:
    """The sources of a program, and what is known of them."""

    def __init__(self, directory):
        self.directory = os.path.abspath(directory)
        files = list(sources(self.directory))
        self.text = {(os.path.realpath(file), line) for file in files for line in sites_by_text(file)}
        includes = included_names(files)
        parts = set().union(*includes.values())
        self.compiled = [file for file in files if is_compiled(file) and os.path.basename(file) not in parts]
        self.asked = sorted(set(self.compiled) & with_calls(files, includes, self.text))
        self.left, self.known, self.unread, self.findings = set(), {}, set(), set()

    def read(self, flags):
        """Adds what is known if all sources are compiled with `flags`."""
        left = set().union(*(sites_left(source, flags, self.text) for source in self.asked))
        with tempfile.TemporaryDirectory(prefix="fortran-knowledge") as place:
            write_database(place, self.directory, self.compiled, flags)
            explained = run(["mpispec", "explain", "--format=json", "-p", place, *self.asked])
            lint = run(["mpispec", "lint", "-p", place, *self.asked])
        for site in json.loads(explained.stdout or "[]"):
            key = (os.path.realpath(os.path.join(self.directory, site["file"])), site["line"])
            self.known[key] = self.known.get(key, True) and site["resolved"]
            left.add(key)  # also in a file of the statement INCLUDE, which is not preprocessed
        messages = explained.stderr + lint.stderr
        sys.stderr.write(messages)
        self.left |= left & self.text
        self.unread |= {os.path.realpath(name) for name in re.findall("cannot (?:analyse|check) '([^']*)'", messages)}
        self.findings |= {line for line in lint.stdout.splitlines() if ": warning: " in line}

    def row(self):
        read = self.left & set(self.known)
        resolved = sum(self.known[site] for site in read)
        counts = [len(self.asked), len(self.unread), len(self.text), len(self.text - self.left), len(self.left)]
        shares = [percent(resolved, len(self.left)), percent(resolved, len(self.text))]
        return [*counts, len(read), resolved, *shares, len(self.findings)]

    def details(self):
        lines = sorted(self.findings)
        for site in sorted(self.text):
            state = "off" if site not in self.left else "unread" if site not in self.known else "unknown"
            if state != "unknown" or not self.known[site]:
                lines.append(f"{state}: {site[0]}:{site[1]}")
        return lines


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program = Program(sys.argv[2])
    for flags in alternatives(sys.argv[3:]):
        program.read(flags)
    print("| " + " | ".join(map(str, [sys.argv[1], *program.row()])) + " |")
    sys.stderr.write("".join(line + "\n" for line in program.details()))


if __name__ == "__main__":
    main()
