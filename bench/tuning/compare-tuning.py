#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the gain of each constant of runtime/progress/tuning.h, in an application kernel or in a bench of messages.

usage: compare-tuning.py [OPTION...] [CONSTANT...]

  CONSTANT      the last part of its name (WHOLE_BYTES); all of bench/tuning/constants.tsv if none is named
  --build DIR   a build of mpispec (default build/release); variants are kept in DIR/bench/tuning
  --pairs N     pairs of runs, with and without, in turns (default 9)
  --on PROGRAM  this program instead of those of the table; may be repeated. As in the table, "cg 10" is a kernel and
                its repetitions, "rows 10 x4" is the same with four ranks, and "latency ping-pong-8" is a row of a bench
                of messages (latency, both-ways, collectives)
  --realtime    run the ranks at real-time priority, for a machine that is not quite quiet (needs root)
  --write       write docs/results/tuning.md; the rows of constants that are not named stay
  --help

The table names a bench of messages for a constant that has no effect on kernels. For each constant the runtime is built
once more, with the value from the table that disables the constant. The plain program runs with one of the two runtimes
preloaded. The result is the median of the ratios of the pairs. Only pairs whose cores were equally far from each other
count, by the handoff that each run measures. The machine must be quiet. A row takes seconds, and all rows ten minutes.
"""
import argparse
import concurrent.futures
import csv
import datetime
import json
import os
import pathlib
import re
import shlex
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/common"))
import preloaded
import processor

HEADER = ROOT / "runtime/progress/tuning.h"
TABLE = ROOT / "bench/tuning/constants.tsv"
PAGE = ROOT / "docs/results/tuning.md"
MEASURED = ROOT / "bench/tuning/measured.tsv"
MILLISECONDS = "5"  # a repetition of a bench
NEAR = 100  # ns of a handoff: above it the cores share no cache
WORTH = 0.05


def fail(message):
    sys.exit(f"compare-tuning.py: {message}")


def constants():
    """The table's rows that name programs: {constant: (value that takes it out, [program...])}."""
    with open(TABLE, encoding="utf-8") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if row and not row[0].startswith("#")]
    return {name: (without, programs.split(", ")) for name, without, programs in rows if without != "-"}


def header_without(name, without):
    text, count = re.subn(rf"(\bMPISPEC_{name} = )[^,]*,", rf"\g<1>{without},", HEADER.read_text("utf-8"))
    if count != 1:
        fail(f"{HEADER.relative_to(ROOT)} has no constant MPISPEC_{name}")
    return text


class Runtimes:
    """Builds of the shared runtime that differ in one constant."""

    def __init__(self, build):
        self.build = build
        self.library = os.path.relpath((build / "lib/libmpispec.so").resolve(), build)
        self.link = preloaded.command("ninja", "-C", build, "-t", "commands", "-s", self.library).splitlines()[-1]
        objects = set(re.findall(r"\S+\.c\.o\b", self.link))
        self.compiled = {}  # object: (command, directory)
        for entry in json.loads((build / "compile_commands.json").read_text("utf-8")):
            output = re.search(r" -o (\S+\.c\.o) ", entry["command"])
            if output and output.group(1) in objects:
                self.compiled[output.group(1)] = (entry["command"], entry["directory"])
        self.needs = {}  # object: the files it was made of
        current = None
        for line in preloaded.command("ninja", "-C", build, "-t", "deps", *objects).splitlines():
            if line and not line.startswith(" "):
                current = self.needs.setdefault(line.split(":")[0], [])
            elif line.strip():
                current.append((build / line.strip()).resolve())

    def mentions(self, name):
        """Objects with a source that has the constant's name in it."""
        word = re.compile(rf"\bMPISPEC_{name}\b")
        has = {path: bool(word.search(path.read_text("utf-8"))) for path in
               {p for paths in self.needs.values() for p in paths if ROOT / "runtime" in p.parents and p != HEADER}}
        return [o for o, paths in self.needs.items() if any(has.get(p) for p in paths)]

    def without(self, name, value):
        """Path of the library in which the constant has this value."""
        folder = self.build / "bench/tuning" / name
        (folder / "progress").mkdir(parents=True, exist_ok=True)
        (folder / "progress/tuning.h").write_text(header_without(name, value), "utf-8")
        link = self.link
        changed = self.mentions(name)
        if not changed:
            fail(f"nothing in runtime/ uses MPISPEC_{name}")
        for number, compiled in enumerate(changed):
            how, directory = self.compiled[compiled]
            new = folder / f"{number}.o"
            words = shlex.split(how)
            words[words.index("-o") + 1] = str(new)
            first = next(i for i, word in enumerate(words) if word.startswith("-I"))
            words.insert(first, f"-I{folder}")
            preloaded.command(*words, cwd=directory)
            link = re.sub(rf"(?<=\s){re.escape(compiled)}(?=\s)", lambda _, new=new: str(new), link)
        library = folder / "libmpispec.so"
        link = link.replace(f"-o {self.library} ", f"-o {library} ", 1)
        preloaded.command("sh", "-c", link, cwd=self.build)
        return library


def run(command_line, ranks, library, prefix):
    """What a program prints with this runtime preloaded (preloaded.run)."""
    if int(ranks) > os.cpu_count():
        prefix = []  # ranks that yield would keep the others from their core
    return preloaded.run([*prefix, "mpiexec", "-n", ranks, *command_line], library)


def measure(build, program, library, prefix):
    """Time of a program as the table names it, in whatever unit, and the handoff in ns, of one run."""
    name, what, *ranks = program.split()
    ranks = ranks[0].lstrip("x") if ranks else "2"
    if name in preloaded.BENCHES:
        numbers = run([build / "bench/tuning" / name, MILLISECONDS, what], ranks, library, prefix)
        return numbers[what], numbers["handoff"]
    numbers = run([build / "bench/plain" / name, what], ranks, library, prefix)
    return numbers["seconds"], numbers["handoff"]


def worth(build, program, without, pairs, prefix):
    """Ratios of the time without the constant over that with it, of comparable pairs, sorted."""
    libraries = {"with": build / "lib/libmpispec.so", "without": without}
    ratios = []
    for pair in range(pairs):
        took = {}
        for which in sorted(libraries, reverse=pair % 2 == 1):
            took[which] = measure(build, program, libraries[which], prefix)
        if (took["with"][1] < NEAR) == (took["without"][1] < NEAR):
            ratios.append(took["without"][0] / took["with"][0])
    return sorted(ratios)


def write(records):
    """Keeps {(constant, program): [median, quartile, quartile, pairs, date, processor]}, and makes the page of it."""
    rows = [[name, program, *records[name, program]] for name, (_, programs) in constants().items()
            for program in programs if (name, program) in records]
    with open(MEASURED, "w", encoding="utf-8") as file:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows(rows)
    without = {name: value for name, (value, _) in constants().items()}
    lines = ["| constant | without it | program | time without over with | quartiles | pairs | measured on |",
             "|---|---:|---|---:|---:|---:|---|"]
    for name, program, median, low, high, pairs, date, where in rows:
        median = f"**{median}**" if float(median) - 1 >= WORTH else median
        lines.append(f"| {name} | {without[name]} | {program} | {median} | {low} to {high} | {pairs} | {date}, {where} |")
    text = PAGE.read_text("utf-8")
    section = "\n".join(lines) + "\n"
    PAGE.write_text(re.sub(r"(<!-- begin tuning -->\n).*?(<!-- end tuning -->)",
                           lambda m: m.group(1) + section + m.group(2), text, flags=re.DOTALL), "utf-8")


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--on", action="append")
    parser.add_argument("--realtime", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--help", "-h", action="store_true")
    options = parser.parse_args()
    if options.help:
        print(__doc__.strip())
        return
    known = constants()
    names = [name.removeprefix("MPISPEC_") for name in options.names] or list(known)
    for name in names:
        if name not in known:
            fail(f"{TABLE.relative_to(ROOT)} has no row with a kernel for {name}")
    build = options.build.resolve()
    if not (build / "bin/mpispec").exists():
        fail(f"no {options.build}/bin/mpispec: build mpispec first, or name its build with --build")
    prefix = ["chrt", "-f", "10"] if options.realtime else []
    preloaded.command("make", "-s", "-C", ROOT / "bench", f"OUT={build}/bench", f"MPISPEC={build}/bin/mpispec",
                      "kernels")
    (build / "bench/tuning").mkdir(exist_ok=True)
    preloaded.compile_benches(build / "bench/tuning")
    runtimes = Runtimes(build)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        libraries = dict(zip(names, pool.map(lambda name: runtimes.without(name, known[name][0]), names)))
    records = {}
    if options.write and MEASURED.exists():
        with open(MEASURED, encoding="utf-8") as file:
            records = {(row[0], row[1]): row[2:] for row in csv.reader(file, delimiter="\t")}
    for name in names:
        without, programs = known[name]
        for on in options.on or programs:
            ratios = worth(build, on, libraries[name], options.pairs, prefix)
            if len(ratios) < 3:
                print(f"{name:16} = {without:14} {on:40} too few comparable pairs: {len(ratios)}", flush=True)
                continue
            low, median, high = statistics.quantiles(ratios, n=4)
            print(f"{name:16} = {without:14} {on:40} {median:.2f} [{low:.2f} to {high:.2f}] of {len(ratios)}"
                  f"{'' if abs(median - 1) >= WORTH else '  not worth it'}", flush=True)
            records[name, on] = [f"{median:.2f}", f"{low:.2f}", f"{high:.2f}", str(len(ratios)),
                                 datetime.date.today().isoformat(), processor.name()]
        if options.write:
            write(records)


if __name__ == "__main__":
    try:
        main()
    except preloaded.Failed as failed:
        fail(failed)
