#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws figures of the results of scripts/results.sh: figures.py RESULTS-DIRECTORY FIGURE-DIRECTORY PROCESSOR

PROCESSOR ends the names of the files (bench/common/processor.py --slug). The same numbers give the same file, byte for
byte.
"""
import pathlib
import re
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "mpispec", "svg.fonttype": "none", "font.size": 9,
                            "axes.spines.top": False, "axes.spines.right": False,
                            "lines.linewidth": 1.2, "lines.markersize": 3.5})
import matplotlib.pyplot as plt  # noqa: E402 - after the choice of backend

from results import (KERNELS, PARTS, SIZES, VARIANTS, best, best_split, size_name)  # noqa: E402

COLOURS = {"plain": "#444444", "cache": "#b07aa1", "off": "#9c9c9c", "lanes": "#4e79a7",
           "full": "#e15759"}
PART_COLOURS = {"compute": "#c7c7c7", "waiting": "#f28e2b", "inside": "#4e79a7"}
TICKS = [8, 512, 32768, 4 << 20]


def save(figure, directory, name):
    path = pathlib.Path(directory) / f"{name}.svg"
    figure.savefig(path, metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    plt.close(figure)
    # A tenth of a point is as fine as anyone sees; it halves the file.
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"\d+\.\d{2,}", lambda m: f"{float(m[0]):.1f}", text), encoding="utf-8")
    print(path)


def by_size(axes, numbers, category, label, **style):
    """One line over the sizes; nothing if it was not measured. 0 B has no place on a log axis."""
    points = [(size, numbers[f"{category}-{size}"]) for size in SIZES
              if size and f"{category}-{size}" in numbers]
    if points:
        axes.plot(*zip(*points), label=label, marker="o", **style)


def finish_sizes(axes, title):
    axes.set_title(title)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(TICKS, [size_name(size) for size in TICKS])
    axes.set_xlabel("bytes of a message")
    axes.legend(frameon=False, fontsize=8)


def ping_pong(results, directory, processor):
    """The paper's figure 3."""
    runs = {variant: best(results, "ping-pong", variant) for variant in VARIANTS}
    if not runs["plain"]:
        return
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), sharey=True)
    for axes in (left, right):
        by_size(axes, runs["plain"], "handoff", "raw handoff", color="black", linestyle=":")
    by_size(left, runs["plain"], "generic", "plain MPI", color=COLOURS["plain"])
    by_size(left, runs["cache"], "varying", "argument cache, miss", color="#d4a6c8")
    by_size(left, runs["cache"], "generic", "argument cache, hit", color=COLOURS["cache"])
    for category, label, style in (("generic", "generic", "-"), ("node", "CommNode static", "--"),
                                   ("size", "CommSize static", "-."), ("both", "both static", "-")):
        by_size(left, runs["full"], category, f"specialised, {label}", linestyle=style,
                color="#f1a2a3" if category == "generic" else COLOURS["full"])
    for variant, category, label in (("plain", "derived", "plain MPI"),
                                     ("cache", "derived", "argument cache, hit"),
                                     ("lanes", "derived", "runtime only"),
                                     ("full", "derived-node", "specialised, CommNode static")):
        by_size(right, runs[variant], category, label, color=COLOURS[variant])
    finish_sizes(left, "contiguous")
    finish_sizes(right, "derived: doubles with gaps")
    left.set_ylabel("ping-pong, ns one way")
    save(figure, directory, f"ping-pong-{processor}")


def gains(plain, ours):
    """Plain MPI's time over ours, by name."""
    return {name: plain[name] / ours[name] for name in plain.keys() & ours.keys()}


def ablation(results, directory, processor):
    panels = (("ping-pong", "both", "ping-pong, both static"), ("ping-pong", "generic", "ping-pong, generic"),
              ("stream", "send", "stream of Send"), ("stream", "isend", "stream of Isend"))
    figure, rows = plt.subplots(1, len(panels), figsize=(14, 3.6), sharey=True)
    for axes, (program, category, title) in zip(rows, panels):
        plain = best(results, program, "plain")
        for variant in ("off", "lanes", "full"):
            by_size(axes, gains(plain, best(results, program, variant)), category, VARIANTS[variant],
                    color=COLOURS[variant])
        if not axes.lines:
            return
        axes.axhline(1, color=COLOURS["plain"], linewidth=0.8)
        finish_sizes(axes, title)
        axes.set_yscale("log", base=2)
        axes.yaxis.set_major_formatter("{x:g}")
    rows[0].set_ylabel("plain MPI's time / theirs")
    save(figure, directory, f"ablation-{processor}")


def kernels(results, directory, processor):
    """The paper's figure 4: each bar is a run's time against plain MPI's, divided as the run that took
    notes was."""
    splits = {kernel: {variant: best_split(results, kernel, variant) for variant in VARIANTS}
              for kernel in KERNELS}
    splits = {kernel: split for kernel, split in splits.items() if all(split.values())}
    if not splits:
        return
    figure, panels = plt.subplots(1, len(splits), figsize=(2.2 * len(splits), 3.6), sharey=True)
    for axes, (kernel, split) in zip(panels, splits.items()):
        seconds = {variant: best(results, kernel, variant)["seconds"] for variant in VARIANTS}
        bottom = [0.0] * len(VARIANTS)
        for part in PARTS:
            heights = [seconds[variant] / seconds["plain"] * split[variant][part] /
                       sum(split[variant][each] for each in PARTS) for variant in VARIANTS]
            axes.bar(list(VARIANTS.values()), heights, bottom=bottom, color=PART_COLOURS[part],
                     label={"inside": "inside MPI"}.get(part, part))
            bottom = [low + height for low, height in zip(bottom, heights)]
        axes.set_title(KERNELS[kernel])
        axes.tick_params(axis="x", labelrotation=90)
    panels[0].set_ylabel("time / plain MPI's")
    panels[-1].legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    save(figure, directory, f"kernels-{processor}")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.strip().splitlines()[0])
    ping_pong(*sys.argv[1:])
    ablation(*sys.argv[1:])
    kernels(*sys.argv[1:])


if __name__ == "__main__":
    main()
