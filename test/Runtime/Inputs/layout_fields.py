"""The rows of a layout file against the fields that Clang lists.

usage: layout_fields.py FILE.c COMPILER...

Prints each field of a structure with a row of its size, and each structure inside one, that FILE.c has no row for; and how
many fields there are. COMPILER is clang with its options.
"""

import re
import subprocess
import sys


def main():
    path, compiler = sys.argv[1], sys.argv[2:]
    dump = subprocess.run(compiler + ["-fsyntax-only", "-Xclang", "-fdump-record-layouts-complete", path], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    fields = {}  # of each structure: name -> type
    for record in dump.split("*** Dumping AST Record Layout")[1:]:
        lines = record.strip().splitlines()
        name = re.match(r"\s*0 \| struct (\w+)$", lines[0])
        # A field of the structure itself stands two further to the right, one of a structure inside it more.
        inner = [re.match(r"\s*\d+ \|   (\S.*?) ?(\w+)$", line) for line in lines[1:]]
        if name:
            fields[name.group(1)] = {match.group(2): match.group(1) for match in inner if match}
    text = open(path).read()
    sizes = re.findall(r"MPISPEC_SIZE\((\w+)\)", text)
    rows = set(re.findall(r"MPISPEC_FIELD\((\w+),\s*(\w+)\)", text))
    count = 0
    for structure in sizes:
        for field, kind in fields[structure].items():
            count += 1
            if (structure, field) not in rows:
                print(f"{structure}: no row for {field}")
            inside = re.search(r"struct (mpispec_\w+)", kind)
            if inside and "*" not in kind and inside.group(1) not in sizes:
                print(f"{structure}: {field} is a {inside.group(1)}, which has no row")
    print(f"{count} fields of {len(sizes)} structures")


main()
