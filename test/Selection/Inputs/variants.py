#!/usr/bin/env python3
"""The templates of messages with and without a fact, and which of the facts `explain` asks for.

usage: variants.py                     templates, told where the peers are and not told
       variants.py calls               the same calls as a program makes them
       variants.py compare SAME JSON   SAME: what machine-code.py says of the first, JSON: what explain
                                       says of the second
"""
import json
import pathlib
import re
import sys

TABLE = pathlib.Path(__file__).resolve().parents[3] / "lib/Selection/Templates.def"
SEND = ("const void *b, long long n, int p, int t, unsigned long c", "b, n, 8, p, t, c")
# Of a receive, and of a nonblocking send, whose last one is a request.
RECV = ("void *b, long long n, int p, int t, unsigned long c, void *s", "b, n, 8, p, t, c, s")
BOTH = {
    "Sendrecv": (
        "const void *b, long long n, int p, int t, void *a, long long m, int q, int u, unsigned long c, "
        "void *s", "b, n, 8, p, t, a, m, 8, q, u, c, s"),
    "Sendrecv_replace": (
        "void *b, long long n, int p, int t, int q, int u, unsigned long c, void *s",
        "b, n, 8, p, t, q, u, c, s")}
# The functions that move a message, which are those whose templates go to the hottest calls.
TEMPLATES = {name: BOTH.get(name, SEND if name in ("Send", "Ssend", "Rsend", "Bsend") else RECV)
             for name in re.findall(r"^MPISPEC_FUNCTION\((\w+),.*,\s*HotCalls\)", TABLE.read_text(), re.M)}

LOCALITIES = {node: f", mpispec_locality_{node}" for node in ("dynamic", "remote", "local")}

CALLS = {
    "Sendrecv": "b, n, MPI_DOUBLE, p, 0, a, n, MPI_DOUBLE, q, 0, c, s",
    "Sendrecv_replace": "b, n, MPI_DOUBLE, p, 0, q, 0, c, s",
    "Recv": "b, n, MPI_DOUBLE, p, 0, c, s",
}


def print_templates():
    for name in TEMPLATES:
        print(f'#include "mpispec/{name.lower()}.h"')
    for name, (parameters, arguments) in TEMPLATES.items():
        words = LOCALITIES if name.startswith("Sendrecv") else dict.fromkeys(LOCALITIES, "")
        for fact in ("remote", "local"):
            for function, known in ((fact, "dynamic"), (fact + "_more", fact)):
                print(f"int {name}_{function}({parameters}) "
                      f"{{ return mpispec_{name}({arguments}{words[known]}); }}")


def print_calls():
    print("#include <mpi.h>\ndouble a[8], b[8];")
    for name in TEMPLATES:
        call = CALLS.get(name, "b, n, MPI_DOUBLE, p, 0, c" + (", r" if name[0] == "I" else ""))
        print(f"int {name}(int n, int p, int q, MPI_Comm c, MPI_Status *s, MPI_Request *r) "
              f"{{ return MPI_{name}({call}); }}")


def compare(same, said):
    with open(same) as file:
        same = {line.split()[0] for line in file}
    with open(said) as file:
        said = {site["in"]: site for site in json.load(file)}
    bad = 0
    for name in TEMPLATES:
        asked = any(m["id"] == "peer-unknown" for m in said[name]["missed"])
        if asked != (f"{name}_remote" not in same):
            print(f"{name}: that the peer is remote is {'' if asked else 'not '}asked for")
            bad += 1
        if name.startswith("Sendrecv") != (f"{name}_local" not in same):
            print(f"{name}: a template of its own for a local peer has the same code")
            bad += 1
    print(f"{len(TEMPLATES)} operations compared")
    return bad


if len(sys.argv) == 1:
    print_templates()
elif sys.argv[1] == "calls":
    print_calls()
else:
    sys.exit(1 if compare(*sys.argv[2:]) else 0)
