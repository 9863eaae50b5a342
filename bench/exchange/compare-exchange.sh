#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures messages both ways at once (both-ways.c), specialised and with the runtime only, beside MPICH, Open MPI and
# Intel MPI. bench/peers.sh runs with two ranks, and with four ranks in a ring, in turns of which the median counts.
# Prints the tables, and the rows that miss their bounds.
#
#   bench/exchange/compare-exchange.sh [--install] [--write] [--turns N] [--milliseconds N] [--build DIR]
#
# --install installs the missing peers (bench/peers.sh). --write puts the result into docs/results/exchange.md, as the
# section of this kind of processor, and draws README's figure again. --turns is for two ranks. Four ranks run in two
# turns, because on two cores most of their time is that of the system's time slices.
set -eu
cd "$(dirname "$0")/../.."
install='' write=no turns=7 milliseconds=10 build=build/release
while [ $# -gt 0 ]; do
  case $1 in
  --install) install=--install ;;
  --write) write=yes ;;
  --turns) turns=$2 && shift ;;
  --milliseconds) milliseconds=$2 && shift ;;
  --build) build=$2 && shift ;;
  *)
    echo "usage: compare-exchange.sh [--install] [--write] [--turns N] [--milliseconds N] [--build DIR]" >&2
    exit 2
    ;;
  esac
  shift
done
results=$build/exchange
rm -rf "$results"

# measure RANKS TURNS: the turns' files into $results/RANKS
measure() {
  # shellcheck disable=SC2086 # an option, or none
  bench/peers.sh $install --build "$build" --milliseconds "$milliseconds" --ranks "$1" --turns "$2" exchange \
    >/dev/null
  mkdir -p "$results/$1"
  mv "$build"/peers/*.*.txt "$results/$1"
}

measure 2 "$turns"
measure 4 2
python3 bench/exchange/exchange_table.py "$results" >"$results/exchange.md"
if [ $write = yes ]; then
  versions=$(mpichversion | sed -nE 's/^MPICH Version:[[:space:]]*/MPICH /p')
  python3 scripts/record_results.py --processor docs/results/exchange.md exchange "$versions" "$results/exchange.md"
  python3 bench/results/overview.py --write docs
fi
cat "$results/exchange.md"
