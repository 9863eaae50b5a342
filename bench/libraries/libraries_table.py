#!/usr/bin/env python3
"""The tables of docs/results/mpis.md, from what scripts/mpis.sh and compare-libraries.sh have found.

usage: libraries_table.py RESULTS FIGURES LIBRARY...

RESULTS/LIBRARY/STEP.cell is what a step said; FIGURES/LIBRARY.VARIANT.TURN.txt has "name nanoseconds" lines,
FIGURES/LIBRARY.instructions the table of bench/instructions.sh. Bounds: the runtime's times within 10 % of the first
library's, its instructions within 5.
"""
import pathlib
import statistics
import sys

TITLES = {"mpich4": "MPICH 4.0.2", "mpich5": "MPICH 5.0.2", "intel": "Intel MPI 2021.18", "openmpi4": "Open MPI 4.1.4",
          "openmpi5": "Open MPI 5.0.11", "abi": "MPI-5's ABI, MPICH 5.0.2"}
STEPS = ["compile", "link", "preload", "tests", "mpi4py"]
VARIANTS = ["plain", "lanes", "full"]
ROWS = {"ping-pong-8": "8 B, one way", "stream-8": "stream of 8 B, a message",
        "irecv-tags-waitall-8x1": "exchange of 1 x 8 B", "irecv-tags-waitall-8x64": "exchange of 64 x 8 B, a message",
        "irecv-tags-waitall-1024x1": "exchange of 1 x 1 KiB",
        "irecv-tags-waitall-1024x64": "exchange of 64 x 1 KiB, a message", "allreduce-8": "Allreduce of 8 B",
        "barrier-0": "Barrier"}
COUNTS = {"Send 8 B": "Send 8 B, instructions", "Recv 8 B, message waiting": "Recv 8 B, instructions"}


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


def times(figures, library, farthest):
    """{(row, variant): values of all turns in which a handoff took at most `farthest`}"""
    found = {}
    for variant, handoff, name, value in read(figures, library):
        if handoff <= farthest:
            found.setdefault((name, variant), []).append(value)
    return found


def counts(figures, library):
    """{(row, variant): instructions}"""
    path, found = figures / f"{library}.instructions", {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] in COUNTS:
            for variant, cell in zip(VARIANTS, [cells[1], cells[3], cells[4]]):
                found[cells[0], variant] = float(cell)
    return found


def cell_of(values, reference, row, bound, digits):
    if any((row, variant) not in values for variant in VARIANTS) or (row, "lanes") not in reference:
        return "", None
    texts = [f"{values[row, variant]:.{digits}f}" for variant in VARIANTS]
    met = values[row, "lanes"] <= bound(reference[row, "lanes"])
    if not met:
        texts[1] = f"**{texts[1]}**"
    return " / ".join(texts), met


def main():
    results, figures, libraries = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    # The machine's cores are now near each other, now far: of the runs those count that had them near.
    handoffs = [handoff for library in libraries for _, handoff, _, _ in read(figures, library)]
    farthest = 2 * min(handoffs, default=0)
    all_times = {library: times(figures, library, farthest) for library in libraries}
    medians = {library: {key: statistics.median(values) for key, values in found.items()}
               for library, found in all_times.items()}
    instructions = {library: counts(figures, library) for library in libraries}
    lines, met = [], {library: [] for library in libraries}
    for rows, values, bound, digits in ((ROWS, medians, lambda x: 1.1 * x, 0),
                                        (COUNTS, instructions, lambda x: x + 5, 0)):
        for row, title in rows.items():
            cells = []
            for library in libraries:
                text, is_met = cell_of(values[library], values[libraries[0]], row, bound, digits)
                cells.append(text)
                if is_met is not None:
                    met[library].append(is_met)
            lines.append(f"| {title} | {' | '.join(cells)} |")

    print(f"| library | {' | '.join(STEPS)} | figures in bounds |")
    print("|---|" + "---|" * (len(STEPS) + 1))
    for library in libraries:
        cells = []
        for step in STEPS:
            path = results / library / f"{step}.cell"
            cells.append(path.read_text(encoding="utf-8").strip() if path.exists() else "")
        bounds = f"{sum(met[library])} of {len(met[library])}" if met[library] else ""
        print(f"| {TITLES[library]} | {' | '.join(cells)} | {bounds} |")
    turns = [len(values) for found in all_times.values() for values in found.values()] or [0]
    print(f"\nNanoseconds, plain / runtime only / specialised: medians of {min(turns)} to {max(turns)} turns, those in which "
          f"a raw handoff took at most {farthest:.0f} ns. Bold: the runtime takes more than 1.1 times what it takes over "
          "the first library, or over 5 instructions more.\n")
    print(f"| | {' | '.join(TITLES[library] for library in libraries)} |")
    print("|---|" + "---|" * len(libraries))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
