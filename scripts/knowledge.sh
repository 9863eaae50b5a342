#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints how many arguments of the calls of HPC Challenge and hypre are proven or predicted, and how often this held.
#
# usage: knowledge.sh [--record] [BUILD-DIRECTORY]       (default build/release)
#
# Both programs are the distribution's source packages. They are built with gcc through mpispec, with a cache that
# `mpispec summarise` has filled. With --mpispec-check-facts, the programs count how often proven facts and predictions
# hold. HPC Challenge runs on 4 ranks (HPL of 400 unknowns). hypre runs a few of its own tests, with three of
# its drivers, on 2 and 4 ranks. --record stores the tables in docs/results/knowledge.md. The script takes ten minutes
# on two cores.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
record=''
case "${1-}" in --record) record=yes && shift ;; esac
build=$(cd "${1-$root/build/release}" && pwd)
work="$build/knowledge"
polite="$build/test/polite-library.so" # more ranks than cores
mkdir -p "$work"

# $1: the source package. Unpacks it into $tree as a project of its own; everything else of it is beside that.
unpack() {
  archive=$(sh "$root/scripts/source-package.sh" "$1" "$work/source")
  [ -n "$archive" ] || { echo "knowledge.sh: the source package $1 could not be fetched" >&2; exit 1; }
  tree="$work/$1" version="$(basename "$archive" | sed 's/^[^_]*_//; s/[.+]*\(orig\|dfsg\|ds\).*//')"
  rm -rf "$tree" "$tree".*
  mkdir -p "$tree/.git"
  tar xf "$archive" -C "$tree" --strip-components=1
  export MPISPEC_CACHE="$tree.cache" MPISPEC_FLAGS="--mpispec-remarks=$tree.remarks --mpispec-check-facts"
}

# Sources of other machines cannot be read: their summaries are missing.
fill_cache() { # the arguments: sources, --, flags
  "$build/bin/mpispec" summarise "$@" >"$tree.summarise" 2>&1 || true
  tail -n 1 "$tree.summarise"
}

run() { # in this directory. $1: ranks, the rest: the program
  ranks=$1 && shift
  number=$((number + 1))
  MPIEXEC_TIMEOUT=600 mpiexec -genv LD_PRELOAD "$polite" -n "$ranks" "$@" </dev/null >"$tree.run.$number" 2>&1 || {
    tail -n 20 "$tree.run.$number" && echo "knowledge.sh: $* failed" >&2 && exit 1
  }
}

print_tables() { # $1: the name for people, the rest: options of knowledge.py
  title=$1 && shift
  "$build/bin/mpispec" report --format=json "$tree.remarks" >"$tree.json"
  {
    printf '### %s %s\n\n' "$title" "$version"
    python3 "$root/scripts/knowledge.py" "$tree.json" "$tree".run.* "$@"
  } >"$tree.table.md"
  cat "$tree.table.md"
}

hpcc() {
  unpack hpcc
  sed "s#@COMPILER@#$build/bin/mpispec mpicc#" "$root/scripts/real-programs/hpcc.make" >"$tree/hpl/Make.check"
  # shellcheck disable=SC2046 # a list of files
  fill_cache $(find "$tree" -name '*.c') -- "-I$tree/include" "-I$tree/hpl/include" "-I$tree/hpl/include/check"
  make -C "$tree" -s -j "$(nproc)" arch=check >"$tree.build" 2>&1 || { tail "$tree.build" && exit 1; }
  sed "6s/^1000/400 /" "$tree/_hpccinf.txt" >"$tree/hpccinf.txt"
  number=0
  cd "$tree"
  run 4 ./hpcc
  print_tables 'HPC Challenge'
}

hypre() {
  unpack hypre
  cd "$tree/src"
  CC="$build/bin/mpispec mpicc" CXX="$build/bin/mpispec mpicxx" ./configure --disable-fortran >"$tree.build" 2>&1
  includes=$(find . -name '*.h' -exec dirname {} + | sort -u | sed 's/^/-I/')
  # shellcheck disable=SC2046,SC2086 # lists of files and of options
  fill_cache $(find . -path ./examples -prune -o -name '*.c' -print) -- -DHAVE_CONFIG_H $includes
  { make -j "$(nproc)" && make -C test -j "$(nproc)" ij struct sstruct; } >>"$tree.build" 2>&1 || {
    tail "$tree.build" && exit 1
  }
  number=0
  cd test
  run 2 ./ij -n 20 20 20 -P 2 1 1
  run 4 ./ij -solver 1 -n 12 12 12 -P 2 2 1
  run 4 ./struct -n 12 12 12 -P 2 2 1 -solver 0
  run 4 ./struct -n 12 12 12 -P 2 2 1 -solver 11
  cd TEST_sstruct
  run 4 ../sstruct -P 2 1 2 -r 1 2 1 -solver 19
  print_tables hypre --behind "$tree.remarks" hypre_MPI_ "$tree.cache"
}

(hpcc)
(hypre)
if [ "$record" ]; then
  cat "$work/hpcc.table.md" "$work/hypre.table.md" >"$work/table.md"
  python3 "$root/scripts/record_results.py" "$root/docs/results/knowledge.md" knowledge \
    "With gcc, $(mpichversion 2>/dev/null | sed -nE 's/^MPICH Version:[[:space:]]*/MPICH /p')" "$work/table.md"
fi
