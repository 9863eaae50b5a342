#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs kernels in Fortran after CG, FT, IS and LU of the NAS benchmarks, with each of MPI's bindings and each compiler,
# over MPICH and Open MPI: as plain MPI, with the runtime preloaded, and linked with it. Prints which programs run and
# open lanes, and the times.
#
#   bench/fortran/compare-fortran.sh [--write] [--ways] [--turns N] [--repetitions N] [--realtime] [--build DIR]
#
# There are two ranks, bound to cores 0 and 1. The variants of a program take turns, in reverse order in every other
# turn, and the medians count. --write puts the result into docs/results/fortran.md, where each kind of processor
# has its own times. --ways: only which programs run, without times; the page keeps its times. --realtime: as in
# scripts/results.sh.
set -eu
cd "$(dirname "$0")/../.."
write=no only_ways=no turns=7 repetitions=10 realtime='' build=build/release
while [ $# -gt 0 ]; do
  case $1 in
  --write) write=yes ;;
  --ways) only_ways=yes ;;
  --turns) turns=$2 && shift ;;
  --repetitions) repetitions=$2 && shift ;;
  --realtime) realtime='chrt -f 10' ;;
  --build) build=$2 && shift ;;
  *)
    echo "usage: compare-fortran.sh [--write] [--ways] [--turns N] [--repetitions N] [--realtime] [--build DIR]" >&2
    exit 2
    ;;
  esac
  shift
done
build=$(cd "$build" && pwd)
results=$build/fortran programs=$build/bench/fortran
rm -rf "$results"
mkdir -p "$results"

# run VARIANT PROGRAM REPETITIONS, on standard output; what the runtime says goes into $results/said
run() {
  preload='' executable=$2
  case $1 in
  preloaded) preload=$build/lib/libmpispec.so ;;
  linked) executable=$2-linked ;;
  esac
  case $executable in
  */openmpi-*) launch='timeout 120 mpiexec.openmpi --allow-run-as-root --bind-to none -n 2 -x MPISPEC_VERBOSE env' ;;
  *) launch='mpiexec -n 2 env' ;;
  esac
  # shellcheck disable=SC2086 # several words
  MPISPEC_VERBOSE=1 MPIEXEC_TIMEOUT=120 $realtime $launch LD_PRELOAD="$preload" "$executable" "$3" 2>"$results/said"
}

# try PROGRAM: how it gets on in each way, in words
try() {
  for variant in plain preloaded linked; do
    if ! run $variant "$1" 1 | grep -qx right; then
      printf ' fails'
    elif [ $variant = plain ]; then
      printf ' runs'
    elif grep -q 'lanes are open' "$results/said"; then
      printf ' lanes'
    else
      printf ' runs'
    fi
  done
}

built=''
for compiler in gfortran flang-22 openmpi openmpi-flang-22; do
  case $compiler in
  openmpi*) command -v mpif90.openmpi >/dev/null || continue ;;
  esac
  case $compiler in
  *flang-22) command -v flang-22 >/dev/null || continue ;;
  esac
  for binding in MPIF_H USE_MPI USE_MPI_F08; do
    words=''
    for kernel in cg ft is lu; do
      program=$compiler-$binding/$kernel
      if make -s -C bench OUT="$build/bench" MPISPEC="$build/bin/mpispec" "$programs/$program" \
        "$programs/$program-linked" >/dev/null 2>&1; then
        built="$built $program"
        words="$words;$(try "$programs/$program")"
      else
        words="$words; unbuilt"
      fi
    done
    echo "$binding $compiler${words}" >>"$results/ways.txt"
  done
done

[ $only_ways = no ] || turns=0
for turn in $(seq "$turns"); do
  variants='plain preloaded linked'
  [ $((turn % 2)) = 1 ] || variants='linked preloaded plain'
  for program in $built; do
    for variant in $variants; do
      run $variant "$programs/$program" "$repetitions" >"$results/$(echo "$program" | tr / -).$variant.$turn"
    done
  done
done
sections=fortran-ways
[ $only_ways = yes ] || sections='fortran-ways fortran-times'
for section in $sections; do
  python3 bench/fortran/fortran_table.py "${section#fortran-}" "$results" >"$results/$section.md"
done
if [ $write = yes ]; then
  versions="$(gfortran --version | head -n 1), $(mpichversion | sed -nE 's/^MPICH Version:[[:space:]]*/MPICH /p')"
  if command -v mpiexec.openmpi >/dev/null; then
    versions="$versions, $(mpiexec.openmpi --version | sed -nE 's/.*OpenRTE. /Open MPI /p')"
  fi
  for section in $sections; do
    kind=''
    [ $section = fortran-ways ] || kind=--processor
    # shellcheck disable=SC2086 # an option, or none
    python3 scripts/record_results.py $kind docs/results/fortran.md $section "$versions" "$results/$section.md"
  done
fi
for section in $sections; do
  cat "$results/$section.md"
done
