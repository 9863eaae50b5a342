#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the shared memory of bench/sdsm over several MPI libraries: plain MPICH, plain MPICH whose receiver sleeps
between probes, the runtime, and other libraries. Prints tables of the stencils' steps and their parts, of a fault and
its parts, and of the time by size of page.

    bench/sdsm/compare-sdsm.py [--build DIR] [--turns N] [--ranks N] [--threads N] [--size N] [--steps N]
                               [--faults N] [--seconds N] [--only VARIANT;...] [--jobs PATTERN] [--forget] [--plots DIR]
                               [--self-test]

The variants take turns, and the median of the turns counts. Other libraries are those that bench/peers.sh --install has
installed in DIR/peers. Runs are kept in DIR/sdsm/runs and are not repeated, so that a measurement can be continued
later. --forget removes them first. --seconds ends the measurement after this number of seconds. --jobs leaves out the
jobs whose names (fault-4096, A1-7, ...) the regular expression does not match. --plots writes SVG figures with
matplotlib.
"""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FORMS = ["A1", "A1p", "A2", "A2p", "A3", "A3p"]
PLAIN_FORMS = ["mpi", "mpi-nb"]
PAGES = [4096, 16384, 65536, 262144, 1048576]
TIME_LIMIT = 300  # seconds of a run
PARTS = ["compute", "fault", "preload", "sync"]
FAULT_PARTS = ["signal", "queue", "wake", "message", "opened", "access", "resume", "whole"]


class Variant:
    """One MPI library, or one way to use it."""

    def __init__(self, name, programs, launcher, environment, options=()):
        self.name, self.programs, self.options = name, programs, list(options)
        self.launcher, self.environment = launcher, environment


def build(name, compiler, directory, environment):
    out = directory / name
    subprocess.run(["make", "-s", "-C", str(HERE), f"OUT={out}", f"MPICC={compiler}"], check=True,
                   env={**os.environ, **environment})
    return out


def find_variants(tree, directory):
    """The variants at hand."""
    programs = build("mpich", "mpicc.mpich", directory, {})
    hydra = ["mpiexec.mpich"]
    runtime = {"LD_PRELOAD": str(tree / "lib/mpispec/mpich/libmpispec.so"), "MPISPEC_CACHE": "off"}
    variants = [Variant("plain", programs, hydra, {}), Variant("plain, probes", programs, hydra, {}, ["--probe"]),
                Variant("runtime", programs, hydra, runtime)]
    openmpi = tree / "peers/openmpi/bin"
    if (openmpi / "mpicc").exists():
        path = {"PATH": f"{openmpi}:{os.environ['PATH']}"}
        command = [str(openmpi / "mpiexec"), "--oversubscribe", "--bind-to", "none"]
        variables = {**path, "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                     "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        variants.append(Variant("Open MPI", build("openmpi", "mpicc", directory, path), command, variables))
    intel = tree / "peers/impi-devel"
    if (intel / "bin/mpicc").exists():
        variables = {"PATH": f"{intel}/bin:{os.environ['PATH']}", "I_MPI_ROOT": str(intel), "I_MPI_PIN": "0",
                     "I_MPI_THREAD_YIELD": "3"}
        variants.append(Variant("Intel MPI", build("intel", "mpicc", directory, variables),
                                [str(intel / "bin/mpiexec")], variables))
    return variants


def jobs(arguments):
    """Name -> program and its arguments."""
    common = ["--threads", str(arguments.threads)]
    stencil = common + ["--size", *[str(arguments.size)] * 3, "--steps", str(arguments.steps)]
    large = ["--cache", str(1 << 30)]
    result = {f"fault-{page}": ["sdsm-latency", "--page", str(page), "--steps", str(arguments.faults)]
              for page in PAGES}
    result |= {f"fault-{page}-awake": [*result[f"fault-{page}"], "--awake"] for page in PAGES[:1]}
    result |= {f"fault-{page}-second": [*result[f"fault-{page}"], "--second-mapping"] for page in PAGES}
    for points in (7, 27):
        for form in FORMS + PLAIN_FORMS:
            result[f"{form}-{points}"] = ["sdsm-stencil", form, str(points), *stencil, *large]
    for page in PAGES[1:]:
        for form in ("A1", "A1p"):
            result[f"{form}-7-{page}"] = ["sdsm-stencil", form, "7", *stencil, *large, "--page", str(page)]
    return {name: words for name, words in result.items() if re.match(arguments.jobs, name)}


def run(variant, words, ranks):
    """Name -> value of the line that the program printed, or nothing."""
    shared_memory = words[1] not in PLAIN_FORMS
    command = [*variant.launcher, "-n", str(ranks), str(variant.programs / words[0]), *words[1:],
               *(variant.options if shared_memory else [])]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT, stdin=subprocess.DEVNULL,
                              env={**os.environ, **variant.environment}, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else None


def measure(arguments, variants, runs):
    """Runs what is missing. False if a run of the runtime failed."""
    good, begun = True, time.monotonic()
    for turn in range(arguments.turns):
        order = variants[turn % len(variants):] + variants[:turn % len(variants)]
        for name, words in jobs(arguments).items():
            for variant in order:
                file = runs / f"{name}.{variant.name.replace(' ', '_')}.{turn}.txt"
                if file.exists() or time.monotonic() - begun > arguments.seconds:
                    continue
                print(f"\rturn {turn + 1} of {arguments.turns}: {variant.name}, {name}    ", end="", file=sys.stderr)
                output = run(variant, words, arguments.ranks)
                if output is None:
                    print(f"\n{variant.name} failed in {name}", file=sys.stderr)
                    good &= variant.name != "runtime"
                else:
                    file.write_text(output, encoding="utf-8")
    print(file=sys.stderr)
    return good


def read_runs(runs):
    """(job, variant) -> value's name -> median."""
    samples = {}
    for file in sorted(runs.glob("*.txt")):
        job, variant, _ = file.name.rsplit(".", 3)[0:3]
        words = file.read_text(encoding="utf-8").split()
        for name, value in zip(words, words[1:]):
            if name.endswith("_us") or name in ("faults", "bodies"):
                samples.setdefault((job, variant.replace("_", " ")), {}).setdefault(name, []).append(float(value))
    return {key: {name: statistics.median(values) for name, values in row.items()} for key, row in samples.items()}


def cell(row, name, divisor=1.0, digits=2):
    return f"{row[name] / divisor:.{digits}f}" if row and name in row else "-"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def tables(results):
    """The section of this machine, in Markdown."""
    names = sorted({variant for _, variant in results}, key=["plain", "plain, probes", "runtime", "Open MPI",
                                                             "Intel MPI"].index)
    text = ""
    for points in (7, 27):
        rows = [[form, *(cell(results.get((f"{form}-{points}", name)), "step_us", 1000) for name in names)]
                for form in FORMS + PLAIN_FORMS]
        text += f"### {points} points: milliseconds of a step\n\n{table(['form', *names], rows)}\n"
    rows = []
    for points in (7, 27):
        for form in FORMS:
            row = results.get((f"{form}-{points}", "runtime"))
            rows.append([f"{form}, {points} points", *(cell(row, f"{part}_us", 1000) for part in PARTS),
                         cell(row, "faults", 1, 1), cell(row, "bodies", 1, 1)])
    text += "### Parts of a step over the runtime, milliseconds, means of the ranks\n\n"
    text += table(["form", *PARTS, "faults", "messages with pages"], rows) + "\n"
    for kind, title in (("", "bodies arrive in place"), ("-second", "bodies arrive in a second mapping"),
                        ("-awake", "bodies arrive in place, com and send do not sleep")):
        rows = [[f"{page // 1024} KiB, {name}",
                 *(cell(results.get((f"fault-{page}{kind}", name)), f"{part}_us", 1, 1) for part in FAULT_PARTS)]
                for page in PAGES for name in names if kind != "-awake" or page == PAGES[0]]
        text += f"### A fault by size of page, microseconds; {title}\n\n{table(['page', *FAULT_PARTS], rows)}\n"
    rows = [[f"{form}, {page // 1024} KiB",
             *(cell(results.get((f"{form}-7" + ("" if page == PAGES[0] else f"-{page}"), name)), "step_us", 1000)
               for name in names)] for form in ("A1", "A1p") for page in PAGES]
    return text + f"### 7 points by size of page: milliseconds of a step\n\n{table(['form, page', *names], rows)}"


def plots(results, directory):
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "mpispec"
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(7, 4))
    for name in sorted({variant for _, variant in results}):
        for form, style in (("A1", "-"), ("A1p", "--")):
            jobs_of = [(page, results.get((f"{form}-7" + ("" if page == PAGES[0] else f"-{page}"), name)))
                       for page in PAGES]
            points = [(page / 1024, row["step_us"] / 1000) for page, row in jobs_of if row and "step_us" in row]
            axes.plot(*zip(*points), style, marker="o", label=f"{form}, {name}") if points else None
    axes.set(xscale="log", xlabel="page, KiB", ylabel="step, ms", ylim=(0, None), xticks=[page / 1024 for page in PAGES],
             xticklabels=[str(page // 1024) for page in PAGES])
    axes.legend(fontsize="small")
    figure.savefig(directory / "sdsm-page-size.svg", metadata={"Date": None}, bbox_inches="tight")
    figure, axes = pyplot.subplots(figsize=(7, 4))
    rows = {f"{form}, {points}": results.get((f"{form}-{points}", "runtime")) for points in (7, 27) for form in FORMS}
    rows = {name: row for name, row in rows.items() if row}
    bottom = [0.0] * len(rows)
    for part in PARTS:
        heights = [row.get(f"{part}_us", 0) / 1000 for row in rows.values()]
        axes.bar(list(rows), heights, bottom=bottom, label=part)
        bottom = [low + height for low, height in zip(bottom, heights)]
    axes.set(ylabel="step, ms")
    axes.tick_params(axis="x", rotation=60)
    axes.legend()
    figure.savefig(directory / "sdsm-parts.svg", metadata={"Date": None}, bbox_inches="tight")


def self_test():
    invented = {("A1-7", "plain"): {"step_us": 2000.0}, ("A1-7", "runtime"): {"step_us": 1500.0, "compute_us": 1000.0},
                ("fault-4096", "runtime"): {"whole_us": 12.34}}
    print(tables(invented))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    for name, default in (("turns", 3), ("ranks", 2), ("threads", 1), ("size", 256), ("steps", 128), ("faults", 300),
                          ("seconds", 10**9)):
        parser.add_argument(f"--{name}", default=default, type=int)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", default="")
    parser.add_argument("--forget", action="store_true")
    parser.add_argument("--plots", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    tree = arguments.build.resolve()
    directory = tree / "sdsm"
    runs = directory / "runs"
    if arguments.forget:
        shutil.rmtree(directory, ignore_errors=True)
    runs.mkdir(parents=True, exist_ok=True)
    variants = [variant for variant in find_variants(tree, directory)
                if not arguments.only or variant.name in arguments.only.split(";")]
    good = measure(arguments, variants, runs)
    results = read_runs(runs)
    print(tables(results))
    if arguments.plots:
        plots(results, arguments.plots)
    return None if good else 1


if __name__ == "__main__":
    sys.exit(main())
