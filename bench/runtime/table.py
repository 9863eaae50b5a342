#!/usr/bin/env python3
"""Prints what bench/peers.sh measured as a table: a row per measurement, ours beside every peer.

    table.py DIR      with DIR/<name>.<turn>.txt, each "measurement nanoseconds" a line; of several
                      turns the best counts
"""
import pathlib
import sys


def read(path):
    return dict((name, float(value)) for name, value in map(str.split, path.read_text().splitlines()))


OURS = ("specialised", "lanes")


def main():
    runs = {}
    for path in pathlib.Path(sys.argv[1]).glob("*.*.txt"):
        best = runs.setdefault(path.name.split(".")[0], {})
        for name, value in read(path).items():
            best[name] = min(value, best.get(name, value))
    ours = [name for name in OURS if name in runs]
    peers = sorted(set(runs) - set(ours))
    columns = ours + peers + [f"best peer / {name}" for name in ours] + ["handoffs"]
    print("| measurement (ns) | " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * len(columns))
    for name in runs["lanes"]:
        best = min((runs[peer][name] for peer in peers if name in runs[peer]), default=None)
        cells = [f"{runs[run][name]:.1f}" if name in runs[run] else "" for run in ours + peers]
        is_time = name != "handoff-0"
        cells += [f"{best / runs[run][name]:.2f}" if best and is_time else "" for run in ours]
        mine = runs[ours[0]]
        cells.append(f"{mine[name] / mine['handoff-0']:.2f}" if name == "ping-pong-8" else "")
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
