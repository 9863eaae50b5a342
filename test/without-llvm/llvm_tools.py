#!/usr/bin/env python3
"""Stands for LLVM's FileCheck, not, count and split-file where there is no LLVM. The name of the program decides.

FileCheck: as far as test/Runtime and test/stress use it. There is no numeric variable, and no -LABEL, -EMPTY and -SAME.
"""
import os
import re
import signal
import subprocess
import sys


class Mistake(Exception):
    """A check that fails."""


def blanks_joined(text):
    return re.sub(r"[ \t]+", " ", text)


class Pattern:
    """A pattern with {{regular expressions}}, [[VARIABLES]] and [[NAMES:regular expressions]]."""

    def __init__(self, text):
        self.text = text
        self.parts = re.split(r"(\{\{.*?\}\}|\[\[\w+(?::.*?)?\]\])", blanks_joined(text.strip()))

    def search(self, text, start, end, variables):
        expression = ""
        for part in self.parts:
            if part.startswith("{{"):
                expression += f"(?:{part[2:-2]})"
            elif re.fullmatch(r"\[\[\w+:.*\]\]", part):
                name, _, value = part[2:-2].partition(":")
                expression += f"(?P<{name}>{value})"
            elif re.fullmatch(r"\[\[\w+\]\]", part):
                expression += re.escape(variables[part[2:-2]])
            else:
                expression += re.escape(part)
        found = re.compile(expression, re.M).search(text, start, end)
        if found:
            variables.update(found.groupdict())
        return found


class Checker:
    def __init__(self, text, variables, never):
        self.text = text
        self.variables = variables
        self.spans = []  # of all matches
        self.end = 0  # of the last match
        self.group = None  # where the present group of -DAG began
        self.absent = []  # -NOT since the last match
        self.never = never

    def find(self, pattern, start):
        while found := pattern.search(self.text, start, len(self.text), self.variables):
            if self.group is None or not any(found.start() < end and begin < found.end() for begin, end in self.spans):
                return found
            start = found.start() + 1
        raise Mistake(f"not found: {pattern.text}")

    def judge_absent(self, end):
        for pattern in self.absent:
            if pattern.search(self.text, self.end, end, self.variables):
                raise Mistake(f"found, and should not be: {pattern.text}")
        self.absent = []

    def check(self, kind, pattern):
        if kind == "NOT":
            self.group = None
            self.absent.append(pattern)
            return
        if kind == "DAG":
            self.group = self.end if self.group is None else self.group
        else:
            self.group = None
        for _ in range(int(kind[6:]) if kind.startswith("COUNT-") else 1):
            found = self.find(pattern, self.end if self.group is None else self.group)
            between = self.text[self.end:found.start()]
            if kind == "NEXT" and between.count("\n") != 1:
                raise Mistake(f"not on the next line: {pattern.text}")
            self.judge_absent(found.start())
            self.spans.append(found.span())
            self.end = max(self.end, found.end())

    def finish(self):
        self.judge_absent(len(self.text))
        start = 0
        for begin, end in sorted(self.spans) + [(len(self.text), 0)]:
            for pattern in self.never:
                if begin > start and pattern.search(self.text, start, begin, self.variables):
                    raise Mistake(f"found, and should not be anywhere: {pattern.text}")
            start = max(start, end)


def directives(path, prefixes):
    expression = re.compile(r"(?<![\w-])(?:%s)(?:-(NEXT|NOT|DAG|COUNT-\d+))?:(.*)" % "|".join(map(re.escape, prefixes)))
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            if found := expression.search(line):
                yield found.group(1) or "", Pattern(found.group(2))


def file_check(words):
    prefixes, variables, never, files, allow_empty = [], {}, [], [], False
    for word in words:
        name, _, value = word.lstrip("-").partition("=")
        if not word.startswith("-"):
            files.append(word)
        elif word.startswith("-D"):
            variables[name[1:]] = value
        elif name in ("check-prefix", "check-prefixes"):
            prefixes += value.split(",")
        elif name == "implicit-check-not":
            never.append(Pattern(value))
        elif name == "allow-empty":
            allow_empty = True
        else:
            sys.exit(f"FileCheck: unknown option {word}")
    text = blanks_joined(sys.stdin.buffer.read().decode("utf-8", "surrogateescape"))
    checker = Checker(text, variables, never)
    try:
        if not text and not allow_empty:
            raise Mistake("the input is empty")
        checks = list(directives(files[0], prefixes or ["CHECK"]))
        if not checks:
            raise Mistake("there is no check with the prefix")
        for kind, pattern in checks:
            checker.check(kind, pattern)
        checker.finish()
    except Mistake as mistake:
        sys.exit(f"{files[0]}: {mistake}\ninput:\n{text}")


def negate(words):
    crash = words[0] == "--crash"
    status = subprocess.run(words[1:] if crash else words, check=False).returncode
    died = status < 0 or status >= 128 + signal.SIGHUP
    sys.exit(not died if crash else status == 0 or status < 0)


def count(words):
    lines = len(sys.stdin.buffer.read().splitlines())
    if lines != int(words[0]):
        sys.exit(f"count: {lines} lines instead of {words[0]}")


def split_file(words):
    source, directory = words
    os.makedirs(directory, exist_ok=True)
    output = None
    with open(source, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            if found := re.match(r"\S*--- (\S+)$", line):
                path = os.path.join(directory, found.group(1))
                os.makedirs(os.path.dirname(path), exist_ok=True)
                output = open(path, "w", encoding="utf-8", errors="surrogateescape")
            elif output:
                output.write(line)


PROGRAMS = {"FileCheck": file_check, "not": negate, "count": count, "split-file": split_file}
PROGRAMS[os.path.basename(sys.argv[0])](sys.argv[1:])
