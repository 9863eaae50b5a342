#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs six situations with planted causes of lost time, profiles them, and compares the advice with the causes.

usage: measure-advice.py [--build DIR] [--turns N] [--write] [SITUATION...]

There are two ranks. The fastest of five turns counts, because the others were disturbed. The results are kept, so that
the situations may be measured one after the other. The table has all results that are kept. --write puts it into
docs/results/profile-loop.md. The exit status is 1 if the first advice or its rank is wrong, or if a share differs from
the planted one by more than a fifth.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/common"))
import processor

APART, TOGETHER = "user:0,1", "user:0,0"
# milliseconds of a step, the advice, the rank that it names, and the part of the shares that was planted
SITUATIONS = {
    "slow-rank": (20, "imbalance", 1, "imbalance"),
    "slow-root": (20, "imbalance", 0, "imbalance"),
    "transfer": (20, "transfer", None, "transfer"),
    "tiny-calls": (5, "short-calls", None, "transfer"),
    "shared-cores": (20, "shared-cores", None, None),
    "nothing": (20, None, None, None),
}


def run(options, name, milliseconds, profile=None, cores=APART):
    """The seconds of a step, and those in its calls as far as calls are planted."""
    variables = dict(os.environ, MPIEXEC_TIMEOUT="60")
    variables.pop("MPISPEC_PROFILE", None)
    if name == "tiny-calls":  # the library's calls, because the profile's own cost is much of the runtime's
        variables["MPISPEC_MODE"] = "off"
    if profile:
        shutil.rmtree(profile, ignore_errors=True)
        variables["MPISPEC_PROFILE"] = str(profile)
    command = ["mpiexec", "-bind-to", cores, "-n", "2", "env", f"LD_PRELOAD={options.build}/lib/libmpispec.so",
               options.results / "situations", name, str(milliseconds)]
    text = subprocess.run(command, env=variables, check=True, capture_output=True, text=True).stdout
    _, seconds, _, inside = text.split()
    return float(seconds), float(inside)


def read(options, profile):
    text = subprocess.run([options.build / "bin/mpispec", "profile", "--format=json", profile], check=True,
                          capture_output=True, text=True).stdout
    return json.loads(text)


def planted_share(options, name, milliseconds, seconds, inside):
    """Of all ranks' time; `seconds` and `inside` are of a step of the profiled run, by the program's own clock."""
    if name in ("slow-rank", "slow-root"):
        return 1 / 4  # one of two ranks waits for half of each step
    if name == "shared-cores":
        return 1 - min(run(options, name, milliseconds) for _ in range(options.turns))[0] / seconds
    return inside / seconds


def measure(options, name):
    milliseconds = SITUATIONS[name][0]
    cores = TOGETHER if name == "shared-cores" else APART
    turns = []
    for turn in range(options.turns):
        profile = options.results / f"{name}.{turn}"
        turns.append((*run(options, name, milliseconds, profile, cores), profile))
    seconds, inside, profile = min(turns)
    found = read(options, profile)
    return {"planted": planted_share(options, name, milliseconds, seconds, inside), "run": found["seconds"],
            "advice": found["advice"]}


def shown(name, measured):
    """The row, and whether it is right."""
    _, identity, rank, part = SITUATIONS[name]
    advice = [a for a in measured["advice"] if a["id"] != "no-lanes"]  # which is so in one of them
    if identity is None:
        return f"| {name} | - | {advice[0]['id'] if advice else 'none'} | - | - |", not advice
    if not advice:
        return f"| {name} | {100 * measured['planted']:.1f} % | none | - | - |", False
    first = advice[0]
    share = first["shares"].get(part, 0) if part else first["seconds"] / measured["run"]
    is_right = (first["id"], first["rank"]) == (identity, rank) and abs(share / measured["planted"] - 1) <= 0.2
    named = "-" if first["rank"] is None else first["rank"]
    return (f"| {name} | {100 * measured['planted']:.1f} % | {first['id']} | {named} | {100 * share:.1f} % |", is_right)


def table(options):
    rows, all_right = ["| situation | planted | advice | rank | share in the profile |", "|---|---:|---|---:|---:|"], True
    for name in SITUATIONS:
        kept = options.results / f"{name}.json"
        if kept.exists():
            row, is_right = shown(name, json.loads(kept.read_text()))
            rows.append(row + ("" if is_right else " <- wrong"))
            all_right = all_right and is_right
    return "\n".join(rows) + "\n", all_right


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=ROOT / "build/release", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--turns", default=5, type=int)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("situations", nargs="*", metavar="SITUATION")
    options = parser.parse_args()
    unknown = set(options.situations) - set(SITUATIONS)
    if unknown:
        parser.error(f"the situations are {', '.join(SITUATIONS)}")
    options.results = options.build / "profile-advice"
    options.results.mkdir(exist_ok=True)
    source = ROOT / "bench/profile-advice/situations.c"
    subprocess.run(["mpicc", "-O2", "-g", source, "-o", options.results / "situations"], check=True)
    for name in options.situations or SITUATIONS:
        (options.results / f"{name}.json").write_text(json.dumps(measure(options, name)))
    text, is_right = table(options)
    print(text, end="")
    if options.write:
        (options.results / "table.md").write_text(text)
        subprocess.run([sys.executable, ROOT / "scripts/record_results.py", ROOT / "docs/results/profile-loop.md",
                        "profile-advice", f"{processor.name()}, two ranks, MPICH", options.results / "table.md"], check=True)
    sys.exit(not is_right)


if __name__ == "__main__":
    main()
