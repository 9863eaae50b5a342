#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests that floating-point reductions have the same bits as those of a newer MPICH, specialised and with the runtime
# alone (test/Runtime/reduction-bits.c, specialised-bits.c). This MPICH comes from the Python registry, and is installed
# once, in BUILD-DIRECTORY/mpich. It has other algorithms than the distribution's MPICH, for which the runtime was
# built, and selects them by other counts. Both have the same binary interface.
#
# usage: reduction-bits.sh [BUILD-DIRECTORY]     (default build/release)
#
# If the registry cannot be reached, the script prints `skipped` and succeeds. Without the runtime, two equal calls of
# this MPICH may have different bits (5.0.2 with 5 ranks). Then the script skips the comparison, and prints this.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1-$root/build/release}" && pwd)
if ! work=$(sh "$root/scripts/registry-mpich.sh" "$build"); then
  echo "skipped: there is no newer MPICH"
  exit 0
fi
PATH="$work/bin:$PATH"
export MPIEXEC_TIMEOUT=60 MPIR_CVAR_CH4_NETMOD=ofi
tests="$root/test/Runtime"

mpicc -w -O1 -I"$tests" "$tests/reduction-bits.c" -o "$work/reduction-bits" "$build/lib/libmpispec.a" -lpthread -ldl
"$build/bin/mpispec" --mpispec-inline-all mpicc -O2 -w -DTABLE=ours -c "$tests/specialised-bits.c" -o "$work/ours.o"
mpicc -w -O1 -DTABLE=librarys -DLIBRARY -c "$tests/specialised-bits.c" -o "$work/librarys.o"
mpicc -w -O1 -I"$tests" "$tests/specialised-bits.c" "$work/ours.o" "$work/librarys.o" -o "$work/specialised-bits" \
  "$build/lib/libmpispec.a" -lpthread -ldl

# run MODE RANKS PROGRAM [ARGUMENT...]
run() {
  mode=$1 ranks=$2 program="$work/$3"
  shift 3
  REPEATS=12 MPISPEC_MODE=$mode MPISPEC_VERBOSE=1 mpiexec -genv LD_PRELOAD "$build/test/polite-library.so" -n "$ranks" \
    "$program" "$@" >"$work/log" 2>&1 && grep -q passed "$work/log"
}

failed=0
# try RANKS PROGRAM [ARGUMENT...]
try() {
  if ! run off "$@"; then
    grep -q 'TIMED OUT' "$work/log" && why='is too slow here' || why='does not agree with itself'
    echo "$*: skipped: the library alone $why"
  elif run full "$@" && grep -q 'lanes are open' "$work/log"; then
    echo "$*: the same bits"
  else
    echo "$*: FAILED"
    tail -n 20 "$work/log"
    failed=1
  fi
}
for ranks in 3 4 5; do
  try $ranks specialised-bits
done
try 3 reduction-bits fd 1,7
exit $failed
