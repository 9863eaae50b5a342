#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs mpi4py's test suite and prints the outcome of each test, or compares two such runs of a rank.

usage: mpi4py_outcomes.py run SUITE [OPTIONS OF THE SUITE]     as a rank of an MPI job
       mpi4py_outcomes.py compare PLAIN OTHER                  two files with the output of a rank

Each rank prints a line `begins NAME` before a test and `OUTCOME NAME` after it, among the output of the suite itself.
Therefore the output shows the test in which a run hung or ended. A test that passes in PLAIN must pass in OTHER.
"""
import os
import runpy
import sys
import unittest

OUTCOMES = {"addSuccess": "passes", "addFailure": "fails", "addError": "fails", "addSkip": "skips",
            "addExpectedFailure": "skips", "addUnexpectedSuccess": "fails"}


def recorder(file):
    """A class of results that writes to `file`, lines of their own whatever else is printed there."""
    def say(word, test):
        file.write(f"\n{word} {test.id()}\n")
        file.flush()

    class Recorder(unittest.TextTestResult):
        def startTest(self, test):
            say("begins", test)
            super().startTest(test)

    def saying(name, outcome):
        def method(self, test, *details):
            say(outcome, test)
            getattr(super(Recorder, self), name)(test, *details)
        return method

    for name, outcome in OUTCOMES.items():
        setattr(Recorder, name, saying(name, outcome))
    return Recorder


def run(suite, options):
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as file:  # some tests replace sys.stdout
        unittest.TextTestRunner.resultclass = recorder(file)
        sys.argv = [os.path.join(suite, "main.py"), *options]
        runpy.run_path(sys.argv[0], run_name="__main__")


def read(name):
    """Test to outcome; the test in which the rank ended early, or None."""
    outcomes, begun = {}, None
    with open(name, encoding="utf-8", errors="replace") as file:
        for line in file:
            word, _, test = line.strip().partition(" ")
            if word == "begins":
                begun = test
            elif word in OUTCOMES.values():
                # A test whose parts fail has several outcomes; failing is the last word.
                if outcomes.get(test) != "fails":
                    outcomes[test] = word
                begun = None
    return outcomes, begun


def compare(plain, other):
    before, stopped_before = read(plain)
    after, stopped_after = read(other)
    wrong = [f"{after.get(test, 'is missing')}: {test}" for test, outcome in before.items()
             if outcome == "passes" and after.get(test) != "passes"]
    if stopped_before or not before:
        wrong.append(f"a plain run does not come through {stopped_before}")
    if stopped_after:
        wrong.append(f"stopped in {stopped_after}")
    for line in wrong:
        print(f"        {line}")
    return 1 if wrong else 0


def main():
    if len(sys.argv) >= 3 and sys.argv[1] == "run":
        return run(sys.argv[2], sys.argv[3:])
    if len(sys.argv) == 4 and sys.argv[1] == "compare":
        return compare(sys.argv[2], sys.argv[3])
    sys.exit("\n".join(__doc__.strip().splitlines()[2:4]))


if __name__ == "__main__":
    sys.exit(main())
