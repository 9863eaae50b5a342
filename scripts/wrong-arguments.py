#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how many wrong arguments the analysis warns about, in calls that are made from the table of MPI functions.

usage: wrong-arguments.py ANALYZE FUNCTIONS.DEF [CLANG-ARGUMENT...] [--missed]

For each function of the table and each role of its arguments, the script generates a call with one wrong argument, in
three forms: the argument is written at the call, is in a variable, or is an argument of a function that makes the call.
It also generates one correct call of each function. It prints the number of wrong calls with a warning, by role, and
all correct calls with a warning. It fails if there is such a correct call. --missed prints the wrong calls without a
warning.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

# Role: type of a variable that holds the argument, a right value, a wrong one (None: there is none).
ROLES = {
    "Buffer": ("void *", "b", "0"), "SendBuffer": ("void *", "b", "0"), "RecvBuffer": ("void *", "c", "0"),
    "Peer": ("int", "0", "-77"), "Destination": ("int", "0", "-77"), "Source": ("int", "0", "-77"),
    "Target": ("int", "0", "-77"), "Root": ("int", "0", "-77"),
    "Tag": ("int", "3", "-5"), "SendTag": ("int", "3", "-5"), "RecvTag": ("int", "3", "-5"),
    "Comm": ("MPI_Comm", "MPI_COMM_WORLD", "MPI_COMM_NULL"), "Op": ("MPI_Op", "MPI_SUM", "MPI_OP_NULL"),
    "Request": ("MPI_Request *", "&request", "0"), "Requests": ("MPI_Request *", "requests", "0"),
    "RequestCount": ("int", "2", "-1"), "Status": ("MPI_Status *", "&status", "0"),
    "Statuses": ("MPI_Status *", "statuses", "0"), "Message": ("MPI_Message *", "&message", "0"),
    "Flag": ("int *", "&i", "0"), "Index": ("int *", "&i", "0"), "OutCount": ("int *", "&i", "0"),
    "Indices": ("int *", "indices", "0"), "Rank": ("int *", "&i", "0"), "Size": ("int *", "&i", "0"),
    "Group": ("MPI_Group", "group", "MPI_GROUP_NULL"), "Color": ("int", "0", "-10"),
    "Length": ("int", "1", "-1"), "Unit": ("int", "8", "0"), "Win": ("MPI_Win", "win", "MPI_WIN_NULL"),
    "File": ("MPI_File", "file", "MPI_FILE_NULL"), "Result": ("void *", "(void *)anything", "0"),
    "NewComm": ("MPI_Comm *", "&comm", "0"), "NewGroup": ("MPI_Group *", "&group", "0"),
    "NewDatatype": ("MPI_Datatype *", "&type", "0"), "NewOp": ("MPI_Op *", "&op", "0"),
    "NewWin": ("MPI_Win *", "&win", "0"), "NewFile": ("MPI_File *", "&file", "0"),
    "FreedComm": ("MPI_Comm *", "&comm", "&null_comm"), "FreedGroup": ("MPI_Group *", "&group", "&null_group"),
    "FreedDatatype": ("MPI_Datatype *", "&type", "&null_type"), "FreedOp": ("MPI_Op *", "&op", "&null_op"),
    "CommittedDatatype": ("MPI_Datatype *", "&type", "&null_type"), "FreedWin": ("MPI_Win *", "&win", "&null_win"),
    "ClosedFile": ("MPI_File *", "&file", "&null_file"), "Info": ("MPI_Info", "MPI_INFO_NULL", None),
    "Other": (None, "0", None),
}
for role in ("Count", "SendCount", "RecvCount", "TargetCount"):
    ROLES[role] = ("int", "1", "-1")
for role in ("Datatype", "SendDatatype", "RecvDatatype", "TargetDatatype"):
    ROLES[role] = ("MPI_Datatype", "MPI_DOUBLE", "MPI_DATATYPE_NULL")
for role in ("SendCounts", "RecvCounts", "SendDisplacements", "RecvDisplacements", "SendDatatypes",
             "RecvDatatypes", "Lengths", "Displacements", "Datatypes"):
    ROLES[role] = ("void *", "many", "0")

PRELUDE = """#include <mpi.h>
static double b[64], c[64];
extern long anything[64];
extern int indices[64];
extern void *many;
"""
PARAMETERS = """MPI_Comm comm, MPI_Group group, MPI_Datatype type, MPI_Op op, MPI_Win win, MPI_File file,
    MPI_Message message, MPI_Request request, MPI_Request *requests, MPI_Status *statuses"""
LOCALS = """  int i, rank; MPI_Status status;
  MPI_Comm null_comm = MPI_COMM_NULL; MPI_Group null_group = MPI_GROUP_NULL; MPI_Op null_op = MPI_OP_NULL;
  MPI_Datatype null_type = MPI_DATATYPE_NULL, freed, uncommitted; MPI_Win null_win = MPI_WIN_NULL;
  MPI_File null_file = MPI_FILE_NULL; MPI_Request null_request = MPI_REQUEST_NULL;
  MPI_Type_contiguous(2, MPI_INT, &uncommitted); MPI_Type_contiguous(2, MPI_INT, &freed);
  MPI_Type_commit(&freed); MPI_Type_free(&freed);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) return;
"""


def functions(table):
    """Name, kind and roles of each row."""
    for name, kind, roles in re.findall(r"^MPI_FUNCTION\((\w+), (\w+), \w+, \w+,\s*ROLES\(([^)]*)\)\)",
                                        open(table, encoding="utf8").read(), re.M):
        yield name, kind, [role.strip() for role in roles.replace("\n", " ").split(",")]


def right_arguments(name, roles):
    """An argument for each role that makes a correct call."""
    arguments = [ROLES[role][1] for role in roles]
    if name.startswith(("Pready", "Parrived")) or name == "Request_get_status":  # takes the handle, not its address
        arguments = ["request" if role == "Request" else a for role, a in zip(roles, arguments)]
    if name == "Intercomm_create":
        arguments[3] = "1"
    return arguments


def wrong_arguments(name, kind, roles):
    """Index, type and wrong value of an argument, and the name that the mistake is counted under."""
    communicates = kind in ("Send", "Recv", "SendRecv", "Collective", "OneSided", "File")
    for index, role in enumerate(roles):
        kind_of, _, wrong = ROLES[role]
        if wrong is None or (role == "Request" and name.startswith(("Pready", "Parrived", "Request_get_status"))):
            continue
        if role.endswith("Buffer") and not {"Count", role.replace("Buffer", "Count")} & set(roles):
            continue  # how much it has to hold is in an array, or nowhere
        if role == "Comm" and name in ("Comm_get_name", "Intercomm_create") and (index or name != "Intercomm_create"):
            continue  # may be null
        if role == "Tag" and name in ("Psend_init", "Precv_init"):
            continue
        if "eighbor" in name and wrong == "0" and role.startswith(("Send", "Recv")) and not role.endswith("Buffer"):
            continue  # a process without neighbours
        yield index, kind_of, wrong, role
        if role == "Request" and name in ("Start", "Cancel", "Request_free"):
            yield index, kind_of, "&null_request", "Request"
        if role.endswith("Datatype") and kind_of == "MPI_Datatype" and communicates:
            yield index, kind_of, "uncommitted", "uncommitted " + role
            yield index, kind_of, "freed", "freed " + role
    if {"SendBuffer", "RecvBuffer"} <= set(roles) and kind in ("Collective", "SendRecv") and (
            "Count" in roles or "SendCount" in roles and "RecvCount" in roles):
        yield roles.index("RecvBuffer"), "void *", "b", "same buffers"
    if kind in ("Send", "Recv", "SendRecv") and ("Buffer" in roles or "SendBuffer" in roles):
        yield next(i for i, r in enumerate(roles) if r.endswith("Buffer")), "void *", "MPI_IN_PLACE", "in place"


class Suite:
    """A source and what each line of it is."""

    def __init__(self):
        self.lines = PRELUDE.splitlines()
        self.calls = {}  # line: (function, what is wrong, form), or (function,) of a correct call
        self.number = 0

    def add(self, before, name, arguments, what):
        self.number += 1
        self.lines += before
        self.lines += ("void f%d(%s) {" % (self.number, PARAMETERS)).splitlines() + LOCALS.splitlines()
        self.call(name, arguments, what)

    def call(self, name, arguments, what):
        self.lines.append("  MPI_%s(%s);" % (name, ", ".join(arguments)))
        self.calls[len(self.lines)] = what
        self.lines.append("}")

    def literal(self, name, arguments, index, wrong, role):
        self.add([], name, arguments[:index] + [wrong] + arguments[index + 1:], (name, role, "literal"))

    def variable(self, name, arguments, index, kind_of, wrong, role):
        self.number += 1
        self.lines += ("void f%d(%s) {" % (self.number, PARAMETERS)).splitlines() + LOCALS.splitlines()
        self.lines.append("  %s v = %s;" % (kind_of, wrong))
        self.call(name, arguments[:index] + ["v"] + arguments[index + 1:], (name, role, "variable"))

    def parameter(self, name, arguments, index, kind_of, wrong, role):
        self.number += 1
        helper = "static void h%d(%s v, %s) {" % (self.number, kind_of, PARAMETERS)
        self.lines += helper.splitlines() + ["  int i, rank; MPI_Status status;",
                                             "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);",
                                             "  if (rank != 0) return;"]
        self.call(name, arguments[:index] + ["v"] + arguments[index + 1:], (name, role, "parameter"))
        given = ["comm", "group", "type", "op", "win", "file", "message", "request", "requests", "statuses"]
        self.lines += ("void f%d(%s) {" % (self.number, PARAMETERS)).splitlines() + LOCALS.splitlines()
        self.lines += ["  h%d(%s, %s);" % (self.number, wrong, ", ".join(given)), "}"]

    def warned(self, analyze, flags):
        """The lines that are warned of."""
        with tempfile.TemporaryDirectory() as directory:
            source = os.path.join(directory, "suite.c")
            with open(source, "w", encoding="utf8") as file:
                file.write("\n".join(self.lines) + "\n")
            run = subprocess.run([analyze, "rewrite", "--", *flags, source], check=False, text=True,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if run.returncode or "error:" in run.stderr:
            sys.exit(run.stderr)
        return {int(line) for line in re.findall(r"suite\.c:(\d+):\d+: warning: ", run.stderr)}


def main():
    words = [word for word in sys.argv[1:] if word != "--missed"]
    if len(words) < 2:
        sys.exit(__doc__)
    analyze, table, *flags = words
    right, wrong = Suite(), Suite()
    for name, kind, roles in functions(table):
        arguments = right_arguments(name, roles)
        right.add([], name, arguments, (name,))
        for index, kind_of, value, role in wrong_arguments(name, kind, roles):
            wrong.literal(name, arguments, index, value, role)
            wrong.variable(name, arguments, index, kind_of, value, role)
            wrong.parameter(name, arguments, index, kind_of, value, role)
    false = [right.calls[line][0] for line in sorted(right.warned(analyze, flags) & set(right.calls))]
    found = wrong.warned(analyze, flags)
    total, seen = collections.Counter(), collections.Counter()
    for line, (name, role, form) in wrong.calls.items():
        for key in (role, "all, " + form, "all"):
            total[key] += 1
            seen[key] += line in found
        if "--missed" in sys.argv and line not in found:
            print("missed: MPI_%s, %s, %s" % (name, role, form))
    for key in sorted(total, key=lambda key: (key.startswith("all"), key)):
        print("%-28s %5d of %5d  %3d %%" % (key, seen[key], total[key], 100 * seen[key] // total[key]))
    print("%d of %d correct calls warned of%s" % (len(false), len(right.calls), "".join("\n  MPI_" + n for n in false)))
    sys.exit(bool(false))


main()
