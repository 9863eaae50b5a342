#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the effects of a profile on a build, from the files that scripts/profile-loop.sh has collected.

usage: profile_loop.py DIRECTORY [TURNS]

With TURNS, the script prints the medians of the rates in this number of turns. Without, it prints all other tables.
"""
import collections
import json
import pathlib
import re
import statistics
import subprocess
import sys

RATES = {  # of hpccoutf.txt, and whether more is better
    "MaxPingPongLatency_usec": False, "NaturallyOrderedRingLatency_usec": False,
    "RandomlyOrderedRingLatency_usec": False, "PTRANS_GBs": True, "MPIRandomAccess_GUPs": True,
    "MPIRandomAccess_LCG_GUPs": True, "MPIFFT_Gflops": True, "HPL_Tflops": True,
}


def forms(remarks):
    """inline, ordinary or left, by file name, line and function."""
    found = {}
    for path in remarks.glob("*.yaml"):
        for remark in path.read_text().split("\n--- ")[0:]:
            place = re.search(r"DebugLoc:\s*\{ File: '?([^,']+)'?, Line: (\d+)", remark)
            callee = re.search(r"- Callee:\s*'?(\w+)", remark)
            if not place or not callee or "translation-unit" in remark:
                continue
            key = (pathlib.Path(place.group(1)).name, int(place.group(2)), callee.group(1))
            form = re.search(r"- Form:\s*'?(\w+)", remark)
            if form:
                found[key] = form.group(1)
            else:
                found.setdefault(key, "left")
    return found


def sites(profile):
    return {(pathlib.Path(s["file"]).name, s["line"], s["function"]): s for s in profile["sites"] if s["file"]}


def share(site):
    return 100 * site["paths"].get("fast", 0) / site["calls"] if site["calls"] else 0


def text_bytes(program):
    """Of its machine code."""
    lines = subprocess.run(["size", "-A", program], check=True, capture_output=True, text=True).stdout.splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(".text"))


def print_sites(work):
    old, new = (sites(json.loads((work / f"{name}.json").read_text())) for name in ("before", "after"))
    was, now = forms(work / "before.remarks"), forms(work / "after.remarks")
    print("| call | made | fast path could be taken | in the second run | code | with the profile |")
    print("|---|---:|---:|---:|---|---|")
    for key in sorted(old, key=lambda k: -old[k]["calls"])[:30]:
        if key not in was:
            continue
        again = f"{share(new[key]):.0f} %" if key in new else "-"
        form = now.get(key, "left")
        print(f"| {key[0]}:{key[1]} {key[2]} | {old[key]['calls']} | {share(old[key]):.0f} % | {again} | {was[key]} | "
              f"{form if form == was[key] else '**' + form + '**'} |")
    known = [k for k in was if k in old]
    cold = [k for k in was if k not in old]
    calls = sum(old[k]["calls"] for k in known)

    def inline(which, places):
        return sum(1 for k in places if which.get(k) == "inline")

    def covered(which):
        return 100 * sum(old[k]["calls"] for k in known if which.get(k) == "inline") / max(calls, 1)

    print("\n| calls in the source | without | with the profile |\n|---|---:|---:|")
    print(f"| inline, of the {len(known)} that the run made | {inline(was, known)} | {inline(now, known)} |")
    print(f"| inline, of the {len(cold)} that it never made | {inline(was, cold)} | {inline(now, cold)} |")
    print(f"| machine code of the program, bytes | {text_bytes(work / 'before' / 'hpcc')} "
          f"| {text_bytes(work / 'after' / 'hpcc')} |")
    print(f"| share of all {calls} calls of the run by inline code | {covered(was):.1f} % | {covered(now):.1f} % |")


def print_predictions(work):
    """Each value of an argument is tested; that one of them held is what counts."""
    held, made, values = collections.Counter(), collections.Counter(), collections.defaultdict(set)
    for line in (work / "checked.run").read_text(errors="replace").splitlines():
        match = re.search(r"(\S+:\d+: \w+: argument \d+) is predicted to be (\S+) .*was in (\d+) of (\d+) calls", line)
        if match:
            argument, value = match.group(1, 2)
            values[argument].add(value)
            held[argument] += int(match.group(3))
            made[argument] += int(match.group(4))
    calls = {argument: made[argument] / len(values[argument]) for argument in made}
    if sum(calls.values()):
        print(f"\n{sum(map(len, values.values()))} values are predicted for {len(values)} arguments. In "
              f"{100 * sum(held.values()) / sum(calls.values()):.1f} % of the calls, the argument had a predicted value.")


def rate(work, name, turn, key):
    match = re.search(rf"^{key}=(\S+)", (work / f"{name}.{turn}.hpccoutf").read_text(), re.MULTILINE)
    return float(match.group(1)) if match else None


def print_rates(work, turns):
    print(f"\n| without a profile on, medians of {turns} turns | before | after | gain |\n|---|---:|---:|---:|")
    for key, more in RATES.items():
        before, after = ([rate(work, name, turn, key) for turn in range(1, turns + 1)] for name in ("before", "after"))
        if None in before + after or not all(before + after):
            continue
        old, new = statistics.median(before), statistics.median(after)
        print(f"| {key} | {old:.4g} | {new:.4g} | {new / old if more else old / new:.2f} |")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.strip().splitlines()[2])
    work = pathlib.Path(sys.argv[1])
    if len(sys.argv) == 3:
        print_rates(work, int(sys.argv[2]))
        return
    print_sites(work)
    print_predictions(work)


if __name__ == "__main__":
    main()
