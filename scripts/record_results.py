#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replaces one section of a results page by the output of a measurement.

usage: record_results.py [--new HEADING] PAGE SECTION TITLE FILE [TITLE FILE ...]

The section is the text between `<!-- begin SECTION -->` and `<!-- end SECTION -->`. Each FILE is quoted there under its
TITLE. A FILE that ends in .md is inserted without quoting. A page without the section is an error. With --new the
section is then appended, under HEADING.
"""
import datetime
import re
import sys


def main():
    arguments = sys.argv[1:]
    heading = None
    if arguments[:1] == ["--new"]:
        heading, arguments = arguments[1:2], arguments[2:]
    if len(arguments) < 4 or len(arguments) % 2:
        sys.exit(__doc__.strip().splitlines()[2])
    page, section, *pairs = arguments
    text = f"Measured {datetime.date.today().isoformat()}.\n"
    for title, name in zip(pairs[::2], pairs[1::2]):
        with open(name, encoding="utf-8") as file:
            content = file.read().strip()
        if name.endswith(".md"):
            text += f"\n{title}.\n\n{content}\n"
        else:
            text += f"\n{title}:\n\n```text\n{content}\n```\n"
    with open(page, encoding="utf-8") as file:
        old = file.read()
    if heading and f"<!-- begin {section} -->\n" not in old:
        old = f"{old.rstrip()}\n\n## {heading[0]}\n\n<!-- begin {section} -->\n<!-- end {section} -->\n"
    new, count = re.subn(rf"(<!-- begin {section} -->\n).*?(<!-- end {section} -->)",
                         lambda m: m.group(1) + text + m.group(2), old, flags=re.DOTALL)
    if count != 1:
        sys.exit(f"{page}: no section {section}")
    with open(page, "w", encoding="utf-8") as file:
        file.write(new)


if __name__ == "__main__":
    main()
