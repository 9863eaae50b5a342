#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the differential tester (test/stress) in several configurations: one to three threads, one node and several, with
# interposed and with specialised calls.
#
# usage: stress.sh [SECONDS [FIRST-SEED [BUILD-DIRECTORY]]]     (default 120 1 build/release)
#
# SECONDS is the time for all configurations together. Another first seed tests other programs.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
seconds=${1-120}
first=${2-1}
build=$(cd "${3-$root/build/release}" && pwd)
work="$build/stress"
mkdir -p "$work"

sources=$(find "$root/test/stress" -name '*.c')
# shellcheck disable=SC2086 # a list of words
mpicc -std=gnu11 -O2 -w $sources "$build/lib/libmpispec.a" "$build/lib/mpispec-profiling.ld" -lpthread -o "$work/plain"
# shellcheck disable=SC2086
"$build/bin/mpispec" mpicc -std=gnu11 -O2 -w $sources -lpthread -o "$work/specialised"

mpicc -std=gnu11 -O2 -fPIC -shared "$root/test/Runtime/Inputs/refuse.c" -o "$work/refuse.so"

# $1: hundredths of the time; the rest: options of the tester.
differ() {
  share=$((seconds * $1 / 100))
  shift
  echo "$*"
  "$root/test/stress/differential.py" --program "$work/plain" --specialised "$work/specialised" \
    --seeds "$first-1000000000" --seconds "$share" --answers "$work/answers.json" \
    --yield "$build/test/polite-library.so" "$@" || failed=1
}

failed=0
differ 20 --ranks 2,3,4,6
differ 10 --ranks 2,3,4,6 --refuse "$work/refuse.so"
differ 10 --ranks 2,3,4,6 --nodes
differ 30 --ranks 2,3,4 --phases 12 --threads 2,3 --largest 300000
differ 20 --ranks 3,4 --phases 10 --threads 1,2,3 --largest 300000 --nodes
differ 10 --ranks 2,4,6 --phases 60 --threads 1,2 --largest 2000
exit $failed
