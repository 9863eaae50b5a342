#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a table of the times that bench/peers.sh measured: a row for each measurement, ours beside every peer.

    peers_table.py DIR      with DIR/<name>.<turn>.txt, each "measurement nanoseconds" a line, perhaps with the raw
                            handoff at that time as a third word; else the line handoff-0 has the raw handoff. The
                            table has medians of the turns, their ratios, and the ratios of the best turns

A shared machine changes its state. Its cores may be near each other (a raw handoff of 45 to 60 ns), far from each other
(200 ns), or two threads of one core (15 ns). The table compares only measurements in one state: the one with most
measurements.
"""
import collections
import math
import pathlib
import statistics
import sys

GAP = 1.5  # between the handoffs of two states
FEW = 0.2  # of all measurements: too few to show a state
BIN = 1.25  # handoffs that are alike: their ratio
THIN = 0.01  # of all measurements: if fewer are alike, the machine was between two states


def read(path):
    """{measurement: (ns, raw handoff in ns, or None)}"""
    lines = [line.split() for line in path.read_text().splitlines()]
    whole = next((float(value) for name, value, *_ in lines if name == "handoff-0"), None)
    return {name: (float(value), float(own[0]) if own else whole) for name, value, *own in lines}


def states(handoffs):
    """[(least, greatest)]: the handoffs of each state of the machine, those that most were made in first."""
    groups, bins = [], [int(math.log(handoff, BIN)) for handoff in handoffs]
    alike = collections.Counter(bins)
    for handoff in sorted(handoff for handoff, of_bin in zip(handoffs, bins)
                          if alike[of_bin] >= THIN * len(handoffs)):
        if groups and handoff <= groups[-1][-1] * GAP:
            groups[-1].append(handoff)
        else:
            groups.append([handoff])
    groups.sort(key=len, reverse=True)
    return [(group[0], group[-1]) for group in groups if len(group) >= FEW * len(handoffs) or group is groups[0]]


class Summary:
    """What was measured in one state: `medians` and `bests`, {run: {measurement: ns}}; the usual raw handoff, in
    ns, or 0 if none was measured; how many measurements count, and of how many."""

    def __init__(self, found, state):
        counting = [(run, name, value, handoff) for run, name, value, handoff in found
                    if not state or handoff and state[0] <= handoff <= state[1]]
        order = {name: i for i, name in enumerate(dict.fromkeys(name for _, name, *_ in found))}
        lists = {}
        for run, name, value, _ in sorted(counting, key=lambda one: order[one[1]]):
            lists.setdefault(run, {}).setdefault(name, []).append(value)
        self.medians, self.bests = ({run: {name: pick(values) for name, values in rows.items()}
                                     for run, rows in lists.items()} for pick in (statistics.median, min))
        self.state = state
        self.handoff = statistics.median(handoff for *_, handoff in counting) if state else 0
        self.counting, self.found = len(counting), len(found)


def summaries(directory):
    """One of each state that is to be shown."""
    found = [(path.name.split(".")[0], name, value, handoff)
             for path in sorted(pathlib.Path(directory).glob("*.*.txt"))
             for name, (value, handoff) in read(path).items()]
    handoffs = [handoff for *_, handoff in found if handoff]
    return [Summary(found, state) for state in states(handoffs)] if handoffs else [Summary(found, None)]


OURS = ("specialised", "lanes")


def ratios(runs, ours, peers, name):
    """The fastest peer's time over each of ours, as cells."""
    best = min((runs[peer][name] for peer in peers if name in runs[peer]), default=None)
    is_time = name != "handoff-0"
    return [f"{best / runs[run][name]:.2f}" if best and is_time and name in runs[run] else "" for run in ours]


def main():
    most = summaries(sys.argv[1])[0]
    runs, bests, usual = most.medians, most.bests, most.handoff
    ours = [name for name in OURS if name in runs]
    peers = sorted(set(runs) - set(ours))
    columns = ours + peers + [f"best peer / {name}" for name in ours]
    columns += [f"bests: best peer / {name}" for name in ours] + ["handoffs"]
    handoff = f", with a raw handoff of about {usual:.0f} ns" if usual else ""
    print(f"Medians of {most.counting} measurements of {most.found}{handoff}.\n")
    print("| measurement (ns) | " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * len(columns))
    for name in runs["lanes"]:
        cells = [f"{runs[run][name]:.1f}" if name in runs[run] else "" for run in ours + peers]
        cells += ratios(runs, ours, peers, name) + ratios(bests, ours, peers, name)
        mine = runs[ours[0]]
        cells.append(f"{mine[name] / usual:.2f}" if usual and name in ("ping-pong-8", "irecv-tags-waitall-8x1") else "")
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
