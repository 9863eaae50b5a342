#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures a computation beside a thread that waits in MPI_Recv for requests (service-thread.c): with plain MPICH, with the
# runtime preloaded, with Open MPI and with Intel MPI, in turns. Prints a table of medians.
#
#   bench/threads/compare-service-thread.sh [--install] [--turns N] [--build DIR] [--preload LIBRARY] [--through COMMAND]
#
# --install installs the missing peers (bench/peers.sh). --turns: how often each library is started (default 5).
# --preload: the runtime (default: that of DIR, which is build/release). --through starts every run by a command.
set -eu
cd "$(dirname "$0")/../.."
usage="usage: compare-service-thread.sh [--install] [--turns N] [--build DIR] [--preload LIBRARY] [--through COMMAND]"
install=no turns=5 build=build/release preload='' through='' before='' time_limit=60 failed=''
. bench/common/libraries.sh
while [ $# -gt 0 ]; do
  words=1
  case $1 in
  --turns) [ $# -gt 1 ] && turns=$2 words=2 || words=0 ;;
  --write | --ranks | --only) words=0 ;;
  *) common_option "$@" ;;
  esac
  [ $words -gt 0 ] || { echo "$usage" >&2 && exit 2; }
  shift $words
done
find_runtime
peers=$build/peers out=$build/service-thread
results=$out/runs
[ "$install" = no ] || install_peers
rm -rf "$out"
mkdir -p "$results"
compile_all threads/service-thread
for turn in $(seq "$turns"); do
  for library in $libraries; do
    measure "$library" service-thread 2
  done
done
printf '\r%-40s\n' '' >&2
[ -z "$failed" ] || exit 1

median() { sort -n | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
echo '| library | computation alone, ms | while a thread waits | while it serves | request to answer, us: median | mean |'
echo '|---|---:|---:|---:|---:|---:|'
for library in $libraries; do
  row="| $library"
  for column in 1 2 3 4 5; do
    row="$row | $(cat "$results/service-thread-2.$library."*.txt | cut -d ' ' -f $column | median)"
  done
  echo "$row |"
done
