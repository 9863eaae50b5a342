#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures short messages and collective operations over each MPI library: plain, with the runtime only, and
# specialised. Also counts instructions per call. All libraries and variants take turns, and libraries_table.py computes
# the medians.
#
#   bench/libraries/compare-libraries.sh [--build DIR] [--turns N] [--no-count] [--realtime] LIBRARY...
#
# DIR is a tree of scripts/mpis.sh, which starts this script. DIR/programs-of/LIBRARY has a library's mpicc and mpiexec.
# The figures are in DIR/libraries, and those of the run before are removed. --no-count leaves out the instructions,
# which do not depend on the load of the machine. --realtime runs the ranks at real-time priority (needs root).
set -eu
cd "$(dirname "$0")/../.."
turns=12 build=build/mpis realtime='' counts=yes
while [ $# -gt 0 ]; do
  case $1 in
  --build) build=$2 && shift ;;
  --turns) turns=$2 && shift ;;
  --no-count) counts=no ;;
  --realtime) realtime='chrt -f 10' ;;
  -*) echo 'usage: compare-libraries.sh [--build DIR] [--turns N] [--no-count] [--realtime] LIBRARY...' >&2 && exit 2 ;;
  *) break ;;
  esac
  shift
done
build=$(cd "$build" && pwd)
out=$build/libraries
mkdir -p "$out"
rm -f "$out"/*.txt "$out"/*.instructions
common='-O2 -w -D_GNU_SOURCE -Ibench/common bench/common/handoff.c'

for library; do
  path=$build/programs-of/$library:$build/bin:$PATH
  for program in runtime/latency exchange/both-ways collectives/collectives; do
    name=$out/$(basename $program)-$library
    # shellcheck disable=SC2086 # a list of words
    PATH=$path mpicc bench/$program.c $common -o "$name-plain"
    # shellcheck disable=SC2086 # a list of words
    PATH=$path mpispec mpicc bench/$program.c $common -o "$name-special"
  done
  [ $counts = yes ] || continue
  PATH=$path timeout 300 sh bench/instructions.sh --build "$build" --out "$out/instructions-$library" send-8 recv-8 \
    >"$out/$library.instructions" </dev/null
  echo "$library: instructions counted"
done

# measure LIBRARY VARIANT PROGRAM NAME...: appends to the turn's file.
measure() {
  library=$1 variant=$2 program=$3
  shift 3
  executable=$out/$program-$library-special mode=$variant
  [ "$variant" != plain ] || executable=$out/$program-$library-plain mode=full
  PATH=$build/programs-of/$library:$PATH MPISPEC_MODE=$mode I_MPI_PIN=0 MPIEXEC_TIMEOUT=60 $realtime \
    mpiexec -n 2 "$executable" 5 "$@" >>"$out/$library.$variant.$turn.txt" 2>"$out/$library.errors" </dev/null
}

turn=1
while [ "$turn" -le "$turns" ]; do
  for library; do
    for variant in plain lanes full; do
      measure "$library" $variant latency ping-pong-8 stream-8
      measure "$library" $variant both-ways irecv-tags-waitall-8x1 irecv-tags-waitall-8x64 irecv-tags-waitall-1024x1 \
        irecv-tags-waitall-1024x64
      measure "$library" $variant collectives barrier allreduce-8
    done
  done
  echo "turn $turn of $turns done"
  turn=$((turn + 1))
done
