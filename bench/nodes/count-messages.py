#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts messages between simulated nodes, in plain MPICH and with the runtime preloaded, for docs/results/nodes.md.

usage: count-messages.py [--build DIR] [--delay MICROSECONDS] [--record]

MPICH treats one machine as several nodes (MPIR_CVAR_NUM_CLIQUES), and UCX uses TCP between them (UCX_TLS). A library
that is linked with the program counts the messages and delays each (transport.c). collective-messages.c defines rounds.
The script prints the table, and with --record also writes it into the page.
"""

import argparse
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/results/nodes.md"
SHAPES = [(4, 2), (8, 2)]  # ranks, nodes
OPERATIONS = 12


def run(*words, **options):
    return subprocess.run(words, check=True, **options)


def count(directory, ranks, nodes, delay, runtime):
    """The rows of one run: name, messages, most of one rank, rounds."""
    environment = dict(os.environ, MPIR_CVAR_NUM_CLIQUES=str(nodes), UCX_TLS="tcp,self", MPIEXEC_TIMEOUT="90")
    words = ["mpiexec", "-n", str(ranks), "env", f"LD_PRELOAD={runtime}", f"{directory}/messages", str(delay)]
    output = subprocess.run(words, env=environment, capture_output=True, text=True, check=False).stdout
    rows = [line.split("|") for line in output.splitlines() if line.count("|") == 3]
    if len(rows) != OPERATIONS:
        raise SystemExit(f"count-messages.py: {ranks} ranks on {nodes} nodes did not come to the end")
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--delay", type=int, default=100000)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    runtime = pathlib.Path(options.build).resolve() / "lib/libmpispec.so"
    lines = []
    with tempfile.TemporaryDirectory() as directory:
        here = pathlib.Path(__file__).parent
        library = f"{directory}/libtransport.so"
        run("gcc", "-O1", "-fPIC", "-shared", here / "transport.c", "-o", library)
        program = here / "collective-messages.c"
        run("mpicc", "-O1", "-w", program, "-o", f"{directory}/messages", library, f"-Wl,-rpath,{directory}")
        for ranks, nodes in SHAPES:
            print(f"{ranks} ranks on {nodes} nodes", flush=True)
            tables = [count(directory, ranks, nodes, options.delay, preloaded) for preloaded in ("", runtime)]
            for plain, ours in zip(*tables):
                figures = [f"{int(float(x))}" for row in (plain, ours) for x in row[1:]]
                lines.append(f"| {ranks} on {nodes} | {plain[0]} | " + " | ".join(figures) + " |")
    head = ("| ranks on nodes | operation | plain: messages | most of a rank | rounds | mpispec: messages | most of a rank "
            "| rounds |\n|---|---|---:|---:|---:|---:|---:|---:|\n")
    table = head + "\n".join(lines) + "\n"
    print(table)
    if options.record:
        before, _, rest = PAGE.read_text().partition("<!-- begin nodes -->\n")
        after = rest.partition("<!-- end nodes -->")[2]
        PAGE.write_text(f"{before}<!-- begin nodes -->\n{table}<!-- end nodes -->{after}")


main()
