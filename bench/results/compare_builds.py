#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the times of two builds of the shared runtime, and of one build with itself.

usage: compare_builds.py [OPTION...] BEFORE AFTER

  BEFORE, AFTER  two libmpispec.so
  --build DIR    a build of mpispec, for its bench programs (default build/release); runs are kept in DIR/compare
  --turns N      turns (default 12)
  --programs P   only these, separated by commas: ping-pong, stream, latency, both-ways, or a kernel
  --realtime     run the ranks at real-time priority (needs root)
  --table        measure nothing, print the table of the runs that are kept
  --help

Each program is plain MPI code with two ranks. In each turn it runs with BEFORE, with AFTER and with AFTER once more,
and in the next turn in the other order. The table shows medians, in the unit that the program prints. A row is marked
as slower if the ratio of medians is above 1.03, and if a rank-sum test finds the difference significant. For equal
builds the test does so in at most one of a hundred comparisons. The column "itself" compares AFTER with AFTER, and its
marks show the error of this bench. Only turns with the usual handoff between the cores count.
"""
import argparse
import pathlib
import shutil
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "common")]
import preloaded
import results

VARIANTS = ["before", "after", "again"]
BENCHES = ["latency", "both-ways"]
SLOWER = 1.03


def rows(folder, program):
    """(name, samples of each variant) of the program's rows."""
    found = {variant: results.samples(folder, program, variant) for variant in VARIANTS}
    for name in found["before"]:
        if not name.startswith("handoff") and all(name in found[variant] for variant in VARIANTS):
            yield name, [found[variant][name] for variant in VARIANTS]


def ratio(lower, higher):
    """The ratio of medians, higher over lower, marked if the judge calls it slower (+) or faster (-)."""
    quotient = statistics.median(higher) / statistics.median(lower)
    if quotient > SLOWER and results.is_no_chance(lower, higher):
        return quotient, f"**{quotient:.3f}**"
    if quotient < 1 / SLOWER and results.is_no_chance(higher, lower):
        return quotient, f"*{quotient:.3f}*"
    return quotient, f"{quotient:.3f}"


def table(folder, programs):
    print("| row | before | after | after / before | itself |\n|---|---:|---:|---:|---:|")
    quotients, selves = [], []
    for program in programs:
        for name, (before, after, again) in rows(folder, program):
            if not statistics.median(before):
                continue
            (quotient, text), (own, own_text) = ratio(before, after + again), ratio(after, again)
            quotients.append(quotient)
            selves.append(own)
            row = program if name == "seconds" else f"{program}, {name}"
            print(f"| {row} | {statistics.median(before):.4g} | {statistics.median(after + again):.4g} | {text} | "
                  f"{own_text} |")
    if quotients:
        print(f"| geometric mean of {len(quotients)} rows | | | {statistics.geometric_mean(quotients):.3f} | "
              f"{statistics.geometric_mean(selves):.3f} |")


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("before", nargs="?", type=pathlib.Path)
    parser.add_argument("after", nargs="?", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--turns", type=int, default=12)
    parser.add_argument("--programs")
    parser.add_argument("--realtime", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--help", "-h", action="store_true")
    options = parser.parse_args()
    if options.help:
        print(__doc__.strip())
        return
    build = options.build.resolve()
    folder = build / "compare"
    programs = options.programs.split(",") if options.programs else \
        ["ping-pong", "stream", *BENCHES, *results.KERNELS]
    if not options.table:
        if not options.after:
            sys.exit("compare_builds.py: two shared runtimes are needed; --help")
        for library in (options.before, options.after):
            if not library.is_file():
                sys.exit(f"compare_builds.py: no {library}")
        if not (build / "bench/plain").is_dir():
            preloaded.command("make", "-s", "-C", preloaded.ROOT / "bench", f"OUT={build}/bench",
                              f"MPISPEC={build}/bin/mpispec", "all")
        preloaded.compile_benches(folder)
        libraries = {}
        for variant, library in zip(VARIANTS, (options.before, options.after, options.after)):
            libraries[variant] = folder / variant / "libmpispec.so"
            (libraries[variant].parent / "cache").mkdir(parents=True, exist_ok=True)
            shutil.copyfile(library, libraries[variant])
        for program in programs:
            for old in folder.glob(f"{program}.*.[0-9]*"):
                old.unlink()
        prefix = ["chrt", "-f", "10"] if options.realtime else []
        for turn in range(1, options.turns + 1):
            print(f"turn {turn} of {options.turns}", file=sys.stderr, flush=True)
            for program in programs:
                path = folder / program if program in BENCHES else build / "bench/plain" / program
                repetitions = "10" if program in results.KERNELS else "2"
                for variant in VARIANTS if turn % 2 else reversed(VARIANTS):
                    library = libraries[variant]
                    numbers = preloaded.run([*prefix, "mpiexec", "-n", "2", path, repetitions], library,
                                            MPISPEC_CACHE=str(library.parent / "cache"))
                    (folder / f"{program}.{variant}.{turn}").write_text(
                        "".join(f"{name} {number:.9f}\n" for name, number in numbers.items()), "utf-8")
    table(folder, programs)


if __name__ == "__main__":
    try:
        main()
    except preloaded.Failed as failed:
        sys.exit(f"compare_builds.py: {failed}")
