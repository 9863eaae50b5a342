#!/usr/bin/env python3
"""Prints what bench/peers.sh measured as a table: a row per measurement, ours beside every peer.

    peers_table.py DIR      with DIR/<name>.<turn>.txt, each "measurement nanoseconds" a line, perhaps with
                      the raw handoff at that time, which else is that of the line handoff-0; of several
                      turns the median; beside the ratios of medians stand those of the bests

Measurements count whose raw handoff was within a factor of 2.5 of that of most: a machine that others share
changes its state, and has its cores near each other at one time (25 to 60 ns) and far at another (200).
"""
import pathlib
import statistics
import sys

STATE = 2.5


def read(path):
    """{measurement: (ns, raw handoff in ns, or None)}"""
    lines = [line.split() for line in path.read_text().splitlines()]
    whole = next((float(value) for name, value, *_ in lines if name == "handoff-0"), None)
    return {name: (float(value), float(own[0]) if own else whole) for name, value, *own in lines}


def summary(directory):
    """{run: {measurement: ns}} of medians and of bests; the handoff around which measurements count, and how many
    do, of how many."""
    found = [(path.name.split(".")[0], name, value, handoff)
             for path in pathlib.Path(directory).glob("*.*.txt") for name, (value, handoff) in read(path).items()]
    handoffs = [handoff for *_, handoff in found if handoff]
    usual = statistics.median_low(handoffs) if handoffs else 0
    counting = [(run, name, value) for run, name, value, handoff in found
                if not usual or usual / STATE < handoff < usual * STATE]
    lists = {}
    for run, name, value in counting:
        lists.setdefault(run, {}).setdefault(name, []).append(value)
    numbers = [{run: {name: pick(values) for name, values in rows.items()} for run, rows in lists.items()}
               for pick in (statistics.median, min)]
    return *numbers, usual, len(counting), len(found)


OURS = ("specialised", "lanes")


def ratios(runs, ours, peers, name):
    """The fastest peer's time over each of ours, as cells."""
    best = min((runs[peer][name] for peer in peers if name in runs[peer]), default=None)
    is_time = name != "handoff-0"
    return [f"{best / runs[run][name]:.2f}" if best and is_time and name in runs[run] else "" for run in ours]


def main():
    runs, bests, usual, counting, found = summary(sys.argv[1])
    ours = [name for name in OURS if name in runs]
    peers = sorted(set(runs) - set(ours))
    columns = ours + peers + [f"best peer / {name}" for name in ours]
    columns += [f"bests: best peer / {name}" for name in ours] + ["handoffs"]
    handoff = f", with a raw handoff of about {usual:.0f} ns" if usual else ""
    print(f"Medians of {counting} measurements of {found}{handoff}.\n")
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
