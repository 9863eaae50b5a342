#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The loop of docs/Profile.md on HPC Challenge, with gcc: a build, a run with MPISPEC_PROFILE, a build with this
# profile, and another run. The script prints what the profile changes, call by call.
#
# usage: profile-loop.sh [--record] [--fortran CLASS [--turns N]] [BUILD-DIRECTORY]       (default build/release)
#
# --fortran: the loop on FT of the NAS Parallel Benchmarks (bench/fortran/npb_ft.F90) instead, of class S, W or A. The
# script profiles the program, and tries each proposal of the advice (profile_proposals.py).
#
# HPC Challenge runs on two ranks, with HPL of 400 unknowns. A third program counts how often the predictions hold. The
# script prints the tables, and the rates of the first two programs without a profile, which are meaningful only on a
# quiet machine. --record stores all but the rates in docs/results/profile-loop.md.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
record='' class='' turns=3
while [ $# -gt 0 ]; do
  case $1 in
  --record) record=yes ;;
  --fortran) class=$2 && shift ;;
  --turns) turns=$2 && shift ;;
  *) break ;;
  esac
  shift
done
build=$(cd "${1-$root/build/release}" && pwd)
work="$build/profile-loop"
mkdir -p "$work"

if [ "$class" ]; then
  program=$build/bench/fortran/gfortran-MPIF_H/npb_ft
  make -s -C "$root/bench" OUT="$build/bench" MPISPEC="$build/bin/mpispec" "$program"
  python3 "$root/scripts/profile_proposals.py" --build "$build" --turns "$turns" --output "$work/fortran.md" \
    "$program" "$class"
  if [ "$record" ]; then
    processor=$(python3 "$root/bench/common/processor.py")
    python3 "$root/scripts/record_results.py" "$root/docs/results/profile-loop.md" profile-loop-ft \
      "$processor, two ranks, class $class, the fastest of $turns runs each" "$work/fortran.md"
  fi
  exit 0
fi

archive=$(sh "$root/scripts/source-package.sh" hpcc "$work/source")
[ -n "$archive" ] || { echo "profile-loop.sh: the source package hpcc could not be fetched" >&2; exit 1; }

# $1: name of the program, $2: options of mpispec. Each is built in the same directory, as a build is
# that is repeated, and then moved.
build_program() {
  tree="$work/tree"
  rm -rf "$tree" "$work/$1" "$work/$1.remarks"
  mkdir -p "$tree"
  tar xzf "$archive" -C "$tree" --strip-components=1
  sed "s#@COMPILER@#$build/bin/mpispec mpicc -g#" "$root/scripts/real-programs/hpcc.make" >"$tree/hpl/Make.check"
  MPISPEC_FLAGS="--mpispec-remarks=$work/$1.remarks $2" make -C "$tree" -s -j "$(nproc)" arch=check \
    >"$work/$1.out" 2>"$work/$1.err" || { tail "$work/$1.err" && exit 1; }
  grep -F 'mpispec: warning' "$work/$1.err" | grep -vF '[mpispec-args]' || true
  sed "6s/^1000/400 /; 11s/^2/1/" "$tree/_hpccinf.txt" >"$tree/hpccinf.txt"
}

# In the tree. $1: what its output is kept as.
run_program() {
  (cd "$work/tree" && rm -f hpccoutf.txt && MPIEXEC_TIMEOUT=600 mpiexec -n 2 ./hpcc >"$work/$1.run" 2>&1) || {
    tail "$work/$1.run" && exit 1
  }
  python3 "$root/scripts/hpcc_verify.py" "$work/tree/hpccoutf.txt" >"$work/$1.verify"
  cp "$work/tree/hpccoutf.txt" "$work/$1.hpccoutf"
}

build_program before ''
rm -rf "$work/before.profile" "$work/after.profile"
MPISPEC_PROFILE="$work/before.profile" run_program before
"$build/bin/mpispec" profile --format=json "$work/before.profile" >"$work/before.json"
cp -r "$work/tree" "$work/before"

build_program after "--mpispec-profile-use=$work/before.profile"
MPISPEC_PROFILE="$work/after.profile" run_program after
"$build/bin/mpispec" profile --format=json "$work/after.profile" >"$work/after.json"
cp -r "$work/tree" "$work/after"

build_program checked "--mpispec-profile-use=$work/before.profile --mpispec-check-facts"
run_program checked

# What both take without a profile, in turns.
for turn in $(seq $turns); do
  for name in before after; do
    rm -rf "$work/tree" && cp -r "$work/$name" "$work/tree"
    run_program "$name.$turn"
  done
done

python3 "$root/scripts/profile_loop.py" "$work" >"$work/table.md"
cat "$work/table.md"
python3 "$root/scripts/profile_loop.py" "$work" $turns
if [ "$record" ]; then
  python3 "$root/scripts/record_results.py" "$root/docs/results/profile-loop.md" profile-loop \
    "HPC Challenge $(basename "$archive" .orig.tar.gz | sed 's/hpcc_//'), two ranks, gcc" "$work/table.md"
fi
