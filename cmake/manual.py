# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the parts of the manual page that come from the table of subcommands.

usage: manual.py SUBCOMMANDS.DEF TEMPLATE OUTPUT

TEMPLATE is docs/mpispec.1. @SUBCOMMAND_SYNOPSIS@ becomes a line for each subcommand, and @SUBCOMMAND_OPTIONS@ becomes
their options. Other words between @ are variables of CMake, and stay.
"""
import re
import sys

STRING = r'"((?:[^"\\]|\\.)*)"'


def rows(text, macro, columns):
    pattern = r"^%s\(%s\)$" % (macro, ", ".join([STRING] * columns))
    found = re.findall(pattern, text, flags=re.M)
    if len(found) != len(re.findall(r"^%s\(" % macro, text, flags=re.M)):
        sys.exit(f"manual.py: a row of {macro} is not understood")
    return found


def escaped(text):
    """Text of troff: a hyphen is a minus, and no line begins with a control character."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def synopsis(subcommands):
    for name, arguments, _ in subcommands:
        yield f".br\n.B mpispec {escaped(name)}"
        yield escaped(arguments)


def option_name(name, value):
    if not value:
        return f".B {escaped(name)}"
    optional = value.startswith("[")
    joint = " " if name[1] != "-" else "[=" if optional else "="
    return f'.BI "{escaped(name)}" "{escaped(joint + (value[1:] if optional else value))}"'


def options(subcommands, rows_of_options):
    for name, _, summary in subcommands + [("*", "", "")]:
        own = [row for row in rows_of_options if row[0] == name]
        if own:
            yield ".SS " + (f'"mpispec {escaped(name)}: {escaped(summary)}"' if summary else '"All subcommands"')
        for _, option, value, text in own:
            yield f".TP\n{option_name(option, value)}\n{escaped(text[:1].upper() + text[1:])}."


def main(table, template, output):
    with open(table, encoding="utf-8") as file:
        text = file.read()
    subcommands = rows(text, "MPISPEC_SUBCOMMAND", 3)
    with open(template, encoding="utf-8") as file:
        page = file.read()
    page = page.replace("@SUBCOMMAND_SYNOPSIS@", "\n".join(synopsis(subcommands)))
    page = page.replace("@SUBCOMMAND_OPTIONS@", "\n".join(options(subcommands, rows(text, "MPISPEC_SUBCOMMAND_OPTION", 4))))
    with open(output, "w", encoding="utf-8") as file:
        file.write(page)


main(*sys.argv[1:])
