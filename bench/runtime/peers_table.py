#!/usr/bin/env python3
"""Prints what bench/peers.sh measured as a table: a row per measurement, ours beside every peer.

    peers_table.py DIR      with DIR/<name>.<turn>.txt, each "measurement nanoseconds" a line; of several
                      turns the median; beside the ratios of medians stand those of the bests

Turns count whose raw handoff was within a factor of 2.5 of that of most turns: a machine that others share
changes its state, and has its cores near each other at one time (25 to 60 ns) and far at another (200).
"""
import pathlib
import statistics
import sys

STATE = 2.5


def read(path):
    return dict((name, float(value)) for name, value in map(str.split, path.read_text().splitlines()))


def summary(directory):
    """{run: {measurement: ns}} of medians and of bests; the handoff around which turns count, and how many do, of how many."""
    turns = [(path.name.split(".")[0], read(path)) for path in pathlib.Path(directory).glob("*.*.txt")]
    handoffs = [turn["handoff-0"] for _, turn in turns if "handoff-0" in turn]
    usual = statistics.median_low(handoffs) if handoffs else 0
    counting = [(run, turn) for run, turn in turns
                if not usual or usual / STATE < turn["handoff-0"] < usual * STATE]
    lists = {}
    for run, turn in counting:
        for name, value in turn.items():
            lists.setdefault(run, {}).setdefault(name, []).append(value)
    numbers = [{run: {name: pick(values) for name, values in rows.items()} for run, rows in lists.items()}
               for pick in (statistics.median, min)]
    return *numbers, usual, len(counting), len(turns)


OURS = ("specialised", "lanes")


def ratios(runs, ours, peers, name):
    """The fastest peer's time over each of ours, as cells."""
    best = min((runs[peer][name] for peer in peers if name in runs[peer]), default=None)
    is_time = name != "handoff-0"
    return [f"{best / runs[run][name]:.2f}" if best and is_time and name in runs[run] else "" for run in ours]


def main():
    runs, bests, usual, counting, turns = summary(sys.argv[1])
    ours = [name for name in OURS if name in runs]
    peers = sorted(set(runs) - set(ours))
    columns = ours + peers + [f"best peer / {name}" for name in ours]
    columns += [f"bests: best peer / {name}" for name in ours] + ["handoffs"]
    handoff = f", with a raw handoff of about {usual:.0f} ns" if usual else ""
    print(f"Medians of {counting} turns of {turns}{handoff}.\n")
    print("| measurement (ns) | " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * len(columns))
    for name in runs["lanes"]:
        cells = [f"{runs[run][name]:.1f}" if name in runs[run] else "" for run in ours + peers]
        cells += ratios(runs, ours, peers, name) + ratios(bests, ours, peers, name)
        mine = runs[ours[0]]
        in_handoffs = usual and name in ("ping-pong-8", "irecv-tags-waitall-8x1")
        cells.append(f"{mine[name] / mine['handoff-0']:.2f}" if in_handoffs else "")
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
