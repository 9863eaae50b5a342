#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures every blocking collective operation by size (by-size.c): with plain MPICH, with the same program and the
# runtime preloaded, with Open MPI and with Intel MPI; and what two processes can do without MPI (by-hand.c). In each
# turn every library is started once, in an order that rotates. The median of a start is one sample. Prints the tables,
# and the rows that are behind a peer. About ten minutes for two ranks.
#
#   bench/collectives/compare-by-size.sh [--install] [--write] [--whole] [--late] [--starts N] [--build DIR]
#                                        [--ranks "2 4"] [--only PART] [--preload LIBRARY] [--before LIBRARY]
#                                        [--through COMMAND]
#
# --install installs the missing peers (bench/peers.sh). --write puts the tables into
# docs/results/collectives-by-size.md, as the section of this kind of processor. Tables of --late, of --whole and of
# other numbers of ranks than 2 have sections of their own. --whole: sizes double, up to 16 MiB, and our time is the
# better of preloaded and specialised. --late: instead, calls beside a rank that enters late. --starts: the number of
# turns (default 9). --only: rows whose name has that part, or one of several after commas. --preload: the runtime
# (default: that of DIR). --before: an older runtime, which takes its turn as well. --through starts every run by a
# command, such as "chrt -f 10", for at most one rank per core.
set -eu
cd "$(dirname "$0")/../.."
usage="usage: compare-by-size.sh [--install] [--write] [--whole] [--late] [--starts N] [--build DIR] [--ranks LIST]
                          [--only PART] [--preload LIBRARY] [--before LIBRARY] [--through COMMAND]"
install=no write=no whole=no sizes='' late='' turns=9 build=build/release ranks=2 only='' preload='' before=''
through=''
. bench/common/libraries.sh
while [ $# -gt 0 ]; do
  words=1
  case $1 in
  --whole) whole=yes sizes="-d -m 16777216" ;;
  --late) late=-l ;;
  --before) [ $# -gt 1 ] && before=$(realpath "$2") words=2 || words=0 ;;
  --starts) [ $# -gt 1 ] && turns=$2 words=2 || words=0 ;;
  *) common_option "$@" ;;
  esac
  [ $words -gt 0 ] || { echo "$usage" >&2 && exit 2; }
  shift $words
done
[ $write = no ] || [ -z "$only" ] ||
  { echo "compare-by-size.sh: --write takes all rows, not those of --only" >&2 && exit 2; }
# shellcheck disable=SC2086 # a list
refuse_starving $ranks
find_runtime
[ -z "$before" ] || [ -f "$before" ] || { echo "compare-by-size.sh: no $before" >&2 && exit 2; }
peers=$build/peers out=$build/by-size
results=$out/runs
time_limit=900 # seconds of a run

[ $install = no ] || install_peers
rm -rf "$out"
mkdir -p "$results"
compile_all collectives/by-size
[ -z "$before" ] || libraries="$libraries before"
if [ "$ranks" = 2 ] && [ -z "$late" ]; then
  compile plain collectives/by-hand
  libraries="$libraries hand-segment hand-pull hand-both"
fi
if [ $whole = yes ] && [ -x "$build/bin/mpispec" ]; then
  compile specialised collectives/by-size
  libraries="$libraries specialised"
fi

# start LIBRARY RANKS: a process for still buffers and one for touched ones, because a library that learns from the
# messages it has seen would meet in one process what no program mixes.
start() {
  [ -z "$only$late" ] || { measure "$1" by-size "$2" $late $sizes -o "$only" && return; }
  for kind in still touched; do
    turn=$number_of_start-$kind
    measure "$1" by-size "$2" $sizes -o "/$kind"
  done
  joined=$results/by-size-$2.$1.$number_of_start
  cat "$joined-still.txt" "$joined-touched.txt" >"$joined.txt" 2>"$joined.log" || rm -f "$joined.txt"
  rm -f "$joined-still.txt" "$joined-touched.txt"
}

failed=no number_of_start=1
while [ "$number_of_start" -le "$turns" ]; do
  for library in $libraries; do
    for number in $ranks; do
      turn=$number_of_start
      start "$library" "$number"
    done
  done
  libraries="${libraries#* } ${libraries%% *}"
  number_of_start=$((number_of_start + 1))
done
printf '\n' >&2
python3 bench/collectives/by_size_table.py "$results" >"$out/by-size.md"
what=''
[ $whole = no ] || what="all sizes"
[ -z "$late" ] || what="${what:+$what, }a rank 200 us late"
[ "$ranks" = 2 ] || what="${what:+$what, }$(echo "$ranks" | sed 's/ / and /g') ranks"
[ $write = no ] || [ $failed = yes ] || write_page collectives-by-size "$out/by-size.md" "$what"
cat "$out/by-size.md"
[ $failed = no ]
