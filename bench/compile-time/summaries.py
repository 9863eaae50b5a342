#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the cost of summaries. Compiles a program's sources in four ways, in turns: plainly, and through mpispec
without a cache of summaries, with an empty one, and with a full one. The second build of a program has a full cache.

    summaries.py [--build DIR] [--turns N] TREE FLAG...

TREE has the C sources of a project, and FLAG... are their compiler flags (-I..., -O2). Sources that mpicc does not
compile with these flags are left out. Only sources that call MPI are compiled in turns. mpispec passes other sources to
the compiler unchanged, with or without a cache, so that one plain compile of each counts for all four ways.

Figures are the processor times of all sources together, the median of N turns. In a turn the four ways alternate,
source by source. The cost of a cache is computed within each turn. The aim: at most 3 % of the plain build. HPC
Challenge takes five minutes.
"""
import argparse, os, pathlib, resource, shutil, statistics, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def processor_time(command, cache):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          env=dict(os.environ, MPISPEC_CACHE=cache))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.returncode, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def calls_mpi(object_file):
    names = subprocess.run(["nm", "-u", object_file], stdout=subprocess.PIPE, text=True, check=True).stdout
    return any(line.split()[-1].startswith("MPI_") for line in names.splitlines())


def sort_out(tree, plain, object_file):
    """The sources that mpicc compiles: those that call MPI, the others, and the processor time of the others."""
    calling, others, seconds = [], [], 0.0
    for path in sorted(pathlib.Path(tree).rglob("*.c")):
        status, its = processor_time([*plain, str(path)], "off")
        if status:
            continue
        if calls_mpi(object_file):
            calling.append(str(path))
        else:
            others.append(str(path))
            seconds += its
    return calling, others, seconds


def turn(sources, plain, mpispec, directory):
    """Seconds of each of the four."""
    empty, full = os.path.join(directory, "first"), os.path.join(directory, "second")
    shutil.rmtree(empty, ignore_errors=True)
    seconds = [0.0] * 4
    for source in sources:
        ours = [mpispec, *plain, source]
        for index, (command, cache) in enumerate(((ours[1:], "off"), (ours, "off"), (ours, empty), (ours, full))):
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
        object_file = os.path.join(directory, "source.o")
        plain = ["mpicc", *flags, "-c", "-o", object_file]
        calling, others, alike = sort_out(options.tree, plain, object_file)
        if not calling:
            sys.exit(f"mpicc compiles no source of {options.tree} that calls MPI with these flags")
        processor_time([mpispec, "summarise", *calling, *others, "--", *flags], os.path.join(directory, "second"))
        turns = [[alike + its for its in turn(calling, plain, mpispec, directory)] for _ in range(options.turns)]
    costs = [statistics.median(100 * (its[index] - its[1]) / its[0] for its in turns) for index in range(4)]
    print(f"{len(calling)} sources that call MPI, {len(others)} that do not, median of {options.turns} turns, "
          "processor time\n")
    print(f"{'':<38}{'s':>8}{'of plain':>10}{'cache costs':>13}")
    medians = [statistics.median(its) for its in zip(*turns)]
    for index, name in enumerate(("plain", "through mpispec, no cache", "with a cache, the first build",
                                  "with a cache, the second build")):
        cost = f"{costs[index]:+.1f} %" if index > 1 else ""
        print(f"{name:<38}{medians[index]:>8.2f}{medians[index] / medians[0]:>10.3f}{cost:>13}")


main()
