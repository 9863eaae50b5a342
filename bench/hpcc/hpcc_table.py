#!/usr/bin/env python3
"""Prints what compare-hpcc.sh measured as a table: the best of all turns, and its ratio to the plain program's.

    hpcc_table.py DIR      with DIR/<plain|lanes|specialised>.<turn>, an hpccoutf.txt each
"""
import pathlib
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
        best = {}
        for variant in VARIANTS:
            values = [float(run[name]) for run in runs[variant]]
            best[variant] = max(values) if more else min(values)
        ratios = [best[v] / best["plain"] if more else best["plain"] / best[v] for v in VARIANTS[1:]]
        print(f"| {title} | {best['plain']:.4g} | " +
              " | ".join(f"{ratio:.2f}" for ratio in ratios) + " |")


if __name__ == "__main__":
    main()
