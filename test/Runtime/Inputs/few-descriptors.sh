#!/bin/sh
# Finds the fewest descriptors with which a job runs without lanes, and runs it with lanes and as many,
# and one more.
#   few-descriptors.sh <mpiexec> <program>
#
# With fewer descriptors, a rank of MPICH fails or, seldom, polls in MPI_Init without end, also after its launcher has
# ended.
n=24
plain() { MPIEXEC_TIMEOUT=60 "$1" -n 2 sh -c "ulimit -n $3; exec timeout -s KILL 20 $2" 2>&1; }
until MPISPEC_MODE=off plain "$1" "$2" $n | grep -q right; do
  n=$((n + 1))
  [ $n -lt 64 ] || exit 1
done
for few in $n $((n + 1)); do
  MPISPEC_MODE=lanes MPISPEC_VERBOSE=1 MPIEXEC_TIMEOUT=60 "$1" -n 2 sh -c "ulimit -n $few; exec $2" 2>&1
done
