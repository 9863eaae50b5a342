#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the tables of docs/results/mpis.md, from the results of scripts/mpis.sh and compare-libraries.sh.

usage: libraries_table.py update RECORDED RESULTS FIGURES    puts the results of a run into RECORDED
       libraries_table.py tables RECORDED LIBRARY...         prints the tables

RECORDED has a line "LIBRARY COLUMN DATE VALUE" for each result, with tabs between. A result that a run does not have
stays as it was recorded, with its date. RESULTS/LIBRARY/COLUMN.cell has the output of a step of this run.
FIGURES/LIBRARY.VARIANT.TURN.txt has lines "name nanoseconds". FIGURES/LIBRARY.instructions has the table of
bench/instructions.sh. Bounds: the runtime's times are at most 10 % above those over the first library, and its
instructions at most 5 above.
"""
import datetime
import pathlib
import statistics
import sys

TITLES = {"mpich4": "MPICH 4.0.2", "mpich5": "MPICH 5.0.2", "intel": "Intel MPI 2021.18", "openmpi4": "Open MPI 4.1.4",
          "openmpi5": "Open MPI 5.0.11", "abi": "MPI-5's ABI, MPICH 5.0.2"}
COLUMNS = ["compile", "link", "preload", "Runtime", "Templates", "EndToEnd", "stress", "mpi4py"]
VARIANTS = ["plain", "lanes", "full"]
ROWS = {"ping-pong-8": "8 B, one way", "stream-8": "stream of 8 B, a message",
        "irecv-tags-waitall-8x1": "exchange of 1 x 8 B", "irecv-tags-waitall-8x64": "exchange of 64 x 8 B, a message",
        "irecv-tags-waitall-1024x1": "exchange of 1 x 1 KiB",
        "irecv-tags-waitall-1024x64": "exchange of 64 x 1 KiB, a message", "allreduce-8": "Allreduce of 8 B",
        "barrier-0": "Barrier"}
COUNTS = {"Send 8 B": "Send 8 B, instructions", "Recv 8 B, message waiting": "Recv 8 B, instructions"}
TURNS = "turns that count"
TODAY = datetime.date.today().isoformat()


# --- what was recorded
# --------------------------------------------------------------------------------------------------

def load(path):
    """{(library, column): (date, value)}"""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {(library, column): (date, value) for library, column, date, value in (line.split("\t") for line in lines)}


def store(path, recorded):
    path.write_text("".join("\t".join((*key, *recorded[key])) + "\n" for key in sorted(recorded)), encoding="utf-8")


# --- what a run has found
# -----------------------------------------------------------------------------------------------

def read(figures, library):
    """(variant, raw handoff, row, value), all in nanoseconds; the handoff is the measurement's own, or that of the
    same run of a program"""
    for path in sorted(figures.glob(f"{library}.*.txt")):
        handoff = 0
        for line in path.read_text(encoding="utf-8").splitlines():
            name, value, *own = line.split()
            if name == "handoff-0":
                handoff = float(value)
            elif name in ROWS:
                yield path.name.split(".")[1], float(own[0]) if own else handoff, name, float(value)


def times_of_one_state(figures):
    """Those times that were measured in one state of the machine, whose cores are now near each other, now far: handoffs
    within a quarter of each other. Of such states that in which every figure has most turns, or else none.
    (shortest handoff, {library: {"row variant": [time of each turn]}})"""
    measured = [(handoff, library, f"{row} {variant}", value)
                for library in TITLES for variant, handoff, row, value in read(figures, library)]
    best = (0, 0, {})
    for shortest in sorted({handoff for handoff, *_ in measured}):
        found = {library: {} for _, library, *_ in measured}
        for handoff, library, key, value in measured:
            found[library].setdefault(key, []).extend([value] if shortest <= handoff <= 1.25 * shortest else [])
        fewest = min(len(values) for of_library in found.values() for values in of_library.values())
        best = max(best, (fewest, shortest, found), key=lambda choice: choice[0])
    if measured and not best[0]:
        print("the machine was in no state for a whole turn: times are left as they were; repeat it with more --turns",
              file=sys.stderr)
    return best[1:]


def counts(figures, library):
    """{"row variant": instructions}"""
    path, found = figures / f"{library}.instructions", {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] in COUNTS:
            for variant, cell in zip(VARIANTS, [cells[1], cells[3], cells[4]]):
                found[f"{cells[0]} {variant}"] = float(cell)
    return found


def found_now(results, figures):
    """{(library, column): value} of this run."""
    found = {(path.parent.name, path.stem): path.read_text(encoding="utf-8").strip()
             for path in results.glob("*/*.cell") if path.stem in COLUMNS}
    shortest, samples = times_of_one_state(figures)
    for library in TITLES:
        found |= {(library, key): f"{value:.1f}" for key, value in counts(figures, library).items()}
        if library in samples:
            found |= {(library, key): f"{statistics.median(values):.1f}" for key, values in samples[library].items()}
            numbers = sorted({len(values) for values in samples[library].values()})
            found[library, TURNS] = f"{' to '.join(str(n) for n in numbers[::max(1, len(numbers) - 1)])}, " \
                                    f"handoffs {shortest:.0f} to {1.25 * shortest:.0f} ns"
    return found


# --- the tables
# ---------------------------------------------------------------------------------------------------------

def dated(date, value):
    return value if date == TODAY else f"{value} ({date})"


def cell_of(recorded, library, reference, row, bound):
    """The figures of a row over a library, and whether they are within the bound; "" and None if they are not known."""
    if any((library, f"{row} {variant}") not in recorded for variant in VARIANTS):
        return "", None
    values = [float(recorded[library, f"{row} {variant}"][1]) for variant in VARIANTS]
    texts = [f"{value:.0f}" for value in values]
    date, of_reference = recorded.get((reference, f"{row} lanes"), ("", ""))
    met = values[1] <= bound(float(of_reference)) if date else None
    if met is False:
        texts[1] = f"**{texts[1]}**"
    return " / ".join(texts), met


def figures_lines(recorded, libraries):
    """The lines of a table of figures, and for each library whether each is within its bound."""
    lines, met = [], {library: [] for library in libraries}

    def add(title, cells):
        lines.append(f"| {title} | {' | '.join(cells)} |")

    for rows, bound in ((ROWS, lambda x: 1.1 * x), (COUNTS, lambda x: x + 5)):
        for row, title in rows.items():
            cells = [cell_of(recorded, library, libraries[0], row, bound) for library in libraries]
            for library, (_, is_met) in zip(libraries, cells):
                met[library] += [] if is_met is None else [is_met]
            add(title, [text for text, _ in cells])
        if rows is ROWS:
            add(TURNS, [recorded.get((library, TURNS), ("", ""))[1] for library in libraries])
        add("measured", [recorded.get((library, f"{next(iter(rows))} lanes"), ("",))[0] for library in libraries])
    return lines, met


def tables(recorded, libraries):
    lines, met = figures_lines(recorded, libraries)
    print("A result of another day has its date beside it.\n")
    print(f"| library | {' | '.join(COLUMNS)} | figures in bounds |")
    print("|---|" + "---|" * (len(COLUMNS) + 1))
    for library in libraries:
        cells = [dated(*recorded[library, column]) if (library, column) in recorded else "" for column in COLUMNS]
        bounds = f"{sum(met[library])} of {len(met[library])}" if met[library] else ""
        print(f"| {TITLES[library]} | {' | '.join(cells)} | {bounds} |")
    print("\nCells have plain / runtime only / specialised, in nanoseconds or in instructions. A time is the median of those "
          "turns in which a raw handoff took about as long. The runtime's figure is bold above 1.1 times its time over the "
          "first library, or above 5 instructions more.\n")
    print(f"| | {' | '.join(TITLES[library] for library in libraries)} |")
    print("|---|" + "---|" * len(libraries))
    print("\n".join(lines))


def main():
    if sys.argv[1:2] == ["update"] and len(sys.argv) == 5:
        path, results, figures = (pathlib.Path(word) for word in sys.argv[2:])
        store(path, load(path) | {key: (TODAY, value) for key, value in found_now(results, figures).items()})
    elif sys.argv[1:2] == ["tables"] and len(sys.argv) > 3:
        tables(load(pathlib.Path(sys.argv[2])), sys.argv[3:])
    else:
        sys.exit("\n".join(__doc__.strip().splitlines()[2:4]))


if __name__ == "__main__":
    main()
