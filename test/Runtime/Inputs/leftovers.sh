#!/bin/sh
# Runs a job to its end, whatever that is, and compares the names in shared memory before and after.
#   leftovers.sh <program> exit|abort|kill
before=$(ls -A /dev/shm | grep -i mpispec)
MPISPEC_MODE=lanes MPIEXEC_TIMEOUT=30 mpiexec -n 2 "$1" "$2" 2>/dev/null
echo
[ "$(ls -A /dev/shm | grep -i mpispec)" = "$before" ] || exit 1
echo "nothing left"
