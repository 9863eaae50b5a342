#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds HPC Challenge as a user would, with and without mpispec, with gcc and with clang, and tests the programs.
#
# usage: hpcc.sh [--record | --size] [BUILD-DIRECTORY]     (default build/release)
#
# Each program runs with 4 ranks on a small input. Specialised programs also run with 2 ranks, and with 4 ranks as on
# several nodes. Each benchmark's own verification must pass, and specialised programs must open lanes. A build through
# mpispec must show the same diagnostics as a plain one. A fifth program tests proven facts and predictions while it
# runs. No fact may fail, and at least 95 % of the predictions must hold. MPICH yields while it waits
# (test/Inputs/polite-library.c), because with more ranks than cores each message would otherwise cost a time slice. The
# script prints the numbers of `mpispec report`, and --record stores them in docs/results/hpcc.md.
#
# With --size the script only builds the program, with gcc, and prints how much machine code mpispec adds.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
record='' size_only=''
case "${1-}" in
--record) record=yes && shift ;;
--size) size_only=yes && shift ;;
esac
build=$(cd "${1-$root/build/release}" && pwd)
work="$build/hpcc"
jobs=$(nproc)
export MPISPEC_CACHE=off # nothing that an earlier build has left
export MPISPEC_MODE=full # all that the runtime has, whatever its default
failed=0

fail() { echo "FAIL: $1"; failed=1; }

mkdir -p "$work"
archive=$(sh "$root/scripts/source-package.sh" hpcc "$work/source")
[ -n "$archive" ] || { echo "hpcc.sh: the source package hpcc could not be fetched" >&2; exit 1; }

# The makefile fragment that HPCC's build asks for. $1: directory, $2: the compiler command.
write_fragment() {
  sed "s#@COMPILER@#$2#" "$root/scripts/real-programs/hpcc.make" >"$1/hpl/Make.check"
}

# The example input, smaller: HPL of 400 unknowns on $2 x 2 ranks.
write_input() { sed "6s/^1000/400 /; 11s/^2/$2/" "$1/_hpccinf.txt" >"$1/hpccinf.txt"; }

# What the sources in $1 tell each other, before the first is compiled.
fill_cache() {
  rm -rf "$MPISPEC_CACHE"
  mkdir "$1/.git" # the project
  # shellcheck disable=SC2046 # a list of files
  "$build/bin/mpispec" summarise $(find "$1" -name '*.c') -- "-I$1/include" "-I$1/hpl/include" \
    "-I$1/hpl/include/check" >"$1/summarise.out" 2>&1 || true # some sources are not for this machine
  tail -n 1 "$1/summarise.out"
}

# $1: name of the program, $2: compiler behind mpicc, $3: the compiler command.
build_program() {
  directory="$work/$1"
  rm -rf "$directory"
  mkdir -p "$directory"
  tar xzf "$archive" -C "$directory" --strip-components=1
  write_fragment "$directory" "$3"
  [ "$MPISPEC_CACHE" = off ] || fill_cache "$directory"
  start=$(date +%s)
  # What two compilers say at a time must not be mixed: diagnostics are compared.
  if ! MPICH_CC=$2 make -C "$directory" -s -j "$jobs" -O arch=check >"$directory/build.out" \
    2>"$directory/build.err"; then
    fail "$1 does not build"
    tail -n 20 "$directory/build.err"
    return 1
  fi
  echo "$1: built in $(($(date +%s) - start)) s"
}

# $1: name of the program, $2: ranks.
run_program() {
  directory="$work/$1"
  write_input "$directory" $(($2 / 2))
  rm -f "$directory/hpccoutf.txt"
  start=$(date +%s)
  if ! (cd "$directory" && MPISPEC_VERBOSE=1 MPIEXEC_TIMEOUT=600 \
    mpiexec -genv LD_PRELOAD "$build/test/polite-library.so" -n "$2" ./hpcc >run.out 2>&1); then
    fail "$1 does not run with $2 ranks"
    tail -n 20 "$directory/run.out"
    return 1
  fi
  echo "$1: $2 ranks ran in $(($(date +%s) - start)) s"
  case $1 in
  plain-*) ;;
  *) grep -q 'mpispec: lanes are open' "$directory/run.out" || fail "$1 opens no lanes" ;;
  esac
  python3 "$root/scripts/hpcc_verify.py" "$directory/hpccoutf.txt" >"$directory/verify.out" ||
    fail "$1 does not verify"
  cat "$directory/verify.out"
}

# Diagnostics in any order (the build is parallel), mpispec's own argument warnings apart.
diagnostics() {
  grep -E '(warning|error): ' "$work/$1/build.err" | grep -v '\[mpispec-args\]' | sort || true
}

compare_diagnostics() {
  diagnostics "$1" >"$work/$1.diagnostics"
  diagnostics "$2" >"$work/$2.diagnostics"
  if diff "$work/$1.diagnostics" "$work/$2.diagnostics"; then
    echo "$2: the $(grep -c . "$work/$1.diagnostics" || true) diagnostics of $1, no more, no less"
  else
    fail "$2 shows other diagnostics than $1"
  fi
  grep -F '[mpispec-args]' "$work/$2/build.err" || true
}

# The bound on what is added is 3 % of the .text sections of all objects.
print_size() {
  python3 "$root/bench/results/text_size.py" "$work/$1" "$work/$2" "$2" |
    awk '$2 == "total" {printf "%s: %d bytes of machine code where there were %d: %+.2f %%\n",
                        $1, $4, $3, 100 * ($4 / $3 - 1)}'
}

if [ "$size_only" ]; then
  build_program plain-gcc gcc mpicc || exit 1
  build_program mpispec-gcc gcc "$build/bin/mpispec mpicc" || exit 1
  print_size plain-gcc mpispec-gcc
  exit 0
fi

for compiler in gcc clang-22; do
  plain=plain-$compiler special=mpispec-$compiler
  remarks="$work/$special.remarks"
  rm -rf "$remarks"
  build_program "$plain" "$compiler" mpicc && run_program "$plain" 4 || true
  build_program "$special" "$compiler" "$build/bin/mpispec --mpispec-remarks=$remarks mpicc" &&
    run_program "$special" 4 || true
  if [ -x "$work/$special/hpcc" ]; then
    run_program "$special" 2 || true
    export MPIR_CVAR_ODD_EVEN_CLIQUES=1 # as on several nodes
    run_program "$special" 4 || true
    unset MPIR_CVAR_ODD_EVEN_CLIQUES
  fi
  compare_diagnostics "$plain" "$special"
  print_size "$plain" "$special"
  # File names from the top of HPCC's tree, whatever stands above it.
  find "$remarks" -name "*.yaml" -exec sed -i "s#$work/$special/##" {} +
  "$build/bin/mpispec" report --width=100 "$remarks" >"$work/$special.report" ||
    fail "no report of $special"
  cat "$work/$special.report"
done

# Once more with every proven fact tested by the calls as they run: a wrong one is told at the end. Of predictions,
# those from other units as well, at least 95 % hold.
export MPISPEC_CACHE="$work/cache"
build_program checked-gcc gcc "$build/bin/mpispec --mpispec-check-facts mpicc" &&
  run_program checked-gcc 4 || true
if grep 'is proven to' "$work/checked-gcc/run.out"; then fail "a proven fact is wrong"; fi
python3 "$root/scripts/held_predictions.py" "$work/checked-gcc/run.out" 95 || fail "predictions that do not hold"

# $1: the name of the release, from that of the archive.
record_reports() {
  if cmp -s "$work/mpispec-gcc.report" "$work/mpispec-clang-22.report"; then
    set -- "$1, with gcc and with clang-22 alike" "$work/mpispec-gcc.report"
  else
    set -- "$1, with gcc" "$work/mpispec-gcc.report" \
      "$1, with clang-22" "$work/mpispec-clang-22.report"
  fi
  python3 "$root/scripts/record_results.py" "$root/docs/results/hpcc.md" hpcc "$@"
}
if [ "$record" ] && [ $failed = 0 ]; then
  record_reports "HPC Challenge $(basename "$archive" .orig.tar.gz | sed 's/hpcc_//')"
fi
exit $failed
