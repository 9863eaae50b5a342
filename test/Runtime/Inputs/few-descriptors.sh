#!/bin/sh
# Finds the fewest descriptors with which a job runs without lanes, and runs it with lanes and as many,
# and one more.
#   few-descriptors.sh <mpiexec> <program>
try() { MPIEXEC_TIMEOUT=60 "$1" -n 2 sh -c "ulimit -n $3; exec $2" 2>&1; }
n=24
until MPISPEC_MODE=off try "$1" "$2" $n | grep -q right; do
  n=$((n + 1))
  [ $n -lt 64 ] || exit 1
done
for few in $n $((n + 1)); do
  MPISPEC_MODE=lanes MPISPEC_VERBOSE=1 try "$1" "$2" $few
done
