# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs plain MPI programs of the bench with a build of the shared runtime preloaded."""
import os
import pathlib
import re
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCHES = {"latency": "bench/runtime/latency.c", "both-ways": "bench/exchange/both-ways.c",
           "collectives": "bench/collectives/collectives.c"}


class Failed(Exception):
    """A program that cannot be compiled or has a wrong result; its text is a command and what the command printed."""


def command(*words, **more):
    """The output of a command that must succeed."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode:
        raise Failed(f"{shlex.join(map(str, words))} failed:\n{done.stdout[-3000:]}")
    return done.stdout


def compile_benches(folder):
    """The programs of BENCHES, in this folder."""
    common = ROOT / "bench/common"
    folder.mkdir(parents=True, exist_ok=True)
    for name, source in BENCHES.items():
        command("mpicc", "-O2", "-std=gnu11", "-D_GNU_SOURCE", "-w", f"-I{common}", ROOT / source,
                common / "handoff.c", common / "measure.c", "-o", folder / name)


def run(words, library, **variables):
    """Each name that a program prints at the beginning of a line, with its number. "handoff" is the handoff between the
    cores in ns: the third word of a line, or the number of a name that begins so."""
    environment = dict(os.environ, LD_PRELOAD=str(library), MPIEXEC_TIMEOUT="120", **variables)
    done = subprocess.run(words, env=environment, text=True, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode or "WRONG" in done.stdout:
        raise Failed(f"{shlex.join(map(str, words))} with {library} failed:\n{done.stdout}{done.stderr}")
    numbers, handoff = {}, 0
    for row in map(str.split, done.stdout.splitlines()):
        if len(row) < 2 or not re.fullmatch(r"[0-9]+(\.[0-9]*)?(e[+-]?[0-9]+)?", row[1]):
            continue
        numbers[row[0]] = float(row[1])
        if row[0].startswith("handoff"):
            handoff = numbers[row[0]]
        elif len(row) > 2:
            handoff = float(row[2])
    return {"handoff": handoff, **numbers}
