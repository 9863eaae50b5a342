#!/usr/bin/env python3
"""What do summaries cost? Compiles a program's sources in turns: plainly, through mpispec without a cache of summaries,
and with one, in a first build, which fills it, and in a second, which finds all of it.

    summaries.py [--build DIR] [--turns N] TREE FLAG...

TREE holds sources in C of a project, FLAG... are what they are compiled with (-I..., -O2). Sources that mpicc cannot
compile so are left out. Figures are processor times of all sources together, the median of N turns, in which the four take turns
source by source. The aim: a cache costs at most 3 % of the plain build.
"""
import argparse, os, pathlib, resource, shutil, statistics, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def processor_time(command, cache):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          env=dict(os.environ, MPISPEC_CACHE=cache))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.returncode, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def turn(sources, mpispec, flags, directory):
    """Seconds of each of the four."""
    empty, full = os.path.join(directory, "first"), os.path.join(directory, "second")
    shutil.rmtree(empty, ignore_errors=True)
    seconds = [0.0] * 4
    for source in sources:
        plain = ["mpicc", *flags, "-c", source, "-o", os.path.join(directory, "source.o")]
        ours = [mpispec, *plain]
        for index, (command, cache) in enumerate(((plain, "off"), (ours, "off"), (ours, empty), (ours, full))):
            seconds[index] += processor_time(command, cache)[1]
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(HERE, "..", "..", "build", "release"))
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("tree")
    options, flags = parser.parse_known_args()
    mpispec = os.path.abspath(os.path.join(options.build, "bin", "mpispec"))
    if not os.path.exists(mpispec):
        sys.exit(f"{mpispec} is not there; build it, or name the build with --build")
    with tempfile.TemporaryDirectory() as directory:
        plain = ["mpicc", *flags, "-c", "-o", os.path.join(directory, "source.o")]
        full = os.path.join(directory, "second")
        sources = [str(path) for path in sorted(pathlib.Path(options.tree).rglob("*.c"))
                   if not processor_time([*plain, str(path)], "off")[0]]
        if not sources:
            sys.exit(f"mpicc compiles no source of {options.tree} with these flags")
        for source in sources:
            processor_time([mpispec, *plain, source], full)
        turns = [turn(sources, mpispec, flags, directory) for _ in range(options.turns)]
    plain, off, first, second = (statistics.median(its) for its in zip(*turns))
    print(f"{len(sources)} sources, median of {options.turns} turns, processor time\n")
    print(f"{'':<38}{'s':>8}{'of plain':>10}{'cache costs':>13}")
    for name, seconds in (("plain", plain), ("through mpispec, no cache", off),
                          ("with a cache, the first build", first), ("with a cache, the second build", second)):
        cost = f"{100 * (seconds - off) / plain:+.1f} %" if seconds in (first, second) else ""
        print(f"{name:<38}{seconds:>8.2f}{seconds / plain:>10.3f}{cost:>13}")


main()
