#!/bin/sh
# Compiles a source through mpispec and expects that so many calls are specialised, in silence.
#
# usage: compiles-specialised.sh MPISPEC WORK-PREFIX CALLS COMPILER ARGUMENT...
set -eu
mpispec=$1 prefix=$2 calls=$3
shift 3
rm -rf "$prefix.remarks"
status=0
"$mpispec" --mpispec-remarks="$prefix.remarks" "$@" -c -o "$prefix.o" 2>"$prefix.err" || status=$?
if [ $status != 0 ] || [ -s "$prefix.err" ]; then
  cat "$prefix.err"
  exit 1
fi
found=$(grep -rh '^--- !Passed' "$prefix.remarks" | wc -l)
[ "$found" = "$calls" ] || { echo "$found calls are specialised, not $calls"; exit 1; }
