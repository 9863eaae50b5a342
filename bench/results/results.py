# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the measurements of scripts/results.sh, and computes the best of all turns.

A file PROGRAM.VARIANT.TURN has lines "name number". Other lines that a program prints are ignored.
"""
import pathlib

SIZES = [0, 8, 64, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304]
VARIANTS = {"plain": "plain MPI", "cache": "argument cache", "off": "off", "lanes": "runtime only",
            "full": "specialised"}
KERNELS = {"mm": "MM", "lu": "LU", "cg": "CG", "cg-allreduce": "CG, Allreduce", "rows": "halo, rows",
           "rows-overlap": "halo, rows, overlapped", "halo": "halo, columns", "persistent-halo": "halo, persistent",
           "packed-halo": "halo, packed by hand", "transpose": "transposition, in pieces",
           "transpose-whole": "transposition, whole blocks", "deal": "records dealt out, 200 B",
           "deal-updates": "records dealt out, 8 B", "histogram": "histogram, Allreduce of 1 MiB",
           "queue": "work queue", "stealing": "work stealing"}
PARTS = ["compute", "waiting", "inside"]


def read(path):
    numbers = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if len(words) == 2 and words[1].replace(".", "", 1).isdigit():
            numbers[words[0]] = float(words[1])
    return numbers


def usual_handoff(directory, program):
    """The raw handoff, in ns, around which a program's turns count.

    A machine that others share changes its state: what it shows as two cores are two threads of one at one time,
    near one another at another and far at a third, and the handoff between them takes 15, 50 or 200 ns. Only turns
    that met one state from begin to end can be compared; it is the one that most of a program's turns, of all
    variants, ended in."""
    handoffs = sorted(turn["handoff"] for path in pathlib.Path(directory).glob(f"{program}.*.[0-9]*")
                      if "handoff" in (turn := read(path)))
    return handoffs[len(handoffs) // 2] if handoffs else None


def turns(directory, program, variant):
    """All turns of a variant in the usual state of the machine; of any if none is."""
    paths = sorted(pathlib.Path(directory).glob(f"{program}.{variant}.[0-9]*"))
    found, usual = [read(path) for path in paths], usual_handoff(directory, program)
    return [turn for turn in found if is_usual(turn, usual)] or found


def is_usual(turn, usual):
    handoffs = [turn[name] for name in ("handoff-before", "handoff-8", "handoff") if name in turn]
    return bool(usual and handoffs) and all(usual / 1.4 < handoff < usual * 1.4 for handoff in handoffs)


def states(directory):
    """Least and greatest handoff of the turns that count, how many do, and how many there are."""
    handoffs, count = [], 0
    for program in ["ping-pong", "stream"] + list(KERNELS):
        usual = usual_handoff(directory, program)
        found = [read(path) for path in pathlib.Path(directory).glob(f"{program}.*.[0-9]*")]
        count += len(found)
        handoffs += [turn["handoff"] for turn in found if is_usual(turn, usual)]
    return (min(handoffs), max(handoffs), len(handoffs), count) if handoffs else None


def best(directory, program, variant):
    """Each name's least number; {} if this was not measured."""
    numbers = {}
    for turn in turns(directory, program, variant):
        for name, number in turn.items():
            numbers[name] = min(number, numbers.get(name, number))
    return numbers


def samples(directory, program, variant):
    """Each name's numbers, one a turn."""
    numbers = {}
    for turn in turns(directory, program, variant):
        for name, number in turn.items():
            numbers.setdefault(name, []).append(number)
    return numbers


def can_be_no_chance(lower, higher):
    """Whether is_no_chance could say so at all: of too few turns it cannot, whatever they measured."""
    return is_no_chance([0] * lower, [1] * higher)


def is_no_chance(lower, higher):
    """Whether one list of numbers is lower than another by more than chance: of two lists drawn from the same
    numbers, one pair in a hundred is (rank-sum test of Mann and Whitney, in its normal approximation)."""
    pairs = sum((a < b) + (a == b) / 2 for a in lower for b in higher)
    count = len(lower) * len(higher)
    deviation = (count * (len(lower) + len(higher) + 1) / 12) ** 0.5
    return pairs - count / 2 > 2.33 * deviation


def best_split(directory, kernel, variant):
    """The parts of the fastest run: they belong together. None if this was not measured."""
    runs = [run for run in turns(directory, kernel, f"split-{variant}") if "compute" in run]
    return min(runs, key=lambda run: run["seconds"]) if runs else None


def size_name(size):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size // unit} {name}"
    return f"{size} B"
