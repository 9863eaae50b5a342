#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws README's figure from the recorded tables: overview.py [--write] DOCS

The figure has a bar for each of ROWS, which are rows of DOCS/results: the time of the other library over ours, on a
logarithmic scale. To the left of 1 we are slower. Losses are drawn as gains are. ROWS were not chosen by their results.
All bars are of one kind of processor: of those that have a section in each page, the one that was measured last. The
script prints the figure, or puts it into DOCS/figures.
The same tables give the same file, byte for byte, which test/Docs/results.test compares.
"""
import math
import pathlib
import re
import sys
from xml.sax.saxutils import escape

# Page, row, how the figure shows it. Of a program the other is plain MPICH, else the best of three.
ROWS = [
    ("peers", "ping-pong-8", "message of 8 B"),
    ("peers", "ping-pong-512", "message of 512 B"),
    ("peers", "ping-pong-4096", "message of 4 KiB"),
    ("peers", "ping-pong-65536", "message of 64 KiB"),
    ("peers", "ping-pong-1048576", "message of 1 MiB"),
    ("peers", "cold-ping-pong-4194304", "message of 4 MiB, not in cache"),
    ("peers", "stream-8", "stream of sends, 8 B"),
    ("collectives", "barrier-0", "Barrier"),
    ("collectives", "allreduce-8", "Allreduce of 8 B"),
    ("collectives", "allreduce-1048576", "Allreduce of 1 MiB"),
    ("collectives", "alltoall-8", "Alltoall of 8 B"),
    ("collectives", "gatherv-8", "Gatherv of 8 B"),
    ("exchange", "8 x 64", "64 messages of 8 B both ways"),
    ("exchange", "1024 x 64", "64 messages of 1 KiB both ways"),
    ("kernels", "CG", "conjugate gradients *"),
    ("kernels", "halo, rows", "halo exchange by rows *"),
    ("kernels", "MM", "matrix product *"),
]
LEFT, WIDTH, STEP, TOP = 230, 420, 20, 34
LEAST, MOST = 0.5, 16


def sections(docs, page):
    """{kind of processor: (date, text)} of a page's sections (scripts/record_results.py)."""
    text = (pathlib.Path(docs) / "results" / f"{page}.md").read_text(encoding="utf-8")
    found = re.findall(rf"<!-- begin {page}-(\S+) -->\nMeasured (\S+)\.\n(.*?)<!-- end ", text, re.DOTALL)
    return {kind: (date, section) for kind, date, section in found}


def newest_kind(docs):
    """The kind of processor that all pages have a section of; of several, the one that was measured last."""
    pages = [sections(docs, page) for page in sorted({page for page, _, _ in ROWS})]
    kinds = set.intersection(*map(set, pages))
    return max(sorted(kinds), key=lambda kind: min(page[kind][0] for page in pages))


def table(docs, page):
    """{first cell: {column: cell}} of the tables of a page's section, the first that has a row of that name."""
    header, rows = [], {}
    for line in sections(docs, page)[newest_kind(docs)][1].splitlines():
        cells = [cell.strip().strip("*") for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            header = []
        elif not header:
            header = cells
        elif not cells[0].startswith("---"):
            rows.setdefault(cells[0], dict(zip(header, cells)))
    return rows


def ratio(docs, page, name):
    row = table(docs, page)[name]
    if page == "kernels":
        return float(row["specialised"])
    if page == "exchange":
        return float(row["best peer / specialised"].strip("*"))
    peers = [float(row[peer]) for peer in ("impi-devel", "mpich", "openmpi") if row.get(peer)]
    return min(peers) / float(row["specialised"])


def place(value):
    return LEFT + WIDTH * math.log(value / LEAST) / math.log(MOST / LEAST)


def text(x, y, words, anchor="start", colour="#333"):
    return f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'


def main():
    is_written = sys.argv[1:2] == ["--write"]
    docs = sys.argv[-1]
    if len(sys.argv) != 2 + is_written:
        sys.exit(__doc__.strip().splitlines()[0])
    height = TOP + STEP * len(ROWS) + 44
    right = LEFT + WIDTH + 50
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right} {height}" width="{right}" '
             f'height="{height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{right}" height="{height}" fill="#fff"/>',
             text(LEFT, 16, "time of the best other MPI library over ours; left of 1 we are slower")]
    bottom = TOP + STEP * len(ROWS)
    for value in (0.5, 1, 2, 4, 8, 16):
        x = place(value)
        lines.append(f'<path d="M{x:.1f} {TOP - 8}V{bottom}" stroke="{"#333" if value == 1 else "#ddd"}"/>')
        lines.append(text(x, bottom + 15, f"{value:g}", "middle"))
    for number, (page, name, title) in enumerate(ROWS):
        value, y = ratio(docs, page, name), TOP + STEP * number
        start, end = sorted((place(1), place(value)))
        lines.append(text(LEFT - 8, y + 10, title, "end"))
        lines.append(f'<rect x="{start:.1f}" y="{y}" width="{max(end - start, 1):.1f}" height="13" '
                     f'fill="{"#4e79a7" if value >= 1 else "#e15759"}"/>')
        lines.append(text(max(end, place(1)) + 4, y + 10, f"{value:.2f}"))
    lines.append(text(LEFT, bottom + 34, "two ranks on two cores, specialised; * beside plain MPICH alone"))
    figure = "\n".join(lines + ["</svg>"]) + "\n"
    if is_written:
        (pathlib.Path(docs) / "figures/overview.svg").write_text(figure, encoding="utf-8")
    else:
        print(figure, end="")


if __name__ == "__main__":
    main()
