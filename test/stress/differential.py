#!/usr/bin/env python3
"""Runs random MPI programs with plain MPI and with the runtime, and compares what every rank saw.

    differential.py --program PATH [--specialised PATH] [--seeds 1-20] [--ranks 2,3,4,6]
                    [--threads 1,2,3] [--nodes] [--phases 30] [--largest BYTES] [--seconds N]
                    [--answers FILE] [--only PHASE]

--program is test/stress linked with the runtime; it runs with MPISPEC_MODE=off and =lanes.
--specialised is the same compiled through mpispec; it runs with MPISPEC_MODE=full.
--nodes lets one machine look like several (MPICH's odd-even cliques).
--threads: each program draws one of these numbers of threads per rank. Ranks of one thread draw a level of threads each,
because ranks of one job may differ in it.
--answers keeps what plain MPI said: a seed that was asked before is not asked again.
--yield is test/Inputs/polite-library.c as a library: ranks of plain MPI give way to each other, and every
other seed's with the runtime, too. More programs are tested in the same time.
--refuse is test/Runtime/Inputs/refuse.c as a library: with the runtime, the system refuses to half of the ranks, always
or from some time on, to read or write the memory of the others.

With the runtime, each rank's long messages go in a way of its own (MPISPEC_LONG_MESSAGES), and each is told
another cost model (MPISPEC_COST_MODEL), which may be anything: both functions of the seed; ranks need not
agree. The models stand beside the program.

Every program checks itself what it receives, so a failure says where it was; it is told together with
the command that repeats it. Exit status 1 on a failure. A program that plain MPI does not bear is told
and left out.
"""
import argparse
import glob
import hashlib
import json
import os
import random
import shlex
import subprocess
import sys
import time


class Tester:
    def __init__(self, arguments):
        self.arguments = arguments
        self.answers = {}
        self.counts = {}
        if arguments.answers and os.path.exists(arguments.answers):
            with open(arguments.answers, encoding="utf-8") as file:
                self.answers = json.load(file)
        digest = hashlib.sha256()
        for name in sorted(glob.glob(os.path.join(os.path.dirname(__file__), "*.[ch]"))):
            with open(name, "rb") as file:
                digest.update(file.read())
        self.sources = digest.hexdigest()[:16]
        self.models = CostModels(arguments.program)

    def run(self, program, mode, ranks, seed, threads):
        """Returns what every rank said, or None, and the command with what else it said."""
        added = {"MPISPEC_MODE": mode, "MPIEXEC_TIMEOUT": str(self.arguments.limit),
                 "STRESS_LIMIT": str(self.arguments.limit - 5)}
        if self.arguments.nodes: # the library combines in another order over several
            added["MPIR_CVAR_ODD_EVEN_CLIQUES"] = "1"
        polite = ""
        if self.arguments.yielding and (mode == "off" or seed % 2):
            polite = os.path.abspath(self.arguments.yielding)
        test = [program, str(seed), str(self.arguments.phases), str(self.arguments.largest), str(threads)]
        if self.arguments.only:
            test.append(self.arguments.only)
        command = ["mpiexec"]
        if mode == "off":
            command += [*preloaded([polite]), "-n", str(ranks), *test]
        else:
            added["MPISPEC_VERBOSE"] = "1"
            command += self.each_its_way(ranks, seed, threads, polite, test)
        done = subprocess.run(command, env=dict(os.environ, **added), capture_output=True,
                              text=True, errors="replace")
        shown = " ".join([f"{name}={value}" for name, value in added.items()] +
                         [shlex.quote(word) for word in command])
        said = "".join(sorted(done.stdout.splitlines(True)))
        if done.returncode:
            return None, f"{shown}\n{said}{done.stderr}"
        if mode != "off" and "lanes are open" not in done.stderr:
            return None, f"{shown}\nno lanes are open\n{done.stderr}"
        return said, shown

    def each_its_way(self, ranks, seed, threads, polite, test):
        """The arguments of mpiexec that start the test with long messages in some way, and at some level, on each
        rank."""
        chance, words = random.Random(seed), []
        for rank in range(ranks):
            way = chance.choice(["measured", "measured", "pipe", "shared", "shared"])
            level = [] if threads > 1 else [f"STRESS_LEVEL={chance.randrange(4)}"]
            setting = self.models.setting(chance, f"{seed}-{rank}")
            refused = refusal(chance) if self.arguments.refuse else []
            library = os.path.abspath(self.arguments.refuse) if refused else ""
            words += [":", *preloaded([polite, library]), "-n", "1", "env", "MPISPEC_LONG_MESSAGES=" + way, *setting,
                      *refused, *level, *test]
        return words[1:]

    def plain(self, ranks, seed, threads):
        """What plain MPI says; None if it fails."""
        key = f"{self.sources} {seed} {self.arguments.phases} {self.arguments.largest} " \
              f"{ranks} {threads} {self.arguments.only} {self.arguments.nodes}"
        if key not in self.answers:
            said, why = self.run(self.arguments.program, "off", ranks, seed, threads)
            if said is None:
                print(f"seed {seed}, {ranks} ranks, {threads} threads: left out, plain MPI fails: "
                      f"{why}", flush=True)
                return None
            self.answers[key] = said
        return self.answers[key]

    def save(self):
        if self.arguments.answers:
            with open(self.arguments.answers, "w", encoding="utf-8") as file:
                json.dump(self.answers, file)

    def test(self, ranks, seed, threads):
        """Returns what went wrong, or None."""
        expected = self.plain(ranks, seed, threads)
        if expected is None:
            return None
        programs = [(self.arguments.program, "lanes")]
        if self.arguments.specialised:
            programs.append((self.arguments.specialised, "full"))
        for program, mode in programs:
            said, what = self.run(program, mode, ranks, seed, threads)
            if said is None:
                return f"failed: {what}"
            if said != expected:
                return f"saw something else: {what}\nplain MPI:\n{expected}here:\n{said}"
            configuration = f"{mode}, {ranks} ranks, {threads} thread(s)"
            self.counts[configuration] = self.counts.get(configuration, 0) + 1
        return None


class CostModels:
    """Texts that are cost models of this machine, of another one, damaged, or no model at all."""

    def __init__(self, program):
        self.directory = os.path.abspath(program) + ".models"
        self.machine = subprocess.run([program, "machine"], capture_output=True, text=True, check=True).stdout.strip()
        os.makedirs(self.directory, mode=0o700, exist_ok=True)

    def row(self, chance):
        cost = chance.choice([lambda: chance.randrange(20, 200), lambda: chance.randrange(10 ** 9)])
        return (f"{chance.choice(['core', 'cache', 'package', 'machine'])} {1 << chance.randrange(16, 25)} "
                f"{chance.choice(['one-way', 'both-ways'])} {chance.choice(['apart', 'back-to-back'])} "
                f"{cost()} {cost()} {chance.choice(['pipe', 'shared'])}\n")

    def text(self, chance):
        machine = chance.choice([self.machine, self.machine, self.machine, "another"])
        rows = "".join(self.row(chance) for _ in range(chance.randrange(100)))
        text = f"mpispec cost model 2\nmachine {machine}\n{rows}end\n".encode()
        damage = chance.randrange(6)
        if damage == 0:
            text = text[:chance.randrange(len(text))]
        elif damage == 1:
            at = chance.randrange(len(text))
            text = text[:at] + chance.randbytes(1) + text[at + 1:]
        elif damage == 2:
            text = chance.randbytes(chance.randrange(10000))
        return text

    def setting(self, chance, name):
        """What a rank is told: a model of its own, none, or to learn one in the cache that all share."""
        kind = chance.randrange(4)
        if kind == 0:
            return ["MPISPEC_CACHE=" + self.directory]
        if kind == 1:
            return ["MPISPEC_COST_MODEL=" + chance.choice(["built-in", self.directory, "/dev/zero"])]
        path = os.path.join(self.directory, name)
        with open(path + ".new", "wb") as file:
            file.write(self.text(chance))
        os.rename(path + ".new", path)
        return ["MPISPEC_COST_MODEL=" + path]


def preloaded(libraries):
    """The option of mpiexec that preloads those of the libraries that are not empty."""
    names = ":".join(filter(None, libraries))
    return ["-env", "LD_PRELOAD", names] if names else []


def refusal(chance):
    """What the system refuses, as variables of test/Runtime/Inputs/refuse.c; or nothing."""
    if chance.randrange(2):
        return []
    what = chance.choice(["readv", "writev", "readv-later", "writev-later", "readv,writev", "readv-later,writev",
                          "readv-more,writev-more", "readv,writev-later", "readv-later,writev-later,readv-more"])
    return ["REFUSE=" + what, f"REFUSE_AFTER={chance.randrange(40)}"]


def numbers(text):
    return [int(word) for word in text.split(",")]


def plan(seeds, arguments):
    """All that shall be tested, for as long as there is time."""
    end = time.time() + arguments.seconds
    for seed in seeds:
        for ranks in arguments.ranks:
            if time.time() > end:
                return
            yield seed, ranks, random.Random(f"{seed} {ranks}").choice(arguments.threads)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--specialised")
    parser.add_argument("--seeds", default="1-20")
    parser.add_argument("--ranks", type=numbers, default=[2, 3, 4, 6])
    parser.add_argument("--threads", type=numbers, default=[1])
    parser.add_argument("--phases", type=int, default=30)
    parser.add_argument("--largest", type=int, default=4 << 20)
    parser.add_argument("--nodes", action="store_true")
    parser.add_argument("--answers")
    parser.add_argument("--only", help="phases of this name (test/stress/stress.c) and no others")
    parser.add_argument("--yield", dest="yielding")
    parser.add_argument("--refuse")
    parser.add_argument("--limit", type=int, default=120, help="seconds for one run")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so long")
    arguments = parser.parse_args()
    first, _, last = arguments.seeds.partition("-")
    tester, failed = Tester(arguments), False
    for seed, ranks, threads in plan(range(int(first), int(last or first) + 1), arguments):
        failure = tester.test(ranks, seed, threads)
        if failure:
            print(f"seed {seed}, {ranks} ranks, {threads} threads {failure}", flush=True)
            failed = True
    tester.save()
    for configuration, count in sorted(tester.counts.items()):
        print(f"{configuration}: {count} programs saw the same as with plain MPI")
    return failed or not tester.counts


if __name__ == "__main__":
    sys.exit(main())
