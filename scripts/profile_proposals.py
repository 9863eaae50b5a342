#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Profiles a program, tries the proposals of the advice, and prints each effect beside a run without the proposal.

usage: profile_proposals.py [--build DIR] [--work DIR] [--ranks N] [--turns N] [--output FILE] PROGRAM [ARGUMENT...]

A proposal is tried if it consists of options of the launcher or of variables. The unchanged and the changed program run
in turns, and the fastest run of each counts. Other proposals are printed as untried, with the reason. The program must
end with status 0 each time. Its MPI library is that of the first mpiexec in PATH.

--work: the directory in which the profiles are kept. --output: a file for the result in Markdown, besides standard
output.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


class Variant:
    """One way to start the program; its fastest run is kept."""

    def __init__(self, options, name, launcher=(), variables=()):
        self.options, self.launcher, self.variables = options, list(launcher), list(variables)
        self.profile = options.work / name
        self.seconds = None

    def run(self):
        fresh = self.options.work / "fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        environment = dict(os.environ, MPISPEC_PROFILE=str(fresh), MPIEXEC_TIMEOUT="300")
        environment.update(variable.split("=", 1) for variable in self.variables)
        command = ["mpiexec", *self.launcher, "-n", str(self.options.ranks), "env",
                   f"LD_PRELOAD={self.options.build}/lib/libmpispec.so", *self.options.program]
        result = subprocess.run(command, env=environment, capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"profile_proposals.py: {' '.join(map(str, command))}: {result.stdout}{result.stderr}")
        seconds = max(rank["seconds"] for rank in profile(self.options, fresh)["ranks"])
        if self.seconds is None or seconds < self.seconds:
            self.seconds = seconds
            shutil.rmtree(self.profile, ignore_errors=True)
            fresh.rename(self.profile)


def mpispec_profile(options, *words):
    command = [options.build / "bin/mpispec", "profile", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def profile(options, directory):
    return json.loads(mpispec_profile(options, "--format=json", directory))


def proposals(advice):
    """Each once, with the places and IDs that it is for."""
    found = {}
    for one in advice:
        for proposal in one["proposals"]:
            key = (tuple(proposal["launcher"]), tuple(proposal["variables"]), proposal["text"])
            reasons, reason = found.setdefault(key, []), f"{one['place']} {one['id']}"
            if reason not in reasons:  # one piece of advice may have a proposal twice
                reasons.append(reason)
    return found


def why_untried(options, launcher, variables):
    """None if it can be tried here."""
    if not launcher and not variables:
        return "a change of the program or of the machine"
    if "core" in launcher and options.ranks > len(os.sched_getaffinity(0)):
        return f"{options.ranks} ranks, and {len(os.sched_getaffinity(0))} cores here"
    return None


def site_seconds(run, place):
    return sum(site["seconds"] for site in run["sites"] if site["place"] == place)


def effect(options, before, variant, place):
    """In words: the run, and the site with most time."""
    old, new = profile(options, before.profile), profile(options, variant.profile)
    was, now = site_seconds(old, place), site_seconds(new, place)
    ratios = f"{variant.seconds / before.seconds:.2f} | {now / was:.2f}" if was else "- | -"
    return f"{before.seconds * 1e3:.0f} ms | {variant.seconds * 1e3:.0f} ms | {ratios}"


def code(text):
    return "```text\n" + text.strip() + "\n```\n"


def try_proposal(options, number, launcher, variables):
    """Both variants, each after its fastest run."""
    old, new = Variant(options, f"before.{number}"), Variant(options, f"after.{number}", launcher, variables)
    for turn in range(options.turns):
        for variant in (old, new) if turn % 2 else (new, old):
            variant.run()
    return old, new


def compared(options, old, new):
    return code(mpispec_profile(options, "--width=118", "--sites=3", f"--compare={old.profile}", new.profile))


def loop(options):
    """Yields the parts of the result."""
    baseline = Variant(options, "before")
    for _ in range(options.turns):
        baseline.run()
    yield code(mpispec_profile(options, "--width=118", baseline.profile))
    before = profile(options, baseline.profile)
    place = before["sites"][0]["place"]
    rows, comparisons = [], []
    for number, ((launcher, variables, text), reasons) in enumerate(proposals(before["advice"]).items()):
        untried = why_untried(options, launcher, variables)
        if untried:
            rows.append(f"| {text} | {'; '.join(reasons)} | untried: {untried} | | | |")
            continue
        old, new = try_proposal(options, number, launcher, variables)
        rows.append(f"| {text} | {'; '.join(reasons)} | {effect(options, old, new, place)} |")
        comparisons.append(f"{text[0].upper()}{text[1:]}.\n\n" + compared(options, old, new))
    header = f"| proposal | for | run | then | ratio | ratio of {place} |\n|---|---|---:|---:|---:|---:|\n"
    yield header + "\n".join(rows) + "\n"
    yield from comparisons


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=ROOT / "build/release", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--work", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--ranks", default=2, type=int)
    parser.add_argument("--turns", default=3, type=int)
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if not options.program:
        parser.error("no program")
    options.work = options.work or options.build / "profile-loop/proposals"
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    parts = []
    for part in loop(options):
        parts.append(part.replace(str(options.work) + "/", ""))
        print(parts[-1], flush=True)
    if options.output:
        options.output.write_text("\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
