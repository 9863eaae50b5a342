#!/usr/bin/env python3
"""Runs mpi4py's suite and writes down the outcome of each test; compares two such runs.

usage: mpi4py_outcomes.py run DIRECTORY SUITE [OPTIONS OF THE SUITE]     as a rank of an MPI job
       mpi4py_outcomes.py compare PLAIN OTHER                            two such directories

Each rank writes DIRECTORY/<rank>: a line `begins NAME` before a test, `OUTCOME NAME` after it. So a run
that hung or died says where. Compared is every test of every rank: what passes in PLAIN must pass in
OTHER.
"""
import os
import runpy
import sys
import unittest

OUTCOMES = {"addSuccess": "passes", "addFailure": "fails", "addError": "fails", "addSkip": "skips",
            "addExpectedFailure": "skips", "addUnexpectedSuccess": "fails"}


def recorder(file):
    """A class of results that writes to `file`."""
    class Recorder(unittest.TextTestResult):
        def startTest(self, test):
            file.write(f"begins {test.id()}\n")
            file.flush()
            super().startTest(test)

    def writing(name, outcome):
        def method(self, test, *details):
            file.write(f"{outcome} {test.id()}\n")
            file.flush()
            getattr(super(Recorder, self), name)(test, *details)
        return method

    for name, outcome in OUTCOMES.items():
        setattr(Recorder, name, writing(name, outcome))
    return Recorder


def run(directory, suite, options):
    with open(os.path.join(directory, os.environ.get("PMI_RANK", "0")), "w",
              encoding="utf-8") as file:
        unittest.TextTestRunner.resultclass = recorder(file)
        sys.argv = [os.path.join(suite, "main.py"), *options]
        runpy.run_path(sys.argv[0], run_name="__main__")


def read(name):
    """Test to outcome; the test in which the rank ended early, or None."""
    outcomes, begun = {}, None
    if os.path.exists(name):
        with open(name, encoding="utf-8") as file:
            for line in file:
                outcome, _, test = line.strip().partition(" ")
                if outcome == "begins":
                    begun = test
                else:
                    # A test whose parts fail has several outcomes; failing is the last word.
                    if outcomes.get(test) != "fails":
                        outcomes[test] = outcome
                    begun = None
    return outcomes, begun


def compare(plain, other):
    wrong = 0
    for rank in sorted(os.listdir(plain)):
        before, stopped_before = read(os.path.join(plain, rank))
        after, stopped_after = read(os.path.join(other, rank))
        if stopped_before or not before:
            print(f"rank {rank}: plain MPI does not come through {stopped_before}")
            wrong += 1
        if stopped_after:
            print(f"rank {rank}: stopped in {stopped_after}")
        for test in before:
            if before[test] == "passes" and after.get(test) != "passes":
                print(f"rank {rank}: {after.get(test, 'is missing')}: {test}")
                wrong += 1
        passes = sum(outcome == "passes" for outcome in before.values())
        print(f"rank {rank}: {len(before)} tests, {passes} pass with plain MPI, "
              f"{sum(after.get(t) == 'passes' for t in before)} with the runtime")
    return wrong != 0


def main():
    if len(sys.argv) >= 4 and sys.argv[1] == "run":
        return run(sys.argv[2], sys.argv[3], sys.argv[4:])
    if len(sys.argv) == 4 and sys.argv[1] == "compare":
        return compare(sys.argv[2], sys.argv[3])
    sys.exit("\n".join(__doc__.strip().splitlines()[2:4]))


if __name__ == "__main__":
    sys.exit(main())
