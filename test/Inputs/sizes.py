"""The files and macros that have too many lines.

usage: sizes.py ROOT

C files are those of runtime/ and templates/, C++ files those of lib/ and tools/, macros those of runtime/.
"""

import pathlib
import sys

LONGEST = {"runtime": 350, "templates": 350, "lib": 500, "tools": 500}
LONGEST_MACRO = 20


def main():
    root = pathlib.Path(sys.argv[1])
    for folder, most in LONGEST.items():
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".c", ".h", ".cpp"):
                continue
            lines = path.read_text().splitlines()
            if len(lines) > most:
                print(f"{path.relative_to(root)}: {len(lines)} lines, more than {most}")
            macro = 1
            for number, line in enumerate(lines, 1):
                macro = macro + 1 if line.endswith("\\") else 1
                if folder == "runtime" and macro == LONGEST_MACRO + 1:
                    print(f"{path.relative_to(root)}:{number}: a macro of more than {LONGEST_MACRO} lines")


main()
