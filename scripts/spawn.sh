#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests spawned and connected processes: the output must be the same with and without the runtime. The distribution's
# MPICH cannot start processes over its network layer. Therefore the script uses a newer MPICH from the Python registry,
# which is installed once, in BUILD-DIRECTORY/mpich. The runtime for the distribution's MPICH fits it, too, because both
# have the same binary interface.
#
# usage: spawn.sh [BUILD-DIRECTORY]     (default build/release)
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1-$root/build/release}" && pwd)
work=$(sh "$root/scripts/registry-mpich.sh" "$build")
PATH="$work/bin:$PATH"
# Over UCX, that MPICH hangs by itself when a rank receives from any source of two jobs.
export MPIEXEC_TIMEOUT=40 MPIR_CVAR_CH4_NETMOD=ofi

mpicc -w -O1 -I"$root/test/Runtime" "$root/test/Inputs/dynamic.c" -o "$work/plain"
mpicc -w -O1 -I"$root/test/Runtime" "$root/test/Inputs/dynamic.c" -DWITH_LANES -o "$work/lanes" \
  "$build/lib/libmpispec.a" -lpthread

failed=0
for ranks in 1 2 3; do
  for program in plain lanes; do
    MPISPEC_VERBOSE=1 mpiexec -n "$ranks" "$work/$program" >"$work/$program.log" 2>"$work/$program.errors" ||
      echo "exit $?" >>"$work/$program.log"
    sort "$work/$program.log" -o "$work/$program.log"
  done
  # The first job's lanes, and those of the three that it spawns.
  opened=$(grep -c 'mpispec: lanes are open' "$work/lanes.errors" || true)
  if ! diff "$work/plain.log" "$work/lanes.log" || grep -q exit "$work/lanes.log" || [ "$opened" != 4 ]; then
    echo "$ranks rank(s): FAILED; lanes were open in $opened jobs of 4"
    tail -n 20 "$work"/*.errors
    failed=1
  else
    echo "$ranks rank(s): $(wc -l <"$work/lanes.log") processes of 4 jobs said the same with lanes and without"
  fi
done
exit $failed
