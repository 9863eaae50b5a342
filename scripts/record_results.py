#!/usr/bin/env python3
"""Replaces one section of a results page by the output of a measurement.

usage: record_results.py PAGE SECTION TITLE FILE [TITLE FILE ...]

The section is what stands between `<!-- begin SECTION -->` and `<!-- end SECTION -->`: each FILE is
quoted there under its TITLE; one that ends in .md is put in as it is.
"""
import datetime
import re
import sys


def main():
    if len(sys.argv) < 5 or len(sys.argv) % 2 == 0:
        sys.exit(__doc__.strip().splitlines()[2])
    page, section, *pairs = sys.argv[1:]
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
    new, count = re.subn(rf"(<!-- begin {section} -->\n).*?(<!-- end {section} -->)",
                         lambda m: m.group(1) + text + m.group(2), old, flags=re.DOTALL)
    if count != 1:
        sys.exit(f"{page}: no section {section}")
    with open(page, "w", encoding="utf-8") as file:
        file.write(new)


if __name__ == "__main__":
    main()
