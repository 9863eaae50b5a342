#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures HPC Challenge with two ranks: plain, with the runtime only, and specialised, in turns of about a minute.
# Prints medians, and ratios of the best turns in brackets. Builds the programs of scripts/hpcc.sh if they are missing.
#
#   bench/hpcc/compare-hpcc.sh [--turns N] [--unknowns N] [--realtime] [--build DIR]
#
# --unknowns is the order of HPL's matrix (default 2000), from which HPCC derives its other sizes. --realtime runs the
# ranks at real-time priority (needs root).
set -eu
cd "$(dirname "$0")/../.."
turns=3 unknowns=2000 build=build/release realtime=''
usage() { sed -n '/SPDX/d;2,/^[^#]/s/^# \{0,1\}//p' bench/hpcc/compare-hpcc.sh; }
while [ $# -gt 0 ]; do
  case $1 in
  --turns) turns=$2 && shift ;;
  --unknowns) unknowns=$2 && shift ;;
  --realtime) realtime='chrt -f 10' ;;
  --build) build=$2 && shift ;;
  --help | -h) usage && exit 0 ;;
  *) usage >&2 && exit 2 ;;
  esac
  shift
done
[ -x "$build/bin/mpispec" ] || { echo "no $build/bin/mpispec; build mpispec first" >&2 && exit 1; }
build=$(cd "$build" && pwd)
work=$build/hpcc results=$build/hpcc-results
[ -x "$work/plain-gcc/hpcc" ] && [ -x "$work/mpispec-gcc/hpcc" ] || sh scripts/hpcc.sh --size "$build" >&2
rm -rf "$results"
mkdir -p "$results"

# run VARIANT MODE PROGRAM TURN
run() {
  echo "turn $4 of $turns: $1" >&2
  directory=$results/run
  rm -rf "$directory"
  mkdir -p "$directory"
  sed "6s/^1000/$unknowns /; 11s/^2/1/" "$work/$3/_hpccinf.txt" >"$directory/hpccinf.txt"
  # shellcheck disable=SC2086 # a list of words
  (cd "$directory" && MPISPEC_MODE=$2 MPIEXEC_TIMEOUT=300 $realtime mpiexec -n 2 -bind-to core \
    "$work/$3/hpcc" >/dev/null 2>"$results/errors") || {
    echo "compare-hpcc.sh: $1 did not run; see $results/errors" >&2
    exit 1
  }
  mv "$directory/hpccoutf.txt" "$results/$1.$4"
}

turn=1
while [ $turn -le "$turns" ]; do
  run plain off plain-gcc $turn
  run lanes lanes mpispec-gcc $turn
  run specialised full mpispec-gcc $turn
  turn=$((turn + 1))
done
python3 bench/hpcc/hpcc_table.py "$results"
