#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how often predictions held in a run of a program that was built with --mpispec-check-facts.

usage: held_predictions.py OUTPUT LEAST

OUTPUT is a file with the program's output. An argument's prediction held in a call if the argument had one of the
predicted values. Predicted size classes count, too. The exit status is 1 if less than LEAST percent of the predictions
held, or if there are none.
"""
import collections
import re
import sys

LINE = re.compile(
    r"^mpispec: (\S+): (\w+): argument (\d+) is predicted to (be|make it) (\S+) \(\d+ %\), and was in (\d+) of (\d+) calls"
)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip().splitlines()[2])
    # By argument and value: ranks count by themselves.
    held, calls = collections.Counter(), collections.defaultdict(collections.Counter)
    with open(sys.argv[1], encoding="utf-8", errors="replace") as output:
        for line in output:
            if match := LINE.match(line):
                argument = match.group(1, 2, 3, 4)
                held[argument] += int(match.group(6))
                calls[argument][match.group(5)] += int(match.group(7))
    all_calls = sum(max(of_values.values()) for of_values in calls.values())
    all_held = sum(held.values())
    if not all_calls:
        sys.exit(f"{sys.argv[1]} tells of no prediction")
    percent = 100 * all_held / all_calls
    print(f"{len(calls)} arguments are predicted; the predictions held {all_held} of {all_calls} times, {percent:.1f} %")
    sys.exit(percent < float(sys.argv[2]))


if __name__ == "__main__":
    main()
