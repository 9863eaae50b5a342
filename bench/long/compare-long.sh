#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures long messages as programs use them (messages.c), and collective operations of long messages
# (bench/collectives/by-size.c): with plain MPICH, with the same programs and the runtime preloaded, with Open MPI and
# with Intel MPI. In each turn every library runs once, in an order that rotates. Prints the tables, and the rows that
# are behind a peer.
#
#   bench/long/compare-long.sh [--install] [--write] [--turns N] [--build DIR] [--ranks "2 4 8"] [--only PART]
#                              [--preload LIBRARY] [--by-two] [--through COMMAND]
#
# --install installs the missing peers (bench/peers.sh). --write puts the tables into docs/results/long.md, as the
# section of this kind of processor. --ranks: messages run with 2 and 4 ranks, collective operations with any number.
# --only: rows whose name has that part, or one of several after commas. --preload: the runtime (default: that of DIR).
# --by-two: sizes double. --through starts every run by a command, such as "chrt -f 10", for at most one rank per core.
set -eu
cd "$(dirname "$0")/../.."
usage="usage: compare-long.sh [--install] [--write] [--turns N] [--build DIR] [--ranks LIST] [--only PART]
                       [--preload LIBRARY] [--by-two] [--through COMMAND]"
install=no write=no turns=5 build=build/release ranks="2 4 8" only='' preload='' doubling='' through=''
. bench/common/libraries.sh
while [ $# -gt 0 ]; do
  words=1
  case $1 in
  --by-two) doubling=-d ;;
  --turns) [ $# -gt 1 ] && turns=$2 words=2 || words=0 ;;
  *) common_option "$@" ;;
  esac
  [ $words -gt 0 ] || { echo "$usage" >&2 && exit 2; }
  shift $words
done
[ $write = no ] || [ -z "$only" ] ||
  { echo "compare-long.sh: --write takes all rows, not those of --only" >&2 && exit 2; }
# shellcheck disable=SC2086 # a list
refuse_starving $ranks
find_runtime
peers=$build/peers out=$build/long
results=$out/runs
time_limit=300 # seconds of a run
operations=bcast-moving/,allgather/,alltoall/,alltoallv/,allreduce/,reduce/,gather/,scatter/

[ $install = no ] || install_peers

# measure_turn: each library once
measure_turn() {
  for library in $libraries; do
    for number in $ranks; do
      # shellcheck disable=SC2086 # $doubling is a word or none
      case $number in 2 | 4) measure "$library" messages "$number" $doubling -o "$only" ;; esac
      # shellcheck disable=SC2086
      measure "$library" by-size "$number" -t 8 -s 65536 -m 4194304 $doubling -o "${only:-$operations}"
    done
  done
}

rm -rf "$out"
mkdir -p "$results"
compile_all long/messages collectives/by-size
failed=no turn=1
while [ "$turn" -le "$turns" ]; do
  measure_turn
  libraries="${libraries#* } ${libraries%% *}"
  turn=$((turn + 1))
done
printf '\n' >&2
python3 bench/long/long_table.py "$results" >"$out/long.md"
[ $write = no ] || [ $failed = yes ] || write_page long "$out/long.md"
cat "$out/long.md"
[ $failed = no ]
