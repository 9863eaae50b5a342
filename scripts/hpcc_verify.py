#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every benchmark of an HPC Challenge run verified its own result.

usage: hpcc_verify.py hpccoutf.txt

Prints a line for each benchmark: `ok`, or the mistake. The exit status is not 0 if there is a mistake. A benchmark that
did not run is a mistake, too.
"""
import re
import sys

# Section of the output file -> patterns that must each be there. Sections of single-process runs
# check themselves in the Star section before them; what they report is the number of failed nodes.
NODES_OK = r"^Node\(s\) with error 0$"
UPDATES_OK = r"^Found 0 errors in \d+ locations \(passed\)\.$"
REQUIRED = {
    "MPIRandomAccess": [UPDATES_OK],
    "StarRandomAccess": [UPDATES_OK, NODES_OK],
    "SingleRandomAccess": [NODES_OK],
    "MPIRandomAccess_LCG": [UPDATES_OK],
    "StarRandomAccess_LCG": [UPDATES_OK, NODES_OK],
    "SingleRandomAccess_LCG": [NODES_OK],
    "PTRANS": [r"^ +[1-9]\d* tests completed and passed residual checks",
               r"^ +0 tests completed and failed residual checks",
               r"^ +0 tests skipped"],
    "StarDGEMM": [NODES_OK],
    "SingleDGEMM": [NODES_OK],
    "StarSTREAM": [r"^Solution Validates", NODES_OK],
    "SingleSTREAM": [NODES_OK],
    "MPIFFT": [],
    "StarFFT": [NODES_OK],
    "SingleFFT": [NODES_OK],
    "LatencyBandwidth": [r"^Detailed benchmark results:"],
    "HPL": [r"^ +[1-9]\d* tests completed and passed residual checks",
            r"^ +0 tests completed and failed residual checks",
            r"^ +0 tests skipped"],
    "Summary": [r"^Success=1$", r"^MPIRandomAccess_Errors=0$", r"^MPIRandomAccess_LCG_Errors=0$"],
}
# Scaled quantities that a section prints and the bound below which they must stay.
BOUNDS = {
    "StarDGEMM": (r"^Scaled residual: (\S+)", 16.0),
    "MPIFFT": (r"^max\(\|x-x0\|\): +(\S+)", 1e-13),
    "StarFFT": (r"^max\(\|x-x0\|\): +(\S+)", 1e-13),
}


def complaint(name, text):
    section = re.search(rf"^Begin of {name} section\.$(.*)^End of {name} section\.$", text,
                        re.MULTILINE | re.DOTALL)
    if not section:
        return "did not run to its end"
    body = section.group(1)
    for pattern in REQUIRED[name]:
        if not re.search(pattern, body, re.MULTILINE):
            return f"no line like {pattern}"
    if re.search(r"FAILED|^Failed ", body, re.MULTILINE):
        return "reports a failure"
    if name in BOUNDS:
        pattern, bound = BOUNDS[name]
        value = re.search(pattern, body, re.MULTILINE)
        if not value or not float(value.group(1)) < bound:
            return f"error {value.group(1) if value else 'missing'}, bound {bound}"
    return None


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip().splitlines()[2])
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        text = file.read()
    wrong = 0
    for name in REQUIRED:
        why = complaint(name, text)
        wrong += why is not None
        print(f"  {name:24} {why or 'ok'}")
    if not re.search(r"^End of HPC Challenge tests\.$", text, re.MULTILINE):
        print("  the run did not end")
        wrong += 1
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
