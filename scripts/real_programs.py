#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the results of scripts/real-programs.sh: the translation units of a program, or the table of programs.

usage: real_programs.py units REPORT        one line; fails if a unit was compiled without mpispec, except for code
                                            that Clang cannot parse
       real_programs.py table PROGRAMS      the table of all programs built in the directory PROGRAMS

REPORT is the JSON of `mpispec report`.
"""
import json
import pathlib
import sys

HARMLESS = {"fallback-parse-error"}


def read(file):
    return file.read_text(encoding="utf-8").strip() if file.exists() else ""


def fallbacks(report):
    return {reason: sources for reason, sources in report["fallbacks"].items() if sources}


def calls(report):
    sites = report["sites"]
    return sites["found"], sites["inline"], sites["ordinary"], sites["left"]


def units(name):
    report = json.loads(read(pathlib.Path(name)))
    found, inline, ordinary, left = calls(report)
    print(f"        {report['units']} units, {found} calls: {inline} inline, {ordinary} ordinary, {left} left")
    for reason, sources in fallbacks(report).items():
        print(f"        {reason}: {len(sources)} unit(s): {' '.join(sources[:5])}")
    return not set(fallbacks(report)) - HARMLESS


def seconds(file):
    """The processor time of a shell's children: the second line of what `times` prints."""
    total = 0.0
    for word in read(file).splitlines()[1].split():
        minutes, rest = word.rstrip("s").split("m")
        total += 60 * float(minutes) + float(rest)
    return total


def with_calls(remarks):
    return sum("Callee:" in read(file) for file in remarks.iterdir())


def ranks(outcomes):
    """The numbers of ranks that tests were run with, from lines `ranks N status S`."""
    return " ".join(map(str, sorted({int(read(file).split()[1]) for file in outcomes.glob("*.ended")})))


def row(work):
    version, build_system = read(work / "row").split("|")
    report = json.loads(read(work / "report.json"))
    found, inline, ordinary, left = calls(report)
    lost = ", ".join(f"{len(s)} {r.removeprefix('fallback-')}" for r, s in fallbacks(report).items())
    plain, special = seconds(work / "plain.times"), seconds(work / "special.times")
    alike = [read(work / f"{mode}.alike") or "-" for mode in ("full", "lanes", "off")]
    cells = [f"{work.name} {version}", build_system, read(work / "special.built"), report["units"],
             with_calls(work / "remarks"), lost or "0", found, inline, ordinary, left,
             ranks(work / "outcomes" / "plain"), *alike, f"{plain:.0f} s", f"{special:.0f} s",
             f"{special / plain:.2f}"]
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(name):
    heads = ["program", "build", "state", "units", "with calls", "lost", "calls", "inline", "ordinary", "left",
             "ranks", "full", "lanes", "off", "plain build", "mpispec", "ratio"]
    print("| " + " | ".join(heads) + " |")
    print("|---|---|---|" + "---:|" * (len(heads) - 3))
    for report in sorted(pathlib.Path(name).glob("*/report.json")):
        if (report.parent / "special.times").exists():
            print(row(report.parent))
    return True


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("units", "table"):
        sys.exit(__doc__.strip())
    sys.exit(0 if {"units": units, "table": table}[sys.argv[1]](sys.argv[2]) else 1)
