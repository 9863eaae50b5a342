#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures ranks that share processors (shared-cores.c): with plain MPICH, plain MPICH that yields, the runtime, the
runtime with reductions in the order of ranks, the same without sleeps, the runtime with MPI_THREAD_MULTIPLE,
specialised, and other MPI libraries. They take turns, of which the best counts. Prints a table for each number of
ranks, in microseconds.

    bench/shared-cores/compare-shared-cores.py [--build DIR] [--ranks N,N,...] [--turns N] [--milliseconds N]
                                               [--processors LIST] [--busy] [--only VARIANT;...] [--peer NAME=DIR]
                                               [--kernels]

--processors: the processors on which ranks may run (default "0,1"). --busy: another process computes there at the same
time. --peer measures another library, whose mpicc and mpiexec are in DIR: "--peer 'Intel MPI=DIR'". Open MPI is
measured if the system has it. --kernels: instead, the kernels of bench/kernels, in milliseconds, and the processor time
of their processes in seconds, start included.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


sys.path.insert(0, str(ROOT / "bench/common"))
from kernels import KERNELS, build_kernels

LIMIT = 60  # seconds of a job


def build(compiler, name, directory, kernels, path=None):
    """Returns the directory of the programs of one library. `compiler`: a prefix, and mpicc."""
    programs = directory / name
    programs.mkdir()
    environment = dict(os.environ, PATH=f"{path}:{os.environ['PATH']}" if path else os.environ["PATH"])
    if not kernels:
        subprocess.run([*compiler, "-O2", "-w", str(HERE / "shared-cores.c"), "-o", str(programs / "shared-cores")],
                       check=True, env=environment)
        return programs
    *prefix, mpicc = compiler
    variant = "special" if prefix else "plain"
    mpispec = prefix[0] if prefix else "none"
    build_kernels(programs, [variant], mpicc, mpispec, environment)
    return programs / variant


def find_variants(arguments, directory):
    """Name -> (programs, mpiexec, variables); MPI_THREAD_MULTIPLE if a fourth member says so."""
    kernels = arguments.kernels
    tree = pathlib.Path(arguments.build).resolve()
    plain = build(["mpicc.mpich"], "plain", directory, kernels)
    polite = directory / "polite.so"
    subprocess.run(["cc", "-O2", "-fPIC", "-shared", str(ROOT / "test/Inputs/polite-library.c"), "-o", str(polite), "-ldl"],
                   check=True)
    runtime = {"LD_PRELOAD": str(tree / "lib/mpispec/mpich/libmpispec.so"), "MPISPEC_CACHE": "off"}
    special = build([str(tree / "bin/mpispec"), "mpicc.mpich"], "special", directory, kernels)
    mpich = ["mpiexec.mpich"]
    variants = {
        "plain": (plain, mpich, {}),
        "plain, yields": (plain, mpich, {"LD_PRELOAD": str(polite)}),
        "runtime": (plain, mpich, runtime),
        "runtime, rank order": (plain, mpich, dict(runtime, MPISPEC_REDUCTIONS="ranks")),
        "runtime, awake": (plain, mpich, dict(runtime, MPISPEC_REDUCTIONS="ranks", MPISPEC_YIELD="awake")),
        "runtime, MULTIPLE": (plain, mpich, runtime, "multiple"),
        "specialised": (special, mpich, {"MPISPEC_CACHE": "off", "MPISPEC_REDUCTIONS": "ranks"}),
    }
    if subprocess.run(["sh", "-c", "command -v mpicc.openmpi"], stdout=subprocess.DEVNULL).returncode == 0:
        command = ["mpiexec.openmpi", "--oversubscribe", "--bind-to", "none", "--allow-run-as-root"]
        variants["Open MPI"] = (build(["mpicc.openmpi"], "openmpi", directory, kernels), command,
                                {"OMPI_MCA_mpi_yield_when_idle": "1"})
    for peer in arguments.peer:
        name, _, where = peer.partition("=")
        where = pathlib.Path(where).resolve()
        os.environ["I_MPI_ROOT"] = str(where.parent)  # Intel MPI's wrappers and launcher need it
        programs = build([str(where / "mpicc")], name.replace(" ", "-"), directory, kernels, where)
        os.environ["I_MPI_PIN"] = "0"  # for the launcher, which binds the ranks before they start
        variants[name] = (programs, [str(where / "mpiexec")], {"I_MPI_THREAD_YIELD": "3"})
    wanted = arguments.only.split(";") if arguments.only else list(variants)
    return {name: variants[name] for name in variants if name in wanted}


def start(variant, ranks, arguments, program, *options):
    """Returns the lines that the job prints, and its processor time in seconds."""
    programs, mpiexec, variables, *level = variant
    # The launcher itself is not to be preloaded.
    job = ["taskset", "-c", arguments.processors, "timeout", "-s", "KILL", str(LIMIT), *mpiexec, "-n", str(ranks),
           "env", *[f"{name}={value}" for name, value in variables.items()], str(programs / program), *options, *level]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(job, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = result.stdout.decode(errors="replace").splitlines()
    return lines, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run(variant, ranks, arguments):
    """Row -> microseconds."""
    lines, _ = start(variant, ranks, arguments, "shared-cores", str(arguments.milliseconds))
    rows = {}
    for line in lines:
        name, bar, value = line.rpartition("|")
        if bar:
            rows[name] = float(value)
    return rows


def run_kernels(variant, ranks, arguments):
    """Row -> milliseconds, or seconds of processor time."""
    rows = {}
    for kernel in KERNELS:
        lines, seconds = start(variant, ranks, arguments, kernel, "3")
        for line in lines:
            if line.startswith("seconds ") and "right" in lines:
                rows[kernel] = float(line.split()[1]) * 1e3
                rows[f"{kernel}, processor time"] = seconds
    return rows


def measure(variants, ranks, arguments):
    best = {name: {} for name in variants}
    for _ in range(arguments.turns):
        for name, variant in variants.items():
            for row, value in (run_kernels if arguments.kernels else run)(variant, ranks, arguments).items():
                best[name][row] = min(value, best[name].get(row, value))
    return best


def print_table(best, ranks):
    names = list(best)
    rows = list(dict.fromkeys(row for name in names for row in best[name]))
    print(f"\n### {ranks} ranks\n\n| | " + " | ".join(names) + " |\n|---" + "|---:" * len(names) + "|")
    for row in rows:
        values = [f"{float(f'{best[name][row]:.4g}'):.10g}" if row in best[name] else "-" for name in names]
        print(f"| {row} | " + " | ".join(values) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--ranks", default="4,8,16,32,64")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--milliseconds", type=float, default=20)
    parser.add_argument("--processors", default="0,1")
    parser.add_argument("--busy", action="store_true")
    parser.add_argument("--kernels", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--peer", action="append", default=[])
    arguments = parser.parse_args()
    directory = pathlib.Path(arguments.build).resolve() / "shared-cores"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    variants = find_variants(arguments, directory)
    busy = None
    if arguments.busy:
        busy = subprocess.Popen(["taskset", "-c", arguments.processors, sys.executable, "-c", "while True: pass"])
    try:
        for ranks in arguments.ranks.split(","):
            print_table(measure(variants, int(ranks), arguments), ranks)
    finally:
        if busy:
            busy.kill()


if __name__ == "__main__":
    main()
