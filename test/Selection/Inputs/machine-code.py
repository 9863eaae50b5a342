#!/usr/bin/env python3
"""Compares what `explain --format=json` says of calls with their machine code.

usage: machine-code.py forms JSON OBJECT
           each function has one call: its code touches the runtime's state, or a function of a
           template, if and only if the call is said to be inline
       machine-code.py hints JSON OBJECT
           functions come in pairs NAME and NAME_edited, where the edit is what is hinted at: where
           something is hinted at, the code of the two differs
       machine-code.py same OBJECT
           functions come in pairs NAME and NAME_more, which knows more: prints the pairs whose code is
           the same
"""
import json
import re
import subprocess
import sys


def functions(path):
    """Name of each function to its instructions with their relocations, no addresses in them."""
    text = subprocess.run(["objdump", "-dr", "--no-show-raw-insn", path], check=True,
                          capture_output=True, text=True).stdout
    found, body = {}, None
    for line in text.splitlines():
        head = re.match(r"[0-9a-f]+ <(\w+)(?:\.\w+)*>:$", line)
        if head:
            body = found.setdefault(head[1], [])
        elif body is not None and line.strip():
            code = re.sub(r"^\s*[0-9a-f]+:\s*", "", line)
            code = re.sub(r"\b[0-9a-f]+ <(mpispec_\w+)[^>]*>", r"\1", code)
            code = re.sub(r"\b[0-9a-f]+ <[^>]*>", "LABEL", code)
            if not code.startswith(("nop", "data16", "cs nopw", "xchg   %ax,%ax")):
                body.append(code)
    return found


def sites(path):
    with open(path) as file:
        return {site["in"]: site for site in json.load(file)}


def compare_forms(said, code):
    bad = 0
    for name, site in said.items():
        touches = any("mpispec_" in line for line in code[name])
        if touches != (site["form"] == "inline"):
            print(f"{name}: said to be {site['form']}, but the code is not")
            bad += 1
    print(f"{len(said)} calls compared")
    return bad


def compare_hints(said, code):
    bad = asked = 0
    for name in said:
        if name.endswith("_edited"):
            continue
        hints = [m["id"] for m in said[name]["missed"]]
        asked += bool(hints)
        if hints and code[name] == code[name + "_edited"]:
            print(f"{name}: asks for {hints}, which changes nothing")
            bad += 1
        print(f"{name}: {' '.join(hints) or 'nothing'}")
    return bad


def print_same(code):
    for name in sorted(code):
        if name + "_more" in code and code[name] == code[name + "_more"]:
            print(f"{name} the same")
    return 0


def main():
    what, *paths = sys.argv[1:]
    if what == "same":
        return print_same(functions(paths[0]))
    check = {"forms": compare_forms, "hints": compare_hints}[what]
    return check(sites(paths[0]), functions(paths[1]))


sys.exit(1 if main() else 0)
