#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints docs/reference/why-ordinary.md: the rows of lib/Support/Remarks.def, grouped by the question of a reader.

usage: remark-index.py > docs/reference/why-ordinary.md
"""
import os
import re

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
# A group of rows begins with this comment: (question, answer).
QUESTIONS = {
    "A call site that was rewritten, but not to the most special template.": (
        "My call is *ordinary*, or a fact is unknown. Why?",
        "`mpispec explain halo.c -- -O2` names the reason at the call, and the edit that would provide the fact."),
    "A call site that stays as it is.": (
        "My call is *left* as it is. Why?",
        "The program makes this call as without mpispec. The runtime serves it if the program has the runtime."),
    "A translation unit that was compiled by the user's own command, without mpispec.": (
        "No call of my source was specialised. Why?",
        "The source was compiled by your own command. `--mpispec-verbose` prints the reason during the compile."),
}
HEAD = """# My call is ordinary: why?

`mpispec explain` and `mpispec report` name a remark for each call. This page lists the remarks by question, and links to
their explanations. `scripts/remark-index.py` writes this page from the table of remarks.
"""


def groups(text):
    """Yields (comment, [(ID, sentence)]) for each group of rows."""
    for part in re.split(r"^// ", text, flags=re.M):
        comment, _, rows = part.partition("\n")
        yield comment, re.findall(r'MPISPEC_REMARK\(\w+, "([\w-]+)", \w+,\s*"([^"]+)"\)', rows)


def main():
    with open(os.path.join(ROOT, "lib", "Support", "Remarks.def"), encoding="utf-8") as file:
        found = dict(groups(file.read()))
    print(HEAD, end="")
    for comment, (question, answer) in QUESTIONS.items():
        print(f"\n## {question}\n\n{answer}\n\n| reason | remark |\n|---|---|")
        for identifier, sentence in found[comment]:
            print(f"| {sentence[0].upper() + sentence[1:]} | [{identifier}](../Remarks.md#{identifier}) |")


main()
