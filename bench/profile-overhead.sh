#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures the cost of MPISPEC_PROFILE and the gain of --mpispec-profile-use: the kernels with two ranks, in turns. A
# turn is the best of five repetitions of each program. Prints two tables.
#
#   bench/profile-overhead.sh [--record] [--turns N] [--build DIR] [kernel...]    (default 5, build/release)
#
# Profiled are specialised programs, and plain ones with the runtime preloaded. The gain is for a profile of the
# program's own run. --record stores the tables in docs/results/profile-overhead.md, as the section of this kind
# of processor. The machine must be quiet.
set -eu
cd "$(dirname "$0")/.."
turns=5 build=build/release record=''
usage() { sed -n '/SPDX/d;2,/^[^#]/s/^# \{0,1\}//p' bench/profile-overhead.sh; }
while [ $# -gt 0 ]; do
  case $1 in
  --record) record=yes ;;
  --turns) turns=${2:?"--turns needs a number"} && shift ;;
  --build) build=${2:?"--build needs a directory"} && shift ;;
  --help | -h) usage && exit 0 ;;
  -*) usage >&2 && exit 2 ;;
  *) break ;;
  esac
  shift
done
fail() { echo "profile-overhead.sh: $*" >&2 && exit 1; }
[ -x "$build/bin/mpispec" ] || fail "$build/bin/mpispec is missing; build mpispec first"
build=$(cd "$build" && pwd)
[ $# -gt 0 ] || set -- mm lu cg cg-allreduce rows rows-overlap halo persistent-halo packed-halo transpose transpose-whole deal \
  deal-updates histogram queue stealing
out=$build/bench/profile-overhead
rm -rf "$out" && mkdir -p "$out"
make_kernel() { make -s -C bench OUT="$1" MPISPEC="$build/bin/mpispec" "$1/$2/$3" >&2; }
for kernel; do
  make_kernel "$out/build" plain "$kernel"
  make_kernel "$out/build" special "$kernel"
done

# run KERNEL VARIANT TURN: VARIANT names the program and whether it is profiled.
run() {
  program=$out/build/special/$1 profile='' preload=''
  case $2 in
  *-profiled) profile=$out/$1.$2.profile ;;
  used) program=$out/$1.build/special/$1 ;;
  esac
  case $2 in preloaded*) program=$out/build/plain/$1 preload=$build/lib/libmpispec.so ;; esac
  env MPIEXEC_TIMEOUT=120 mpiexec -n 2 env ${profile:+MPISPEC_PROFILE="$profile"} ${preload:+LD_PRELOAD="$preload"} \
    "$program" 5 >"$out/$1.$2.$3" </dev/null || fail "$program failed; see $out/$1.$2.$3"
}
for kernel; do
  run "$kernel" special-profiled 0
  MPISPEC_FLAGS="--mpispec-profile-use=$out/$kernel.special-profiled.profile" make_kernel "$out/$kernel.build" special "$kernel"
done
rm "$out"/*.0
for turn in $(seq "$turns"); do
  for kernel; do
    for variant in special special-profiled used preloaded preloaded-profiled; do
      run "$kernel" $variant "$turn"
    done
  done
done

for table in cost gain; do
  python3 bench/results/profile_overhead.py "$out" $table "$@" >"$out/$table.md"
  cat "$out/$table.md"
done
if [ "$record" ]; then
  python3 scripts/record_results.py --processor docs/results/profile-overhead.md profile-overhead \
    "$(gcc --version | head -n 1)" "$out/cost.md" \
    "Built with a profile of the run before" "$out/gain.md"
fi
