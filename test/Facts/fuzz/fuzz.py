#!/usr/bin/env python3
"""Looks for proven facts that are wrong at run time.

For each seed a random program (program.py) is built twice, plainly and with
`mpispec --mpispec-check-facts`, where each rewritten call counts how often what was proven about it
holds (templates/mpispec/fact_check.h). It runs over an MPI library of one process (fake_mpi.c) as every rank of
jobs of several sizes. Both builds must print the same, and every fact must have held at every call.
(The site functions guard the facts that they use, so a wrong one would only be slow. dialects.py looks for
guards that let something through.)

    fuzz.py --bin build/dev/bin --seeds 0..200             # a few minutes
    fuzz.py --bin build/dev/bin --seconds 36000 --jobs 2   # a night; seeds from the clock
    fuzz.py --bin build/dev/bin --seeds 4711..4711 --keep . # look at one program
    fuzz.py --bin build/dev/bin --self-test                # is a wrong fact found at all?

A program that fails is kept, with the command that shows it again, and made smaller line by line.
At the end stands how much was proven, so that one sees that the search bites, and why translation
units were left alone, if some were.
"""

import argparse
import collections
import concurrent.futures
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import program

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = os.path.join(HERE, "..", "..", "Inputs")
STYLES = ["mpich", "openmpi", "abi"]
SIZES = [1, 2, 3, 4, 7]
C_COMPILERS = ["gcc", "gcc", "gcc", "clang-22"]
CXX_COMPILERS = ["g++", "g++", "clang++-22"]
LEVELS = ["-O0", "-O1", "-O2", "-O2", "-O3"]


class Failure(Exception):
    """The program shows a defect; .kind tells failures apart while one is made smaller."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


def command(words, **options):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=60, **options)


class Configuration:
    """How one seed's program is compiled."""

    def __init__(self, seed):
        chance = random.Random(seed * 31 + 7)
        self.cplusplus = chance.random() < 0.45
        self.compiler = chance.choice(CXX_COMPILERS if self.cplusplus else C_COMPILERS)
        self.style = chance.choice(STYLES)
        standard = chance.choice(["-std=c++17", "-std=c++20"] if self.cplusplus else
                                 ["-std=gnu17", "-std=gnu11", "-std=c11"])
        self.flags = [chance.choice(LEVELS), standard, "-w", "-I" + HERE,
                      "-I" + os.path.join(INPUTS, f"mpi-{self.style}-style")]
        if chance.random() < 0.2:
            self.flags.append("-fPIC")
        if chance.random() < 0.1:
            self.flags.append("-fwrapv")
        if chance.random() < 0.15 and self.compiler.startswith("g"):
            self.flags.append("-fopenmp")

    def __str__(self):
        return " ".join([self.compiler, *self.flags[:2], self.style])


class Fuzzer:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.mpispec = os.path.join(options.bin, "mpispec")
        for style in STYLES:
            made = command(["gcc", "-O1", "-c", f"-I{INPUTS}/mpi-{style}-style",
                            os.path.join(HERE, "fake_mpi.c"), "-o", self.library(style)])
            if made.returncode:
                sys.exit(f"cannot build fake_mpi.c:\n{made.stdout}")

    def library(self, style):
        return os.path.join(self.work, f"fake-{style}.o")

    # --- one program ---

    def compile(self, folder, configuration, source, output, special):
        words = [configuration.compiler, *configuration.flags, "-c", source, "-o", output]
        if special:
            words = [self.mpispec, "--mpispec-check-facts", "--mpispec-remarks=remarks",
                     *(["--mpispec-save=save"] if special == "saved" else []), *words]
        done = command(words, cwd=folder)
        if done.returncode:
            raise Failure("compile", f"{' '.join(words)}\n{done.stdout}")

    def build(self, folder, configuration, special):
        suffix = "cpp" if configuration.cplusplus else "c"
        kind = "special" if special else "plain"
        objects = []
        for unit in ("a", "b"):
            objects.append(f"{kind}-{unit}.o")
            self.compile(folder, configuration, f"{unit}.{suffix}", objects[-1], special)
        self.link(folder, configuration, objects, kind)

    def link(self, folder, configuration, objects, name):
        words = [configuration.compiler, *configuration.flags, *objects,
                 self.library(configuration.style), "-o", name]
        done = command(words, cwd=folder)
        if done.returncode:
            raise Failure("link", done.stdout)

    def run(self, folder, name, seed, rank, size, returns):
        settings = dict(os.environ, OMP_NUM_THREADS="3", FUZZ_RANK=str(rank), FUZZ_SIZE=str(size), FUZZ_SEED=str(seed),
                        **({"FUZZ_ABORT_RETURNS": "1"} if returns else {}))
        try:
            done = subprocess.run([f"./{name}"], cwd=folder, env=settings, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, errors="replace", timeout=20)
        except subprocess.TimeoutExpired:
            raise Failure("hang", f"{name} hangs as rank {rank} of {size}")
        return done.returncode, done.stdout, done.stderr

    def compare(self, folder, seed):
        for size in SIZES:
            for rank in range(size):
                returns = (rank + size + seed) % 2 == 0
                where = f"rank {rank} of {size}, MPI_Abort {'returns' if returns else 'ends'}"
                plain = self.run(folder, "plain", seed, rank, size, returns)
                if plain[0] < 0:
                    raise Failure("generator", f"the plain program fails as {where}: {plain}")
                special = self.run(folder, "special", seed, rank, size, returns)
                wrong = re.search(r"mpispec: .* is proven to .*", special[2])
                if wrong:
                    raise Failure("fact", f"{where}: {wrong.group(0)}")
                told = "".join(line for line in special[2].splitlines(keepends=True) if " is predicted to " not in line)
                special = special[0], special[1], told
                if special != plain:
                    raise Failure("output", f"{where}: outputs differ, status {special[0]}")

    def try_program(self, folder, files, configuration, seed, special=True):
        """Raises Failure; otherwise the folder holds both builds and the remarks."""
        for name, text in files.items():
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        try:
            self.build(folder, configuration, False)
        except Failure as failure:
            raise Failure("generator", str(failure))
        self.build(folder, configuration, special)
        self.compare(folder, seed)

    def seed(self, seed):
        """(failure or None, counts) of one seed."""
        configuration = Configuration(seed)
        files = program.Generator(seed, configuration.cplusplus).program()
        folder = tempfile.mkdtemp(dir=self.work)
        failure = None
        try:
            self.try_program(folder, files, configuration, seed)
        except Failure as caught:
            failure = caught
        except subprocess.TimeoutExpired as caught:
            failure = Failure("hang", str(caught))
        counts = read_remarks(folder)
        if counts["remark fallback-integrity"] and not failure:
            failure = Failure("compile", "mpispec does not pass its own check (fallback-integrity)")
        if failure or self.options.keep:
            self.keep(folder, files, configuration, seed, failure)
        shutil.rmtree(folder)
        return failure, counts

    # --- what is kept of a failure ---

    def keep(self, folder, files, configuration, seed, failure):
        kept = os.path.join(self.options.keep or self.options.failures, f"seed-{seed}")
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept)
        if failure and self.options.shrink and failure.kind in ("fact", "output", "compile"):
            small = self.shrink(files, configuration, seed, failure)
            folder = os.path.join(kept, "small")
            os.mkdir(folder)
            try:
                self.try_program(folder, small, configuration, seed, "saved")
            except Failure:
                pass
        with open(os.path.join(kept, "README"), "w") as file:
            file.write(f"seed {seed}: {configuration}\n{failure or 'no failure'}\n"
                       f"compiled with: {' '.join([configuration.compiler, *configuration.flags])}\n")

    def shrink(self, files, configuration, seed, failure):
        """Takes lines away while the program still fails in the same way; brackets of lines go
        together because halves are tried before single lines."""
        end = time.monotonic() + self.options.shrink
        folder = tempfile.mkdtemp(dir=self.work)

        def still_fails(candidate):
            try:
                self.try_program(folder, candidate, configuration, seed)
            except Failure as caught:
                return caught.kind == failure.kind
            except subprocess.TimeoutExpired:
                pass
            return False

        for name in sorted(files, reverse=True):
            lines = files[name].split("\n")
            size = max(1, len(lines) // 2)
            while size:
                start = 0
                while start < len(lines) and time.monotonic() < end:
                    fewer = lines[:start] + lines[start + size:]
                    if still_fails({**files, name: "\n".join(fewer)}):
                        lines = fewer
                        files = {**files, name: "\n".join(lines)}
                    else:
                        start += size
                size //= 2
        shutil.rmtree(folder)
        return files


def read_remarks(folder):
    """Counts of what the remarks of one program say."""
    counts = collections.Counter(programs=1)
    for path in glob.glob(os.path.join(folder, "remarks", "**", "*.yaml"), recursive=True):
        with open(path) as file:
            for document in file.read().split("--- ")[1:]:
                name = re.search(r"^Name:\s*(\S+)", document, re.M)
                if not name:
                    continue
                counts["remark " + name.group(1)] += 1
                if name.group(1) != "specialised":
                    if name.group(1).startswith("fallback-"):
                        print("  fallback:", " ".join(re.findall(r"String:\s*(.*)", document)))
                    continue
                counts["sites"] += 1
                for key in ("size", "node", "count", "datatype", "tag", "peer", "recv_size",
                            "recv_node", "recv_count", "source"):
                    if re.search(rf"^\s*- {key}:", document, re.M):
                        counts["fact " + key] += 1
    return counts


def report(counts, failures, first, last, seconds):
    print(f"seeds {first}..{last}: {counts['programs']} programs, {counts['sites']} rewritten calls, "
          f"{seconds:.0f} s, {len(failures)} failures")
    for kind in ("fact ", "remark "):
        found = [f"{name[len(kind):]} {n}" for name, n in sorted(counts.items())
                 if name.startswith(kind)]
        print(f"  {kind.strip()}s: " + (", ".join(found) or "none"))


def fuzz(fuzzer, options, seeds):
    begin, counts, failures, last = time.monotonic(), collections.Counter(), [], None
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = {}
        for seed in seeds:
            if options.seconds and time.monotonic() - begin > options.seconds:
                break
            running[pool.submit(fuzzer.seed, seed)] = last = seed
            if len(running) < 2 * options.jobs:
                continue
            collect(running, counts, failures, concurrent.futures.FIRST_COMPLETED)
        collect(running, counts, failures, concurrent.futures.ALL_COMPLETED)
    report(counts, failures, seeds[0], last, time.monotonic() - begin)
    if not counts["fact node"] or not counts["fact size"]:
        sys.exit("nothing was proven: the search does not bite")
    sys.exit(1 if failures else 0)


def collect(running, counts, failures, until):
    done, _ = concurrent.futures.wait(running, return_when=until)
    for future in done:
        seed = running.pop(future)
        failure, found = future.result()
        counts.update(found)
        if failure:
            failures.append(seed)
            print(f"seed {seed} ({Configuration(seed)}): {failure.kind}: {str(failure)[:1500]}",
                  flush=True)


def self_test(fuzzer):
    """Corrupts one fact at a time in the rewritten text of a program; each must be noticed."""
    with open(os.path.join(HERE, "self-test.c")) as file:
        text = file.read()
    folder = tempfile.mkdtemp(dir=fuzzer.work)
    configuration = Configuration(0)
    configuration.cplusplus, configuration.compiler, configuration.style = False, "gcc", "mpich"
    configuration.flags = ["-O1", "-w", "-I" + HERE, f"-I{INPUTS}/mpi-mpich-style"]
    fuzzer.try_program(folder, {"a.c": text, "b.c": "int unused;\n"}, configuration, 1, "saved")
    saved = [path for path in glob.glob(os.path.join(folder, "save", "**", "rewritten.i"), recursive=True)
             if "mpispec_site_0" in open(path).read()]
    with open(saved[0]) as file:
        rewritten = file.read()
    # The last number is the upper bound, the size of an element, a handle's bits, or whether the peer is
    # the caller.
    checks = list(re.finditer(r"^  mpispec_check_(\w+)\(mpispec_checks_.*, (\w+)\);$", rewritten, re.M))
    missed = 0
    for match in checks:
        value = 1 - int(match.group(2)) if match.group(1) == "peer" else -5
        wrong = re.sub(r"\w+\);$", f"{value});", match.group(0))
        with open(os.path.join(folder, "wrong.i"), "w") as file:
            file.write(rewritten[:match.start()] + wrong + rewritten[match.end():])
        command(["gcc", "-O1", "-w", "-c", "wrong.i", "-o", "wrong.o"], cwd=folder)
        fuzzer.link(folder, configuration, ["wrong.o"], "special")
        try:
            fuzzer.compare(folder, 1)
            print(f"not noticed: {wrong.strip()}")
            missed += 1
        except Failure as failure:
            assert failure.kind == "fact", failure
    print(f"{len(checks)} corrupted facts, {missed} not noticed")
    sys.exit(1 if missed or len(checks) < 10 else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of mpispec")
    parser.add_argument("--seeds", help="FIRST..LAST; default: from the clock on")
    parser.add_argument("--seconds", type=float, default=0, help="start no program after so long")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", help="folder for all programs")
    parser.add_argument("--failures", default="fuzz-failures", help="folder for those that fail")
    parser.add_argument("--shrink", type=float, default=120, help="seconds to spend on each failure")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    first = int(time.time())
    first, last = map(int, options.seeds.split("..")) if options.seeds else (first, first + 10**9)
    print(f"seeds {first}..{last if options.seeds else ''}", flush=True)
    work = tempfile.mkdtemp(prefix="mpispec-fuzz-")
    try:
        fuzzer = Fuzzer(options, work)
        self_test(fuzzer) if options.self_test else fuzz(fuzzer, options, range(first, last + 1))
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
