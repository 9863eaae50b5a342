#!/usr/bin/env python3
"""Applies the blocks of a page to a tree, as a person would who reads it.

usage: apply_page.py PAGE TREE

The last line that begins with "In `FILE`" or "New file `FILE` in `DIRECTORY`" names the file of a block. A block of a new
file is the file. In a block of diff, the next `+` replaces the text behind `-`. Any other `+` goes below the only line of
the file that begins with the text behind the ` ` before it.
"""
import pathlib
import re
import sys

def patched(path, block):
    lines = path.read_text(encoding="utf-8").splitlines()
    place, removed = None, None
    for line in block.splitlines():
        mark, text = line[0], line[1:]
        if mark == " ":
            found = [number for number, old in enumerate(lines) if old.startswith(text)]
            if len(found) != 1:
                sys.exit(f"{path}: {len(found)} lines begin with '{text}'")
            place = found[0]
        elif mark == "-":
            removed = text
        elif removed is not None:
            if "\n".join(lines).count(removed) != 1:
                sys.exit(f"{path}: '{removed}' does not stand there once")
            lines = [old.replace(removed, text) for old in lines]
            removed = None
        else:
            place += 1
            lines.insert(place, text)
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip().splitlines()[2])
    page, tree = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"), pathlib.Path(sys.argv[2])
    file = None
    blocks = 0
    lines = iter(page.splitlines())
    for line in lines:
        names = re.findall(r"`([\w./-]+)`", line)
        if names and re.match(r"(In|New file) `", line):
            file = tree / (names[0] if line.startswith("In") else pathlib.Path(names[1]) / names[0])
        if not line.startswith("```"):
            continue
        block = "".join(text + "\n" for text in iter(lambda: next(lines), "```"))
        blocks += 1
        file.write_text(patched(file, block) if line == "```diff" else block, encoding="utf-8")
    print(f"{blocks} blocks")


if __name__ == "__main__":
    main()
