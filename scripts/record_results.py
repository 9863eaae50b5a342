#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replaces one section of a results page by the output of a measurement.

usage: record_results.py [--processor [--what WORDS]] PAGE SECTION TITLE FILE [TITLE FILE ...]

The section is the text between `<!-- begin SECTION -->` and `<!-- end SECTION -->`. Each FILE is quoted there under its
TITLE. A FILE that ends in .md is inserted without quoting. A page without the section is an error.

  --processor   each kind of processor has a section of its own, SECTION-KIND, under a heading that names the kind. If
                the page does not have it, it comes after the other kinds' sections, or at the end
  --what WORDS  other conditions, such as "4 ranks". They have a section and a heading of their own, too
"""
import argparse
import datetime
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "bench/common"))
import processor  # noqa: E402 - after its path


def options():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].splitlines()[0])
    parser.add_argument("--processor", action="store_true")
    parser.add_argument("--what", default="")
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("section")
    parser.add_argument("quoted", nargs="+")
    found = parser.parse_args()
    if len(found.quoted) % 2:
        parser.error(f"no FILE for {found.quoted[-1]}")
    return found


def measured(quoted):
    """Text of a section: the day, and each file under its title."""
    text = f"Measured {datetime.date.today().isoformat()}.\n"
    for title, name in zip(quoted[::2], quoted[1::2]):
        content = pathlib.Path(name).read_text(encoding="utf-8").strip()
        if name.endswith(".md"):
            text += f"\n{title}.\n\n{content}\n"
        else:
            text += f"\n{title}:\n\n```text\n{content}\n```\n"
    return text


def with_section(page, family, section, heading):
    """The page with an empty section, unless it has that section."""
    if f"<!-- begin {section} -->\n" in page:
        return page
    ends = list(re.finditer(rf"<!-- end {family}-[a-z0-9-]+ -->\n", page))
    at = ends[-1].end() if ends else len(page)
    empty = f"## {heading}\n\n<!-- begin {section} -->\n<!-- end {section} -->\n"
    return f"{page[:at].rstrip()}\n\n{empty}\n{page[at:].lstrip()}".rstrip() + "\n"


def main():
    asked = options()
    section = asked.section
    page = asked.page.read_text(encoding="utf-8")
    if asked.processor:
        section = f"{asked.section}-{processor.slug(asked.what)}"
        page = with_section(page, asked.section, section, ", ".join(filter(None, (processor.heading(), asked.what))))
    text = measured(asked.quoted)
    new, count = re.subn(rf"(<!-- begin {section} -->\n).*?(<!-- end {section} -->)",
                         lambda m: m.group(1) + text + m.group(2), page, flags=re.DOTALL)
    if count != 1:
        sys.exit(f"{asked.page}: no section {section}")
    asked.page.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
