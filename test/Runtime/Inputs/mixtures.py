#!/usr/bin/env python3
"""Runs random mixtures of programs and faults as one job: with and without the runtime, other tools,
refusing systems, other settings, other launchers, several machines. Each job must end, be right, and
be of one mind: lanes on all ranks or on none.

    mixtures.py DIRECTORY RUNTIME.so SEED JOBS

The directory has the programs (exchange linked in three ways), tools, refuse.so, and the other
launcher. A failure prints the command. Exit status 1 on a failure.
"""
import os
import random
import subprocess
import sys

directory, runtime, seed, jobs = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
chance = random.Random(seed)

TOOLS = ["Init", "Send", "Waitall", "Barrier"]
# UCX reads other processes' memory, too, unless told not to; its own faults are not ours.
TRANSPORTS = "self,sysv,posix"
REFUSALS = ["memfd", "space", "attach", "readv", "readv-later", "readv-more", "memory", "memory-while"]


def path(name):
    return os.path.join(directory, name)


def happens(percent):
    return chance.random() * 100 < percent


def program():
    """One program of the job, as mpiexec is told of it."""
    name = chance.choice(["static", "static", "static", "shared", "plain"])
    arguments, preloaded = ["-n", chance.choice("112")], []
    if happens(15):
        preloaded.append(path(chance.choice(TOOLS) + ".so"))
    if name == "plain" and happens(60):
        preloaded.insert(chance.randint(0, len(preloaded)), runtime)
    if happens(15):
        preloaded.append(path("refuse.so"))
        arguments += ["-env", "REFUSE", chance.choice(REFUSALS)]
    if happens(10):
        arguments += ["-env", "MPISPEC_MODE", chance.choice(["off", "full", "strange"])]
    if preloaded:
        arguments += ["-env", "LD_PRELOAD", " ".join(preloaded)]
    return arguments + [path(name)]


def job():
    command = [chance.choice(["mpiexec", "mpiexec", path("launcher/mpiexec")])]
    if happens(40):
        command += ["-launcher", "fork", "-hosts", "one,two", "-ppn", chance.choice("123")]
    command += program()
    for _ in range(chance.choice([1, 1, 2])):
        command += [":"] + program()
    return command


for _ in range(jobs):
    command = job()
    variables = dict(MPISPEC_MODE="lanes", MPISPEC_VERBOSE="1", MPIEXEC_TIMEOUT="60", UCX_TLS=TRANSPORTS)
    if happens(15):
        variables["MPIR_CVAR_ODD_EVEN_CLIQUES"] = "1"
    done = subprocess.run(command, env=dict(os.environ, **variables), capture_output=True, text=True)
    said = done.stdout + done.stderr
    of_two_minds = "lanes are open" in said and "all calls go to MPI" in said
    if done.returncode or "right" not in said or of_two_minds:
        print(" ".join(f"{name}={value}" for name, value in variables.items()), *command)
        sys.exit(said)
print(f"{jobs} jobs ended well")
