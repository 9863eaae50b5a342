#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a table of the results that compare-hpcc.sh measured: the plain program's medians of all turns, the ratios of
the other variants to them, and in brackets the ratios of the best turns.

    hpcc_table.py DIR      with DIR/<plain|lanes|specialised>.<turn>, an hpccoutf.txt each
"""
import pathlib
import statistics
import sys

# Name in HPCC's summary, what it is, is more better?
ROWS = [
    ("MPIFFT_Gflops", "MPIFFT, Gflop/s", True),
    ("PTRANS_GBs", "PTRANS, GB/s", True),
    ("MPIRandomAccess_GUPs", "RandomAccess, GUP/s", True),
    ("MPIRandomAccess_LCG_GUPs", "RandomAccess (LCG), GUP/s", True),
    ("AvgPingPongLatency_usec", "b_eff ping-pong of 8 B, us", False),
    ("AvgPingPongBandwidth_GBytes", "b_eff ping-pong of 2 MB, GB/s", True),
    ("NaturallyOrderedRingLatency_usec", "b_eff natural ring of 8 B, us", False),
    ("NaturallyOrderedRingBandwidth_GBytes", "b_eff natural ring of 2 MB, GB/s", True),
    ("RandomlyOrderedRingLatency_usec", "b_eff random ring of 8 B, us", False),
    ("RandomlyOrderedRingBandwidth_GBytes", "b_eff random ring of 2 MB, GB/s", True),
    ("HPL_Tflops", "HPL, Tflop/s", True),
]
VARIANTS = ["plain", "lanes", "specialised"]


def read(path):
    summary = {}
    for line in path.read_text().splitlines():
        name, equals, value = line.partition("=")
        if equals:
            summary[name] = value
    return summary


def main():
    runs = {variant: [read(path) for path in pathlib.Path(sys.argv[1]).glob(f"{variant}.*")]
            for variant in VARIANTS}
    print("| HPC Challenge, two ranks | plain MPI | runtime only | specialised |")
    print("|---|---:|---:|---:|")
    for name, title, more in ROWS:
        values = {variant: [float(run[name]) for run in runs[variant]] for variant in VARIANTS}
        ratios = []
        for pick in (statistics.median, max if more else min):
            ours, plain = [pick(values[variant]) for variant in VARIANTS[1:]], pick(values["plain"])
            ratios.append([one / plain if more else plain / one for one in ours])
        print(f"| {title} | {statistics.median(values['plain']):.4g} | " +
              " | ".join(f"{median:.2f} ({best:.2f})" for median, best in zip(*ratios)) + " |")


if __name__ == "__main__":
    main()
