#!/usr/bin/env python3
"""Prints what is missing where the table of templates disagrees with headers, pages or tests: the file, and what to add.

usage: template_gaps.py ROOT

The table is lib/Selection/Templates.def. docs/contributing/add-a-template.md goes through all of it.
"""
import pathlib
import re
import sys

TABLE = "lib/Selection/Templates.def"
HEADERS = "templates/mpispec"
ROLES = "lib/MPI/Functions.def"
FORMS = "lib/Rewrite/TemplateArguments.cpp"
# The types of a template's parameters, by the form of the argument (lib/Rewrite/TemplateArguments.h).
TYPES = {"Buffer": ["void *"], "Count": ["long long"], "Element": ["long long"], "Integer": ["int"],
         "Handle": ["unsigned long"], "Reduce": ["int", "int"], "Object": ["void *"]}


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        table = re.sub(r"//.*", "", self.read(TABLE))
        table = table[table.rindex("#endif"):]
        self.functions = {row[0]: row for row in rows(table, "MPISPEC_FUNCTION")}
        self.templates = {row[0]: row for row in rows(table, "MPISPEC_TEMPLATE")}
        self.cells = rows(table, "MPISPEC_ROW")
        roles = re.findall(r"MPI_FUNCTION\((\w+), (\w+),[^,]*,[^,]*,\s*ROLES\(([^)]*)\)", self.read(ROLES))
        self.roles = {name: (kind, re.findall(r"\w+", of)) for name, kind, of in roles}
        self.forms = {}
        for cases, form in re.findall(r"((?:case Role::\w+:\s*)+)return ArgumentForm::(\w+);", self.read(FORMS)):
            self.forms.update({role: form for role in re.findall(r"Role::(\w+)", cases)})

    def read(self, path):
        path = self.root / path
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def pasted(self, header, seen):
        """The text of a header and of all that it includes."""
        if header in seen:
            return ""
        seen.add(header)
        text = self.read(f"{HEADERS}/{header}")
        return "".join(self.pasted(name, seen) for name in re.findall(r'#include "(\S+)"', text)) + text


def rows(text, macro):
    found = re.findall(macro + r"\(([^)]*)\)", text)
    return [[field.strip() for field in row.split(",")] for row in found]


def type_of(parameter):
    """`const void *buffer` -> `void *`; `enum mpispec_locality node` -> `enum mpispec_locality`."""
    parameter = " ".join(parameter.split()).removeprefix("const ")
    return re.sub(r"\w+$", "", parameter).strip()


def check_table(tree):
    used = set()
    for function, *_, short, dynamic, long in tree.cells:
        used |= {short, dynamic, long}
        for cell in (short, dynamic, long):
            if cell != "ordinary" and tree.templates.get(cell, [0, 0])[1] != function:
                yield TABLE, f"a row of {function} has the cell {cell}: add MPISPEC_TEMPLATE({cell}, {function}, ...)"
        if function not in tree.functions:
            yield TABLE, f"a row of {function}: add MPISPEC_FUNCTION({function}, ...)"
    for name, function, *_ in tree.templates.values():
        if name not in used:
            yield TABLE, f"no cell has the template {name}: add it to an MPISPEC_ROW({function}, ...)"
        if function not in tree.functions:
            yield TABLE, f"the template {name}: add MPISPEC_FUNCTION({function}, ...)"
    for function in tree.functions:
        if function not in tree.roles:
            yield ROLES, f"{TABLE} has MPI_{function}: add MPI_FUNCTION({function}, ...) with the roles of its arguments"
        if function not in (row[0] for row in tree.cells):
            yield TABLE, f"{function} has no row: add MPISPEC_ROW({function}, ...)"


def check_header(tree, name, function, body, word):
    header = tree.functions[function][1]
    path = f"{HEADERS}/{header}"
    if not header or not tree.read(path):
        yield path, f"there is no such file: write it, with mpispec_{body}, the body of the template {name}"
        return
    kind, roles = tree.roles[function]
    expected = [t for role in roles for t in TYPES[tree.forms.get(role, "Object")]]
    expected += ["char *"] if kind == "Collective" else []
    found = re.search(rf"^mpispec_{body}\(([^)]*)\)", tree.pasted(header, set()), re.MULTILINE)
    if not found:
        yield path, f"add the function mpispec_{body}, the body of the template {name}"
        return
    given = [type_of(parameter) for parameter in found[1].split(",")]
    last = given.pop() if word and len(given) > len(expected) else ""
    given = [re.sub(r"^enum \w+$", "int", t) for t in given]
    if given != expected or bool(last) != bool(word):
        words = ", ".join(expected + ([f"a type of which {word} is"] if word else []))
        yield path, f"mpispec_{body} takes other arguments than MPI_{function} gives it: let it take ({words})"


def check_pages(tree):
    catalog, tour = tree.read("docs/Templates.md"), tree.read("docs/Tour.md")
    named = {name for names in re.findall(HEADERS + r"/\{([^}]*)\}\.h", tour) for name in names.split(",")}
    for function, header, *_ in tree.functions.values():
        if header and not re.search(rf"`{re.escape(header)}` \| `{function} \[", catalog):
            yield "docs/Templates.md", f"add a row to the catalog: | ... | `{header}` | `{function} [...] -> ...` |"
        if header and header.removesuffix(".h") not in named:
            yield "docs/Tour.md", f"add {header} to the names in one of the lines `{HEADERS}/{{...}}.h`"
    of_table = {row[1] for row in tree.functions.values()}
    for header in re.findall(r"^\| [^|]+ \| `(\w+\.h)` \|", catalog, re.MULTILINE):
        if header not in of_table:
            yield TABLE, f"the catalog of docs/Templates.md has {header}: add MPISPEC_FUNCTION(..., {header}, ...)"


def check_tests(tree):
    counted = tree.read("test/Templates/Inputs/counted.def")
    programs = "".join(path.read_text(encoding="utf-8") for path in sorted((tree.root / "test/Templates").glob("*.c")))
    for function in dict.fromkeys(row[1] for row in tree.templates.values()):
        if not re.search(rf"^COUNTED\({function},", counted, re.MULTILINE):
            yield "test/Templates/Inputs/counted.def", f"add COUNTED({function}, (parameters), (arguments))"
        if not re.search(rf"\b(MPI_)?{function}\b", programs):
            yield "test/Templates", f"add a program that calls MPI_{function} and counts the ordinary calls"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip().splitlines()[2])
    tree = Tree(sys.argv[1])
    gaps = list(check_table(tree))
    for name, function, body, word in tree.templates.values():
        if function in tree.functions and function in tree.roles:
            gaps += check_header(tree, name, function, body, word)
    gaps += [*check_pages(tree), *check_tests(tree)]
    for path, gap in gaps:
        print(f"{path}: {gap}")


if __name__ == "__main__":
    main()
