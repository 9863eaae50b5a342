#!/usr/bin/env python3
"""Runs the commands of a page, and compares what they print with the page.

usage: run_console.py PAGE DIRECTORY

The commands are the lines that begin with `$ ` in fenced blocks `console`; lines with `> ` continue them. One shell runs
all of them in DIRECTORY. The lines below a command are its output, where `...` stands for any text (doctest's ELLIPSIS), as a
line of its own also for no line. A number before a unit of time is any time. A command must succeed unless `echo $?` comes next.
"""
import doctest
import re
import subprocess
import sys

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
COMMAND = re.compile(r"^\$ (.*\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)", re.M)
TIME = re.compile(r"\b\d+(\.\d+)?( ?)(ns|us|ms|s)\b")
MARK = "@status@"
ANY_LINES = re.compile(r"(^|\n)\.\.\.(\n|$)")


def commands_of(page):
    """Pairs of a command and its expected output."""
    for block in BLOCK.findall(page):
        for command, output in COMMAND.findall(block):
            yield command.replace("\n> ", "\n"), output


def run(commands, directory):
    """The output and the status of each command; fewer where the shell ended early."""
    script = "".join(f"{command}status=$?; echo '{MARK}'$status; (exit $status)\n" for command, _ in commands)
    done = subprocess.run(["bash", "-c", script], cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace")
    return re.findall(rf"(.*?){MARK}(\d+)\n", done.stdout, re.S)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        commands = list(commands_of(file.read()))
    results = run(commands, sys.argv[2])
    checker = doctest.OutputChecker()
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    bad = len(commands) - len(results)
    for i, ((command, expected), (output, status)) in enumerate(zip(commands, results)):
        asked = i + 1 < len(commands) and commands[i + 1][0] == "echo $?\n"
        pattern = ANY_LINES.sub("...", TIME.sub("# \\3", expected))
        same = checker.check_output(pattern, TIME.sub("# \\3", output), flags)
        if not same or (status != "0" and not asked):
            bad += 1
            print(f"$ {command}expected:\n{expected}printed, with status {status}:\n{output}")
    print(f"{len(commands)} commands, {bad} not as the page has them")
    return 1 if bad or not commands else 0


sys.exit(main())
