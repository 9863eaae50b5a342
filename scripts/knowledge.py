#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how many arguments of a program's calls are proven or predicted, and how often this held in a run.

usage: knowledge.py REPORT OUTPUT... [--behind REMARKS PREFIX CACHE]

REPORT is the output of `mpispec report --format=json` for a build with --mpispec-check-facts. Each OUTPUT is a file
with the output of one run of this build. A prediction held in a call if the argument had one of the predicted values.
The script prints tables for docs/results/knowledge.md.

--behind: a table of the functions whose names begin with PREFIX, which pass their arguments on to MPI. The table has
the share of their callers that pass a datatype for which the MPI call in the function was compiled. CACHE has the
summaries: the values that callers pass. REMARKS has the datatypes for which the MPI call was compiled.
"""
import argparse
import collections
import glob
import json
import re

ROWS = [("datatype", "datatype"), ("count", "count"), ("size", "short or long"), ("comm", "communicator"), ("tag", "tag"),
        ("peer", "peer"), ("node", "remote or local")]
PREDICTED = re.compile(r"mpispec: (\S+): (\w+): argument (\d+) is predicted to (be|make it) (\S+) \(\d+ %\), "
                       r"and was in (\d+) of (\d+) calls")
WRONG = re.compile(r"mpispec: \S+: \w+: argument \d+ is proven to ")


def kind_of(verb, value):
    """The row of a prediction, which does not name it."""
    if verb == "make it":
        return "size"
    if value.isdigit():
        return "count"
    if value.startswith("MPI_COMM_"):
        return "comm"
    return "op" if value in OPERATIONS else "datatype"


OPERATIONS = {"MPI_" + name for name in "SUM PROD MAX MIN LAND BAND LOR BOR LXOR BXOR MAXLOC MINLOC REPLACE".split()}


class Held:
    """Calls in which something was predicted, and in which it held, by row. Values of one argument count once."""

    def __init__(self, outputs):
        self.made, self.held, self.wrong = collections.Counter(), collections.Counter(), 0
        for name in outputs:
            self.read(name)

    def read(self, name):
        calls, held = collections.defaultdict(collections.Counter), collections.Counter()
        with open(name, encoding="utf-8", errors="replace") as output:
            for line in output:
                self.wrong += bool(WRONG.search(line))
                if match := PREDICTED.search(line):
                    place, callee, argument, verb, value, yes, all_calls = match.groups()
                    key = (place, callee, argument, kind_of(verb, value))
                    held[key] += int(yes)
                    calls[key][value] += int(all_calls)
        for key, of_values in calls.items():
            self.made[key[-1]] += max(of_values.values())
            self.held[key[-1]] += held[key]

    def cell(self, row):
        made = self.made[row]
        return f"{100 * self.held[row] / made:.1f} % of {made}" if made else "-"


def print_arguments(report, held):
    for group, noun in (("send_recv", "calls that send or receive"), ("allreduce", "Allreduce")):
        proven, likely = report["rates"][group], report["likely"][group]
        sites = proven["sites"]
        if not sites:
            continue
        print(f"| {sites} {noun} | proven | predicted | together | held, of predicted calls |\n|---|---:|---:|---:|---:|")
        for row, label in ROWS:
            if row in proven:
                print(f"| {label} | {proven[row]} | {likely[row] - proven[row]} | {100 * likely[row] / sites:.0f} % "
                      f"| {held.cell(row) if group == 'send_recv' else ''} |")
        print()
    made, kept = sum(held.made.values()), sum(held.held.values())
    print(f"The run met {made} predictions, and {100 * kept / max(made, 1):.1f} % of them held. "
          f"Proven facts that failed: {held.wrong or 'none'}.\n")


def passed_to(cache, prefix):
    """By function and argument number, what its callers pass: {value: places of the text}."""
    passed = collections.defaultdict(collections.Counter)
    for name in glob.glob(cache + "/**/*.json", recursive=True):
        with open(name, encoding="utf-8") as file:
            for place, values in json.load(file)["flows"].items():
                if place.startswith("p:" + prefix):
                    for value, count in zip(values[::2], values[1::2]):
                        passed[place[2:]][value] += count
    return passed


def sites_behind(remarks, prefix):
    """The calls in such functions: {function: [callee, template, what the datatype is known or predicted to be]}."""
    sites = {}
    for name in glob.glob(remarks + "/*.yaml"):
        with open(name, encoding="utf-8") as file:
            for remark in file.read().split("--- ")[1:]:
                function = re.search(r"^Function: +'?([^'\n]*)", remark, re.MULTILINE)
                callee = re.search(r"- Callee: +'?(\w+)", remark)
                if not function or not callee or not function.group(1).startswith(prefix):
                    continue
                site = sites.setdefault(function.group(1), [callee.group(1), "", set()])
                template = re.search(r"- Template: +'?(\w+)", remark)
                if template and re.search(r"- Form: +'?inline", remark):
                    site[1] = template.group(1)
                site[2] |= set(re.findall(r"- datatype: +'?(\w+)", remark))
                site[2] |= set(re.findall(r"- Predicted: +'?(?:datatype|send_datatype)'?\n(?:.*\n)??  - Value: +'?(\w+)", remark))
    return sites


def print_behind(remarks, prefix, cache):
    passed, sites = passed_to(cache, prefix), sites_behind(remarks, prefix)
    print(f"| function | places that call it | template | compiled for | share of places |\n|---|---:|---|---|---:|")
    all_calls = all_known = 0
    for function in sorted(sites):
        callee, template, known = sites[function]
        datatypes = next((values for place, values in sorted(passed.items())
                          if place.rpartition(":")[0] == function and any(v.startswith("@MPI_") for v in values)
                          and not any(v[1:] in OPERATIONS or v.startswith("@MPI_COMM") for v in values)), None)
        if not template or not datatypes:
            continue
        calls = sum(datatypes.values())
        hits = sum(count for value, count in datatypes.items() if value.lstrip("@*") in known)
        all_calls, all_known = all_calls + calls, all_known + hits
        print(f"| `{function}` | {calls:.0f} | {template} | {', '.join(sorted(known))} | {100 * hits / calls:.0f} % |")
    if all_calls:
        print(f"| all | {all_calls:.0f} | | | {100 * all_known / all_calls:.0f} % |\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("report")
    parser.add_argument("outputs", nargs="+")
    parser.add_argument("--behind", nargs=3, metavar=("REMARKS", "PREFIX", "CACHE"))
    options = parser.parse_args()
    with open(options.report, encoding="utf-8") as file:
        report = json.load(file)
    print_arguments(report, Held(options.outputs))
    if options.behind:
        print_behind(*options.behind)


if __name__ == "__main__":
    main()
