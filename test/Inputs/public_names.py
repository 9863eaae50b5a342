#!/usr/bin/env python3
"""Prints the names that users and their scripts rely on, a kind and a name a line.

usage: public_names.py ROOT BUILD MPISPEC

ROOT is the tree, BUILD a directory in which it is built, MPISPEC the driver. Names of installed files are not
among them: test/EndToEnd/install-files.test has those.
"""
import pathlib
import re
import subprocess
import sys

# A kind, the file that has its names, and what a name is there.
TABLES = [
    ("variable", "runtime/job/Environment.def", r"^VARIABLE\((\w+),", "MPISPEC_"),
    ("option", "lib/Driver/Settings.def", r"^MPISPEC_SETTING\(\"([^\"]+)\"", ""),
    ("remark", "lib/Support/Remarks.def", r"^MPISPEC_REMARK\(\w+, \"([^\"]+)\"", ""),
    ("rule", "lib/Lint/Rules.def", r"^LINT_RULE\(\w+, \"([^\"]+)\"", ""),
    ("advice", "lib/Profile/ProfileAdvice.cpp", r"\{\"([a-z-]+)\",\s", ""),
    ("advice", "lib/Profile/CollectiveAdvice.cpp", r"[?:] +\"([a-z][a-z-]+)\";?$", ""),
    ("comparison-key", "lib/Profile/ProfileComparison.cpp", r"(?:\{|Value\[)\"([a-z_]+)\"[],]", ""),
    ("template", "lib/Selection/Templates.def", r"^MPISPEC_TEMPLATE\((\w+),", ""),
    ("explain-key", "lib/Report/ExplainJSON.cpp", r"attribute\w*\(\"(\w+)\"", ""),
    ("fact", "lib/Report/SiteKnowledge.cpp", r"\"([a-z_]+)\"", ""),
    ("report-key", "lib/Report/ReportJSON.cpp", r"\{\"(\w+)\", ", ""),
    ("profile-key", "lib/Profile/ProfileJSON.cpp", r"\{\"(\w+)\", ", ""),
    ("profile-path", "lib/Profile/RunProfile.cpp", r"^ +\{\"([a-z-]+)\", \"", ""),
    ("profile-column", "lib/Profile/ProfileText.cpp", r"\"((?:\w+,)+\w+)\\n\"", ""),
    ("profile-layout", "runtime/profile/profile_file.h", r"MPISPEC_PROFILE_VERSION = (\d+)", ""),
    ("cmake", "cmake/mpispecConfig.cmake.in", r"^ *(?:function|macro|add_executable)\((mpispec[\w:]+)", ""),
    ("cmake", "cmake/mpispecConfig.cmake.in", r"^set_and_check\((\w+)", ""),
]


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def names(root, build, mpispec):
    for kind, path, pattern, prefix in TABLES:
        # Comments quote names that code may have no more.
        text = re.sub(r"^ *//.*\n", "", (root / path).read_text(), flags=re.MULTILINE)
        for match in re.findall(pattern, text, re.MULTILINE):
            for name in match.split(","):
                yield kind, prefix + name
    for subcommand in sorted(set(re.findall(r"^  mpispec ([a-z]+) ", output(mpispec, "--help"), re.MULTILINE))):
        yield "subcommand", subcommand
        # A row may have all values of an option: --format=table|json.
        options = re.findall(r"^  (--?[a-z-]+)(?:=([a-z|]+)(?=[ \n]))?", output(mpispec, subcommand, "--help"), re.MULTILINE)
        for option, values in options:
            yield "option", f"{subcommand} {option}"
            for value in values.split("|") if values else []:
                yield "option", f"{subcommand} {option}={value}"
    targets = output("cmake", "--build", build, "--target", "help")
    public = r"check-mpispec[\w-]*|format|mpispec(?:-analyze|-profile|-runtime|-runtime-shared)?"
    for name in re.findall(rf"^(?:\.\.\. )?({public})(?:: phony)?$", targets, re.MULTILINE):
        yield "target", name


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.strip().splitlines()[2])
    for kind, name in sorted(set(names(pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]))):
        print(kind, name)


if __name__ == "__main__":
    main()
