#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes tables of the results of scripts/results.sh: tables.py RESULTS-DIRECTORY PROCESSOR

The tables are in RESULTS-DIRECTORY/pages/NAME.md: a page for each bench, and bounds.md. PROCESSOR ends the names of
figures (bench/common/processor.py --slug). Plain MPI's times are absolute. The other columns are plain MPI's time over
their time in the same run of the script, so that more than 1 is a gain. Losses are bold.
"""
import pathlib
import statistics
import sys

from results import (KERNELS, PARTS, SIZES, VARIANTS, best, best_split, can_be_no_chance, is_no_chance,
                     samples, size_name, states, turns)

MODES = ["off", "lanes", "full"]
NOISE = 0.97  # a ratio below this is a loss


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|---|" + "---:|" * (len(header) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def time(nanoseconds):
    for unit, name in ((1e6, "ms"), (1e3, "us")):
        if nanoseconds >= 10 * unit:
            return f"{nanoseconds / unit:.0f} {name}"
        if nanoseconds >= unit:
            return f"{nanoseconds / unit:.1f} {name}"
    return f"{nanoseconds:.0f} ns" if nanoseconds >= 20 else f"{nanoseconds:.1f} ns"


def gain(plain, ours):
    if not plain or not ours:
        return ""
    ratio = f"{plain / ours:.2f}"
    return f"**{ratio}**" if plain / ours < NOISE else ratio


def by_size(runs, category):
    for size in SIZES:
        name = f"{category}-{size}"
        plain = runs["plain"].get(name)
        if plain:
            yield [size_name(size), time(plain)] + [gain(plain, runs[mode].get(name)) for mode in MODES]


def modes_header(first):
    return [first, "plain MPI"] + [VARIANTS[mode] for mode in MODES]


CATEGORIES = {"generic": "generic", "node": "CommNode static", "size": "CommSize static",
              "both": "both static", "derived": "derived type", "derived-node": "derived type, CommNode static"}


def categories(directory):
    """The paper's figure 3 in numbers, at a few sizes."""
    runs = {variant: best(directory, "ping-pong", variant) for variant in VARIANTS}
    if not runs["plain"]:
        return ""
    text = ""
    for size in (8, 1024, 65536, 1048576):
        rows = []
        for category, title in CATEGORIES.items():
            name = f"{category}-{size}"
            plain = runs["plain"].get(name)
            if plain:
                rows.append([title, time(plain)] + [gain(plain, runs[mode].get(name)) for mode in MODES])
        for category, title in (("generic", "argument cache, hit"), ("varying", "argument cache, miss"),
                                ("derived", "argument cache, derived type, hit")):
            name = f"{category}-{size}"
            plain, ours = runs["plain"].get(name), runs["cache"].get(name)
            if plain and ours:
                rows.append([title, time(plain), gain(plain, ours), "", ""])
        raw = runs["plain"].get(f"handoff-{size}")
        text += f"\n{size_name(size)}; the raw handoff took {time(raw)}:\n\n"
        text += table(modes_header("ping-pong, one way"), rows)
    return text


BY_SIZE = {"ping-pong": (("both", "ping-pong, one way, both static"),
                         ("generic", "ping-pong, one way, generic")),
           "stream": (("send", "stream of Send, both static"),
                      ("isend", "stream of Isend, count dynamic"))}


def sizes(directory, program):
    text = ""
    for category, title in BY_SIZE[program]:
        runs = {variant: best(directory, program, variant) for variant in ["plain"] + MODES}
        rows = list(by_size(runs, category))
        if rows:
            text += "\n" + table(modes_header(title), rows)
    return text


def kernels(directory):
    rows, parts = [], []
    for kernel, title in KERNELS.items():
        seconds = {variant: best(directory, kernel, variant).get("seconds") for variant in VARIANTS}
        if not seconds["plain"]:
            continue
        rows.append([title, time(seconds["plain"] * 1e9)] +
                    [gain(seconds["plain"], seconds[variant]) for variant in list(VARIANTS)[1:]])
        for variant, name in VARIANTS.items():
            split = best_split(directory, kernel, variant)
            if split:
                whole = sum(split[part] for part in PARTS)
                parts.append([f"{title}, {name}", time(seconds[variant] * 1e9)] +
                             [f"{100 * split[part] / whole:.1f} %" for part in PARTS] +
                             [f"{whole / seconds[variant]:.2f}"])
    if not rows:
        return ""
    text = table(["kernel", "plain MPI"] + list(VARIANTS.values())[1:], rows)
    if parts:
        text += ("\nThe parts of a rank's time, on average. The shares are those of a run that records its calls. "
                 "*recorded / not* is the time of that run over the time without records:\n\n" +
                 table(["", "time", "computing", "waiting", "inside MPI", "recorded / not"], parts))
    return text


def code_size(directory):
    path = pathlib.Path(directory) / "size.txt"
    if not path.exists():
        return ""
    wanted = set(KERNELS) | {"exchange"}
    rows = []
    for group, name, plain, special in map(str.split, path.read_text().splitlines()):
        if (group == "kernels" and name in wanted) or (group == "HPCC" and name == "total"):
            title = "HPC Challenge, all objects" if group == "HPCC" else KERNELS.get(name, "halo, exchange.c")
            rows.append([title, plain, special, f"{100 * (int(special) / int(plain) - 1):+.1f} %"])
    return table(["bytes of machine code, gcc -O3", "plain", "specialised", "growth"], rows)


def instructions(directory):
    path = pathlib.Path(directory) / "instructions.md"
    return path.read_text() if path.exists() else ""


def hpcc_growth(directory):
    path = pathlib.Path(directory) / "size.txt"
    for line in path.read_text().splitlines() if path.exists() else []:
        group, name, plain, special = line.split()
        if group == "HPCC" and name == "total":
            return 100 * (int(special) / int(plain) - 1)
    return None


def losses(directory, slower, faster):
    """Where `slower` beats `faster`, and not by chance: categories with sizes, ratios of medians and of bests."""
    found = []
    for program in ("ping-pong", "stream"):
        a, b = samples(directory, program, slower), samples(directory, program, faster)
        for name in a.keys() & b.keys():
            ratio = statistics.median(a[name]) / statistics.median(b[name])
            if not name.startswith("handoff") and ratio < NOISE and is_no_chance(a[name], b[name]):
                category, size = name.rsplit("-", 1)
                found.append((program, category, int(size), ratio, min(a[name]) / min(b[name])))
    return sorted(found)


def loss_line(directory, title, slower, faster):
    """What was found, of how many turns; "too few" where they could not show a loss."""
    counts, too_few = [], []
    for program in BY_SIZE:
        pair = [len(turns(directory, program, variant)) for variant in (slower, faster)]
        if all(pair):
            counts.append(f"{program} {pair[0]} and {pair[1]}")
            too_few += [] if can_be_no_chance(*pair) else [program]
    text = ", ".join(f"{category} {size_name(size)} ({ratio:.2f}, the bests {of_bests:.2f})"
                     for _, category, size, ratio, of_bests in losses(directory, slower, faster))
    if too_few:
        text = ", ".join(filter(None, [text, "too few turns of " + " and ".join(too_few) + " to tell"]))
    return f"- {title}: {text or 'none'} (turns: {', '.join(counts) or 'none'})\n"


def instructions_met(directory):
    """How many bounds of that table are met, of how many."""
    met = []
    for line in instructions(directory).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        for column, bound in ((4, 5), (3, 6)):  # specialised, the runtime only
            if len(cells) > bound and cells[bound].isdigit():
                met.append(float(cells[column]) <= int(cells[bound]))
    return sum(met), len(met)


def bounds(directory):
    """The promises, and what was measured."""
    rows = []

    def add(what, bound, value, text, met):
        if value is not None:
            rows.append([what, bound, text.format(value), "yes" if met(value) else "**no**"])

    met, of = instructions_met(directory)
    add("instructions a call ([page](instructions.md))", "the bounds there", (met, of) if of else None,
        "{0[0]} of {0[1]} met", lambda value: value[0] == value[1])
    pings = samples(directory, "ping-pong", "full")
    if pings:
        # Both have two times, so that the best of each may be of different kinds: one ratio a turn.
        ratios = [ours / raw for ours, raw in zip(pings["both-8"], pings["handoff-8"])]
        limit = 1.15
        for how, value in (("median of the turns' ratios", statistics.median(ratios)),
                           ("the same, best over best", min(pings["both-8"]) / min(pings["handoff-8"]))):
            add(f"ping-pong of 8 B over raw handoff, {how}", f"at most {limit}", value, "{:.2f}",
                lambda value: value <= limit)
    add("stream of sends, 8 B", "at most 8 ns", best(directory, "stream", "full").get("send-8"),
        "{:.1f} ns", lambda value: value <= 8)
    cg = [best(directory, "cg", variant).get("seconds") for variant in ("plain", "full")]
    if all(cg):
        add("CG over plain MPI", "at least 2", cg[0] / cg[1], "{:.2f}", lambda value: value >= 2)
    add("machine code of HPC Challenge", "at most +3 %", hpcc_growth(directory), "{:+.1f} %",
        lambda value: value <= 3)
    text = table(["bound", "", "measured", "met"], rows)
    text += ("\nFor all sizes from 0 B to 4 MiB, specialised should be as fast as the runtime only, and both as fast "
             "as plain MPI. Ratios of medians under 0.97 that are no chance (rank-sum test, one in a "
             "hundred):\n\n"
             + loss_line(directory, "runtime only against plain MPI", "plain", "lanes")
             + loss_line(directory, "specialised against runtime only", "lanes", "full")
             + loss_line(directory, "specialised against plain MPI", "plain", "full"))
    return text


def pages(directory, processor):
    """Name and text of each page that has anything."""
    def figure(name, caption):
        return f"![{caption}](../figures/{name}-{processor}.svg)\n\n"

    state = states(directory)
    text = ""
    if state:
        text = (f"The raw handoff took {state[0]:.0f} to {state[1]:.0f} ns in the {state[2]} turns that "
                f"count, of {state[3]}. The other turns met the machine in another state.\n\n")
    ping_pong = categories(directory)
    if ping_pong:
        ping_pong = (figure("ping-pong", "the paper's figure 3") + ping_pong.lstrip("\n") + "\n" +
                     figure("ablation", "off, runtime only, specialised"))
    found = {"bounds": text + bounds(directory), "ping-pong": ping_pong + sizes(directory, "ping-pong").lstrip("\n"),
             "stream": sizes(directory, "stream").lstrip("\n"), "kernels": kernels(directory),
             "instructions": instructions(directory), "code-size": code_size(directory)}
    if found["kernels"]:
        found["kernels"] = figure("kernels", "the paper's figure 4") + found["kernels"]
    return {name: text for name, text in found.items() if text}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip().splitlines()[0])
    target = pathlib.Path(sys.argv[1]) / "pages"
    target.mkdir(exist_ok=True)
    for name, text in pages(*sys.argv[1:]).items():
        (target / f"{name}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
