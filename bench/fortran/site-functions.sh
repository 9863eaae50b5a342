#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures an upper bound for the gain of a specialiser of Fortran. Kernels with mpif.h over MPICH, linked with the
# runtime, are compared with the same kernels whose calls of messages go to functions specialised by hand, one for each
# site (site_functions.c). Prints a Markdown table: the best time of all starts, and the gain.
#
#   bench/fortran/site-functions.sh [--build DIR] [--turns N] [--repetitions N]      (default build/release, 9, 10)
#
# The two ways take turns. The programs are kept in DIR/bench/site-functions.
set -eu
cd "$(dirname "$0")/../.."
build=build/release turns=9 repetitions=10
while [ $# -gt 0 ]; do
  case $1 in
  --build) build=$2 && shift ;;
  --turns) turns=$2 && shift ;;
  --repetitions) repetitions=$2 && shift ;;
  *) echo "usage: site-functions.sh [--build DIR] [--turns N] [--repetitions N]" >&2 && exit 2 ;;
  esac
  shift
done
build=$(cd "$build" && pwd)
out=$build/bench/site-functions
rm -rf "$out"
mkdir -p "$out"
make -s -C bench OUT="$build/bench" MPISPEC="$build/bin/mpispec" "$build/bench/common/core.o" "$build/bench/common/handoff.o"
fortran="mpif90 -O3 -fallow-argument-mismatch -w -cpp -DMPIF_H -Ibench/fortran -J$out"
link="$build/bench/common/core.o $build/bench/common/handoff.o -Wl,-u,MPI_Init $build/lib/libmpispec.a -lpthread"

# make_kernel NAME SOURCE MACRO: NAME-entries and NAME-sites
make_kernel() {
  awk '{ while (match($0, /call MPI_(Send|Recv|Irecv|Wait|Waitall)\(/)) {
           $0 = substr($0, 1, RSTART - 1) "call site_" ++sites "(" substr($0, RSTART + RLENGTH) }
         print }' "bench/fortran/$2" >"$out/$1-sites.F90"
  "$build/bin/mpispec" mpicc -O3 -w "-D$3" -c bench/fortran/site_functions.c -o "$out/$1-functions.o"
  # shellcheck disable=SC2086 # several words
  $fortran bench/fortran/timing.F90 "bench/fortran/$2" $link -o "$out/$1-entries"
  # shellcheck disable=SC2086
  $fortran bench/fortran/timing.F90 "$out/$1-sites.F90" "$out/$1-functions.o" $link -o "$out/$1-sites"
}
make_kernel ping-pong site_ping_pong.F90 PING_PONG
make_kernel cg cg.F90 CG
make_kernel lu lu.F90 LU

for turn in $(seq "$turns"); do
  ways='entries sites'
  [ $((turn % 2)) -eq 0 ] || ways='sites entries'
  for kernel in ping-pong cg lu; do
    for way in $ways; do
      MPIEXEC_TIMEOUT=120 mpiexec -n 2 "$out/$kernel-$way" "$repetitions" |
        sed -n "s/^seconds /$kernel $way /p" >>"$out/times"
    done
  done
done
echo "| | by name | by site functions | gain |"
echo "|---|---:|---:|---:|"
for kernel in ping-pong cg lu; do
  for way in entries sites; do
    awk -v kernel="$kernel" -v way=$way '$1 == kernel && $2 == way { print $3 }' "$out/times" | sort -g |
      head -n 1
  done | paste -d ' ' - - | awk -v kernel="$kernel" '{ printf "| %s | %.3f ms | %.3f ms | %.1f %% |\n", kernel, $1 * 1e3, $2 * 1e3, ($1 / $2 - 1) * 100 }'
done
