#!/usr/bin/env python3
"""Writes what scripts/results.sh measured as tables: tables.py RESULTS-DIRECTORY -> page.md there

Plain MPI's times are absolute; the others stand as plain MPI's time over theirs, measured in the same
run, so that more than 1 is a gain. Losses are bold.
"""
import pathlib
import statistics
import sys

from results import (KERNELS, PARTS, SIZES, VARIANTS, best, best_split, is_no_chance, samples, size_name,
                     states)

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


def sizes(directory):
    text = ""
    for program, category, title in (("ping-pong", "both", "ping-pong, one way, both static"),
                                     ("ping-pong", "generic", "ping-pong, one way, generic"),
                                     ("stream", "send", "stream of Send, both static"),
                                     ("stream", "isend", "stream of Isend, count dynamic")):
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
        text += ("\nWhere the time of a rank goes, on average. The shares are those of a run that takes notes; "
                 "*noted / not* is how much longer that was:\n\n" +
                 table(["", "time", "computing", "waiting", "inside MPI", "noted / not"], parts))
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
    """Where `slower` beats `faster`, and not by chance: categories with sizes, and ratios of medians."""
    found = []
    for program in ("ping-pong", "stream"):
        a, b = samples(directory, program, slower), samples(directory, program, faster)
        for name in a.keys() & b.keys():
            ratio = statistics.median(a[name]) / statistics.median(b[name])
            if not name.startswith("handoff") and ratio < NOISE and is_no_chance(a[name], b[name]):
                category, size = name.rsplit("-", 1)
                found.append((program, category, int(size), ratio))
    return sorted(found)


def loss_list(directory, slower, faster):
    found = losses(directory, slower, faster)
    if not found:
        return "none"
    return ", ".join(f"{category} {size_name(size)} ({ratio:.2f})" for _, category, size, ratio in found)


def bounds(directory):
    """The promises, and what was measured."""
    rows = []

    def add(what, bound, value, text, met):
        if value is not None:
            rows.append([what, bound, text.format(value), "yes" if met(value) else "**no**"])

    for line in instructions(directory).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        for who, column, bound in (("", 4, 5), (", runtime only", 3, 6)):
            if len(cells) > bound and cells[bound].isdigit():
                limit = int(cells[bound])
                add(f"instructions, {cells[0]}{who}", f"at most {limit}", float(cells[column]), "{:.1f}",
                    lambda value, limit=limit: value <= limit)
    pings = samples(directory, "ping-pong", "full")
    if pings:
        # Both have two times, so that the best of each may be of different kinds: one ratio a turn.
        ratios = [ours / raw for ours, raw in zip(pings["both-8"], pings["handoff-8"])]
        add("ping-pong of 8 B over raw handoff, median of all turns", "at most 1.15",
            statistics.median(ratios), "{:.2f}", lambda value: value <= 1.15)
    add("stream of sends, 8 B", "at most 8 ns", best(directory, "stream", "full").get("send-8"),
        "{:.1f} ns", lambda value: value <= 8)
    cg = [best(directory, "cg", variant).get("seconds") for variant in ("plain", "full")]
    if all(cg):
        add("CG over plain MPI", "at least 2", cg[0] / cg[1], "{:.2f}", lambda value: value >= 2)
    add("machine code of HPC Challenge", "at most +3 %", hpcc_growth(directory), "{:+.1f} %",
        lambda value: value <= 3)
    text = table(["bound", "", "measured", "met"], rows)
    text += ("\nNo size from 0 B to 4 MiB should be slower specialised than with the runtime only, nor that "
             "slower than plain MPI. Ratios of medians under 0.97 that are no chance (rank-sum test, one in a "
             "hundred):\n\n"
             f"- runtime only against plain MPI: {loss_list(directory, 'plain', 'lanes')}\n"
             f"- specialised against runtime only: {loss_list(directory, 'lanes', 'full')}\n"
             f"- specialised against plain MPI: {loss_list(directory, 'plain', 'full')}\n")
    return text


def page(directory):
    parts = [("Bounds", bounds(directory)),
             ("Ping-pong in the paper's categories", categories(directory)),
             ("By size", sizes(directory)), ("Kernels", kernels(directory)),
             ("Instructions", instructions(directory)), ("Code size", code_size(directory))]
    figures = {"Ping-pong in the paper's categories": ("ping-pong", "the paper's figure 3"),
               "By size": ("ablation", "off, runtime only, specialised"),
               "Kernels": ("kernels", "the paper's figure 4")}
    text = ""
    state = states(directory)
    if state:
        text = (f"The raw handoff took {state[0]:.0f} to {state[1]:.0f} ns in the {state[2]} turns that "
                f"count, of {state[3]}; any others met the machine in another state.\n")
    for title, body in parts:
        if body:
            text += f"\n### {title}\n\n"
            if title in figures:
                name, caption = figures[title]
                text += f"![{caption}](figures/{name}.svg)\n\n"
            text += body.lstrip("\n")
    return text


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip().splitlines()[0])
    (pathlib.Path(sys.argv[1]) / "page.md").write_text(page(sys.argv[1]), encoding="utf-8")


if __name__ == "__main__":
    main()
