# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a header with the identity of sources: a hash that changes with their layouts and their tokens.

usage: identity.py --template HEADER.in --output HEADER --files LIST --root DIRECTORY OBJECT...

LIST names the sources, a path below DIRECTORY in each line. Each OBJECT is a compiled file of rows
(runtime/layout_rows.h). @IDENTITY@ in the template becomes the hash: 16 hexadecimal digits. A header that would not
change is not written.

The hash covers the rows, which the compiler evaluates, and the tokens of the sources. The tokens include all directives
and both sides of each condition, but no comments and no white space. Therefore the hash does not depend on the
compiler, its options, other headers, or the layout of the text.
"""

import argparse
import hashlib
import pathlib
import re

TOKEN = re.compile(
    r"""(?P<comment> //[^\n]* | /\*.*?\*/)
      | (?P<space> [^\S\n]+)
      | (?P<newline> \n)
      | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
      | [A-Za-z_]\w*
      | \.?\d(?:[eEpP][+-]|[\w.])*
      | <<= | >>= | \.\.\. | -> | \+\+ | -- | << | >> | <= | >= | == | != | && | \|\| | \#\# | :: | [-+*/%&|^]=
      | .""", re.VERBOSE | re.DOTALL)

# struct mpispec_layout_row: a name in 120 bytes, a value in 8
ROW = re.compile(rb"(?=mpispec layout: (.{104})(.{8}))", re.DOTALL)


def tokens(text):
    """The tokens of C or C++ text. A newline is a token where it ends a directive. The parenthesis after the name of a
    macro with parameters is another token than one that begins the macro's body."""
    result, directive, begins_line, close = [], 0, True, False
    for match in TOKEN.finditer(text.replace("\\\n", "")):
        token, kind = match.group(), match.lastgroup
        if kind == "newline":
            result += [token] * bool(directive)
            directive, begins_line = 0, True
        elif not kind:
            directive = directive + 1 if directive else token == "#" and begins_line
            opens_parameters = directive == 4 and token == "(" and close and result[-2] == "define"
            result.append("define(" if opens_parameters else token)
            begins_line = False
        close = not kind
    return result


def rows(path):
    """The rows of an object file, as text."""
    found = ROW.findall(pathlib.Path(path).read_bytes())
    if not found:
        raise SystemExit(f"identity.py: {path} has no row of a layout")
    return [f"{name.rstrip(bytes(1)).decode()} {int.from_bytes(value, 'little')}" for name, value in found]


def identity(root, files, objects):
    text = hashlib.sha256()
    for path in objects:
        text.update(("\n".join(rows(path)) + "\n\n").encode())
    for name in sorted(files):
        content = tokens((pathlib.Path(root) / name).read_text(encoding="utf-8"))
        text.update((name + "\n" + "\0".join(content) + "\n\n").encode())
    return text.hexdigest()[:16]


def main():
    parser = argparse.ArgumentParser()
    for option in ("--template", "--output", "--files", "--root"):
        parser.add_argument(option, required=True)
    parser.add_argument("objects", nargs="+")
    arguments = parser.parse_args()
    files = pathlib.Path(arguments.files).read_text().split()
    value = identity(arguments.root, files, arguments.objects)
    header = pathlib.Path(arguments.template).read_text().replace("@IDENTITY@", value)
    output = pathlib.Path(arguments.output)
    if not output.exists() or output.read_text() != header:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(header)


if __name__ == "__main__":
    main()
