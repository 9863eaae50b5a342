#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a table of the times that compare-collectives.sh measured, the best of all turns. It has a row for each
operation and size: the runtime only (lanes), specialised, and every peer.

    collectives_table.py DIR      with DIR/<name>.<turn>.txt, each "operation-bytes nanoseconds" a line
"""
import pathlib
import sys


def read(paths):
    """The best of all turns, in the order of the file."""
    best = {}
    for path in paths:
        for name, value in map(str.split, path.read_text().splitlines()):
            best[name] = min(float(value), best.get(name, float("inf")))
    return best


def main():
    files = list(pathlib.Path(sys.argv[1]).glob("*.*.txt"))
    names = {path.name.split(".")[0] for path in files}
    runs = {name: read(path for path in files if path.name.split(".")[0] == name) for name in names}
    lanes = runs.pop("lanes")
    specialised = runs.pop("specialised", {})
    peers = sorted(runs)
    handoff = lanes.get("handoff-0")
    print("| operation, bytes (ns) | lanes | specialised | " + " | ".join(peers) +
          " | best peer / lanes | lanes / handoff |")
    print("|---|" + "---:|" * (len(peers) + 4))
    for name, mine in lanes.items():
        others = [runs[peer].get(name) for peer in peers]
        best = min((value for value in others if value), default=None)
        measured = [mine, specialised.get(name)] + others
        cells = [f"{value:.0f}" if value else "" for value in measured]
        cells.append(f"{best / mine:.2f}" if best and name != "handoff-0" else "")
        cells.append(f"{mine / handoff:.2f}" if handoff else "")
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
