#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the times that compare-by-size.sh measured. For each number of ranks there is a summary by operation, and a
table for each operation with a row for each size. The last line counts the rows.

    by_size_table.py DIR          with DIR/by-size-RANKS.LIBRARY.START.txt, as bench/common/batches.h describes them
    by_size_table.py --self-test  tests it on invented data

The files, the states of the machine and the rank-sum test are those of bench/long/long_table.py. Our time is the better
of preloaded and specialised. An older runtime ("before") is compared with ours, but it is no peer. Neither is a
program without MPI (by-hand.c), of whose ways the best counts. If it is not faster than 0.95 of the best peer, a row of
ours that takes at most 1.05 of its time is not behind. Otherwise a row is behind the best peer, or slower than plain
MPICH, if three conditions hold. The other time is less than 0.97 of ours. The rank-sum test finds the difference
significant. The difference is at least 15 ns.
"""
import math
import pathlib
import statistics
import sys

BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(BENCH / "long"), str(BENCH / "results")]
from long_table import (CHANCE, LIBRARIES, NOISE, OURS, Row, Series, chance, median_of, microseconds,  # noqa: E402
                        print_introduction, read_runs, rows_of, samples, series_of)
from results import size_name  # noqa: E402

LEAST_DIFFERENCE = 0.015  # microseconds
PLAIN, SPECIALISED, BEFORE, HAND = "plain", "specialised", "before", "hand"
NO_PEERS = OURS, BEFORE, HAND
COLUMNS = {**LIBRARIES, BEFORE: "before", HAND: "without MPI"}


def keep_the_better(row):
    """Leaves the better of the two ways of ours, as "ours", and the best way without MPI."""
    specialised = row.turns.pop(SPECIALISED, None)
    if specialised and OURS in row.turns:
        both = Row(row.series, row.name, row.bytes, {OURS: row.turns[OURS], SPECIALISED: specialised}).medians()
        if both[SPECIALISED] < both[OURS]:
            row.turns[OURS] = specialised
    ways = [row.turns.pop(library) for library in list(row.turns) if library.startswith(f"{HAND}-")]
    if ways:
        row.turns[HAND] = min(ways, key=median_of)
    return row


def ratio(row, peer):
    medians = row.medians()
    return medians[peer] / max(medians[OURS], 0.001)


def is_slower(row, peer):
    medians = row.medians()
    return (ratio(row, peer) < NOISE and medians[OURS] - medians[peer] >= LEAST_DIFFERENCE
            and chance(*samples(row.turns[peer], row.turns[OURS])) < CHANCE)


def is_behind(row):
    """Slower than the best peer, and not excused by the program without MPI."""
    peer, medians = best_peer(row), row.medians()
    is_excused = (HAND in medians and peer and medians[HAND] >= 0.95 * medians[peer]
                  and medians[OURS] <= 1.05 * medians[HAND])
    return bool(peer) and is_slower(row, peer) and not is_excused


def best_peer(row):
    """None unless ours and a peer were measured."""
    medians = {library: value for library, value in row.medians().items() if library not in NO_PEERS}
    return min(medians, key=medians.get) if medians and OURS in row.turns else None


def operation_of(row):
    return row.name.split("/")[0]


def how(row):
    return row.name.split("/")[1]


def kinds_of(rows):
    """In an order that does not depend on which run met a state first."""
    return sorted(set(map(how, rows)))


def by_operation(rows):
    groups = {}
    for row in rows:
        groups.setdefault(operation_of(row), []).append(row)
    return groups


def has(row, library):
    return library in row.turns and OURS in row.turns


def geometric(ratios):
    return f"{math.exp(statistics.mean(map(math.log, ratios))):.2f}" if ratios else ""


def mean(rows):
    """Of best peer / ours, of rows from 8 bytes up."""
    return geometric([ratio(row, best_peer(row)) for row in rows if row.bytes >= 8 and best_peer(row)])


def compared_with_before(rows):
    """The mean of before / ours from 8 bytes up, and the number of rows that are slower than before."""
    rows = [row for row in rows if has(row, BEFORE)]
    return [geometric([ratio(row, BEFORE) for row in rows if row.bytes >= 8]),
            str(sum(is_slower(row, BEFORE) for row in rows))]


def print_summary(groups):
    kinds = kinds_of(row for rows in groups.values() for row in rows)
    titles = ["best peer / ours", "rows"] + [f"mean, {kind}" for kind in kinds]
    titles += ["worst", "behind", "slower than plain"]
    shows_before = any(has(row, BEFORE) for rows in groups.values() for row in rows)
    if shows_before:
        titles += ["mean, before / ours", "slower than before"]
    print("| " + " | ".join(titles) + " |")
    print("|---|" + "---:|" * (len(titles) - 1))
    for operation, rows in groups.items():
        judged = [row for row in rows if best_peer(row)]
        if not judged:
            continue
        worst = min(judged, key=lambda row: ratio(row, best_peer(row)))
        cells = [operation, str(len(judged))] + [mean([row for row in judged if how(row) == kind]) for kind in kinds]
        cells.append(f"{ratio(worst, best_peer(worst)):.2f} ({how(worst)}, {size_name(worst.bytes)})")
        cells.append(str(sum(is_behind(row) for row in judged)))
        cells.append(str(sum(PLAIN in row.turns and is_slower(row, PLAIN) for row in judged)))
        if shows_before:
            cells += compared_with_before(judged)
        print("| " + " | ".join(cells) + " |")
    print()


def cells_of(row, libraries):
    if not row:
        return [""] * (len(libraries) + 1)
    medians = row.medians()
    peer = best_peer(row)
    cells = [f"{medians[library]:.3f}" if library in medians and medians[library] < 10
             else microseconds(medians[library]) if library in medians else "" for library in libraries]
    text = f"{ratio(row, peer):.2f}" if peer else ""
    return cells + [f"**{text}**" if is_behind(row) else text]


def print_operation(operation, rows):
    libraries = [library for library in COLUMNS if any(library in row.turns for row in rows)]
    kinds = kinds_of(rows)
    found = {(how(row), row.bytes): row for row in rows}
    print(f"**{operation}**, microseconds a call\n")
    header = []
    for kind in kinds:
        header += [f"{kind}: {COLUMNS[libraries[0]]}"] + [COLUMNS[library] for library in libraries[1:]]
        header.append("best peer / ours")
    print("| bytes | " + " | ".join(header) + " |\n|---:|" + "---:|" * len(header))
    for size in sorted({row.bytes for row in rows}):
        cells = [cell for kind in kinds for cell in cells_of(found.get((kind, size)), libraries)]
        print(f"| {size_name(size)} | " + " | ".join(cells) + " |")
    print()


def print_page(directory):
    judged = []
    for key, whole in sorted(read_runs(directory).items(), key=lambda item: item[0][1]):
        for series, runs in series_of(*key, whole):
            rows = [keep_the_better(row) for row in rows_of(series, runs)]
            groups = by_operation(rows)
            print_introduction(series, runs, whole)
            print_summary(groups)
            for operation, some in groups.items():
                print_operation(operation, some)
            judged += [row for row in rows if best_peer(row)]
    behind = [row for row in judged if is_behind(row)]
    slower = [row for row in judged if PLAIN in row.turns and is_slower(row, PLAIN)]
    print(f"**{len(judged)} rows; {len(behind)} behind the best peer, {len(slower)} slower than plain MPICH; geometric "
          f"mean of best peer / ours from 8 bytes {mean(judged) or '-'}.**")
    old = [row for row in judged if has(row, BEFORE)]
    if old:
        ratio_to_before, slower_than_before = compared_with_before(old)
        print(f"\n**Before: {slower_than_before} rows are slower than before; geometric mean of before / ours from 8 "
              f"bytes {ratio_to_before}.**")


# --- tests -----------------------------------------------------------------------------------------------------------

def invented(size, **microseconds_of):
    turns = {library: [[value * (1 + 0.0001 * i)] for i in range(9)] for library, value in microseconds_of.items()}
    return Row(Series("by-size", 2), "bcast/still", size, turns)


def test():
    row = keep_the_better(invented(8, ours=0.2, specialised=0.1, plain=0.15, openmpi=0.3))
    assert SPECIALISED not in row.turns and row.medians()[OURS] < 0.11, "the better way of ours"
    assert best_peer(row) == PLAIN and not is_slower(row, PLAIN)
    assert keep_the_better(invented(8, ours=0.1, specialised=0.2)).medians()[OURS] < 0.11
    assert not is_slower(invented(8, ours=0.05, plain=0.04), PLAIN), "10 ns are no difference"
    assert is_slower(invented(8, ours=0.5, plain=0.4), PLAIN)
    assert not is_slower(invented(8, ours=0.41, plain=0.4), PLAIN), "three percent are noise"
    assert best_peer(invented(8, ours=1)) is None and best_peer(invented(8, plain=1)) is None
    assert mean([invented(8, ours=1, plain=4), invented(64, ours=1, plain=1), invented(0, ours=9, plain=1)]) == "2.00"
    old = invented(8, ours=1, plain=2, before=3)
    assert best_peer(old) == PLAIN and compared_with_before([old]) == ["3.00", "0"], "before is no peer"
    assert compared_with_before([invented(8, ours=1, plain=2, before=0.5), row]) == ["0.50", "1"]
    hand = keep_the_better(invented(8, ours=1, plain=0.9, **{"hand-pull": 0.98, "hand-both": 2}))
    assert best_peer(hand) == PLAIN and not is_behind(hand) and is_behind(invented(8, ours=1, plain=0.9))
    assert is_behind(keep_the_better(invented(8, ours=1, plain=0.9, **{"hand-pull": 0.8}))), "it can be done"
    assert is_behind(keep_the_better(invented(8, ours=1, plain=0.9, **{"hand-pull": 0.94}))), "not within 5 %"
    print("self-test passed")


def main():
    if sys.argv[1:] == ["--self-test"]:
        test()
    elif len(sys.argv) == 2:
        print_page(sys.argv[1])
    else:
        sys.exit("usage: by_size_table.py DIR | --self-test")


if __name__ == "__main__":
    main()
