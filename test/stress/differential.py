#!/usr/bin/env python3
"""Runs random MPI programs with and without lanes, and compares what every rank saw.

    differential.py --program PATH [--seeds 1-20] [--ranks 2,3,4] [--phases 30] [--largest BYTES]
                    [--nodes] [--seconds N]

The program is test/stress linked with the runtime. A failure prints the command that repeats it.
--nodes lets one machine look like several (MPICH's odd-even cliques). Exit status 1 on a failure.
"""
import argparse
import os
import subprocess
import sys
import time


def run(arguments, program, ranks, seed, mode):
    environment = dict(os.environ, MPISPEC_MODE=mode, MPIEXEC_TIMEOUT=str(arguments.limit))
    if arguments.nodes:
        environment["MPIR_CVAR_ODD_EVEN_CLIQUES"] = "1"
    command = ["mpiexec", "-n", str(ranks), program, str(seed), str(arguments.phases),
               str(arguments.largest)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    names = ["MPISPEC_MODE", "MPIEXEC_TIMEOUT"]
    names += ["MPIR_CVAR_ODD_EVEN_CLIQUES"] if arguments.nodes else []
    shown = " ".join(f"{name}={environment[name]}" for name in names) + " " + " ".join(command)
    return done.returncode, "".join(sorted(done.stdout.splitlines(True))), done.stderr, shown


def compare(arguments, ranks, seed):
    """None if both runs saw the same, else what to tell."""
    plain = run(arguments, arguments.program, ranks, seed, "off")
    if plain[0]:
        return f"plain MPI failed: {plain[3]}\n{plain[1]}{plain[2]}"
    lanes = run(arguments, arguments.program, ranks, seed, "lanes")
    if lanes[0]:
        return f"failed: {lanes[3]}\n{lanes[1]}{lanes[2]}"
    if plain[1] != lanes[1]:
        return f"saw something else: {lanes[3]}\n{plain[1]}{lanes[1]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--seeds", default="1-20")
    parser.add_argument("--ranks", default="2,3,4")
    parser.add_argument("--phases", type=int, default=30)
    parser.add_argument("--largest", type=int, default=4 << 20)
    parser.add_argument("--nodes", action="store_true")
    parser.add_argument("--limit", type=int, default=60, help="seconds for one run")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so long")
    arguments = parser.parse_args()
    first, _, last = arguments.seeds.partition("-")
    begin, runs = time.time(), 0
    for seed in range(int(first), int(last or first) + 1):
        for ranks in map(int, arguments.ranks.split(",")):
            if time.time() - begin > arguments.seconds:
                break
            trouble = compare(arguments, ranks, seed)
            if trouble:
                print(f"seed {seed}, {ranks} ranks: {trouble}")
                return 1
            runs += 1
    print(f"{runs} programs saw the same with lanes and without, seeds {arguments.seeds}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
