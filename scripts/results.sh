#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures the running programs of docs/Results.md, and writes tables into docs/results, a page for each bench. One page
# has the bounds, and whether they are met. Figures go into docs/figures. Pages with times have a section and figures
# for each kind of processor.
#
# usage: results.sh [OPTION...] [PART...]
#
#   PART         a part to measure: messages stream kernels instructions size; all of them if none is named. Parts that
#                are not named keep the figures of the last run in the same DIR. The page of bounds needs all parts, and
#                is written when DIR has them
#   --build DIR  a build of mpispec (default build/release); results are collected in DIR/results
#   --quick      short repetitions, for a first impression: figures are rough
#   --realtime   run the ranks at real-time priority, for a machine that is not quite quiet (needs root)
#   --dry-run    leave docs/ as it is: pages and figures are in DIR/results/docs
#   --help
#
# The programs run on two ranks, bound to cores 0 and 1. The variants of a program take turns, and each figure is the
# best of all turns. Whether a variant is slower than another is decided from all turns (bench/results/results.py). A
# run of all parts takes about fifteen minutes on two quiet cores.
set -eu
export MPISPEC_CACHE=off # the same objects each time, and nothing of the user's is touched
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
usage() { sed -n '/SPDX/d;2,/^set -eu/s/^# \{0,1\}//p' scripts/results.sh; }
fail() { echo "results.sh: $*" >&2 && exit 1; }

build=build/release milliseconds=5 turns=5 message_turns=12 repetitions=10 realtime='' docs=docs parts=''
while [ $# -gt 0 ]; do
  case $1 in
  --build) build=${2:?"--build needs a directory"} && shift ;;
  --quick) milliseconds=2 turns=1 message_turns=1 repetitions=3 ;;
  --realtime) realtime='chrt -f 10' ;;
  --dry-run) docs='' ;;
  --help | -h) usage && exit 0 ;;
  messages | stream | kernels | instructions | size) parts="$parts $1" ;;
  *) usage >&2 && exit 2 ;;
  esac
  shift
done
parts=${parts:-messages stream kernels instructions size}

[ -x "$build/bin/mpispec" ] || fail "no $build/bin/mpispec: build mpispec first, or name its build with --build"
for program in mpicc mpiexec make; do
  command -v $program >/dev/null || fail "$program is missing: scripts/install-packages.sh build"
done
# The distribution's interpreter: that is where its packages are.
python=/usr/bin/python3
$python -c 'import matplotlib' 2>/dev/null || fail "matplotlib is missing: scripts/install-packages.sh results"
[ "$(nproc)" -ge 2 ] || fail "two cores are needed"
[ -z "$realtime" ] || $realtime true 2>/dev/null || fail "--realtime: $realtime is not permitted here"
build=$(cd "$build" && pwd)
programs=$build/bench results=$build/results
mkdir -p "$results"
began=$(date +%s)
say() { printf '%4d s  %s\n' $(($(date +%s) - began)) "$*"; }

# run VARIANT PROGRAM TURN [ARGUMENT...]: one turn of one variant, into $results/PROGRAM.VARIANT.TURN
run() {
  variant=$1 program=$2 turn=$3
  shift 3
  directory=$variant mode=off
  case $variant in
  off | lanes | full) directory=special mode=$variant ;;
  split-off | split-lanes | split-full) directory=split-special mode=${variant#split-} ;;
  esac
  MPISPEC_MODE=$mode MPIEXEC_TIMEOUT=300 $realtime mpiexec -n 2 "$programs/$directory/$program" "$@" \
    >"$results/$program.$variant.$turn.new" || fail "$directory/$program failed, mode $mode"
  mv "$results/$program.$variant.$turn.new" "$results/$program.$variant.$turn"
}

# Every other turn the other way round: what comes after something may differ by that.
order() {
  if [ $(($1 % 2)) = 1 ]; then echo plain off lanes full; else echo full lanes off plain; fi
}

measure_messages() {
  rm -f "$results"/ping-pong.*
  for turn in $(seq $message_turns); do
    say "messages: ping-pong, turn $turn of $message_turns"
    for variant in $(order "$turn"); do
      run $variant ping-pong "$turn" $milliseconds
    done
    run cache ping-pong "$turn" $milliseconds generic varying derived
  done
}

measure_stream() {
  rm -f "$results"/stream.*
  for turn in $(seq $message_turns); do
    say "stream: turn $turn of $message_turns"
    for variant in $(order "$turn"); do
      run $variant stream "$turn" $milliseconds
    done
  done
}

measure_kernels() {
  for kernel in mm lu cg cg-allreduce rows rows-overlap halo persistent-halo packed-halo transpose transpose-whole \
    deal deal-updates histogram queue stealing; do
    say "kernels: $kernel"
    rm -f "$results/$kernel".*
    for turn in $(seq $turns); do
      for variant in plain cache off lanes full; do
        run $variant $kernel "$turn" $repetitions
      done
      case $kernel in mm | lu | cg | cg-allreduce | rows) ;; *) continue ;; esac
      for variant in split-plain split-cache split-off split-lanes split-full; do
        run $variant $kernel "$turn" $repetitions
      done
    done
    grep -Lx right "$results/$kernel".* | while read -r wrong; do fail "a wrong result in $wrong"; done
  done
}

measure_instructions() {
  say "instructions: callgrind"
  bench/instructions.sh --build "$build" >"$results/instructions.md"
}

measure_size() {
  say "size: HPC Challenge, built twice"
  sh scripts/hpcc.sh --size "$build" >"$results/hpcc-size.log" 2>&1 ||
    fail "HPC Challenge was not built, see $results/hpcc-size.log"
  for pair in "$programs/plain $programs/special kernels" \
    "$build/hpcc/plain-gcc $build/hpcc/mpispec-gcc HPCC"; do
    # shellcheck disable=SC2086 # three words
    python3 bench/results/text_size.py $pair
  done >"$results/size.txt"
}

say "building the programs"
make -s -C bench -j "$(nproc)" OUT="$programs" MPISPEC="$build/bin/mpispec" all
for part in $parts; do "measure_$part"; done

say "tables and figures"
if [ -z "$docs" ]; then
  docs=$results/docs
  rm -rf "$docs" && cp -r docs "$docs"
fi
rm -rf "$results/pages"
processor=$(python3 bench/common/processor.py --slug)
$python bench/results/figures.py "$results" "$docs/figures" "$processor"
python3 bench/results/tables.py "$results" "$processor"
for part in ping-pong.full.1 stream.full.1 cg.full.1 instructions.md size.txt; do
  [ -e "$results/$part" ] || rm -f "$results/pages/bounds.md"
done
[ -e "$results/pages/bounds.md" ] || say "$docs/results/bounds.md stays as it is: not all parts have been measured"
{
  gcc --version | head -n 1
  mpichversion 2>/dev/null | sed -nE 's/^MPICH Version:[[:space:]]*/MPICH /p'
} >"$results/versions.txt"
versions=$(paste -s -d '|' "$results/versions.txt" | sed 's/|/, /g')
for page in "$results"/pages/*.md; do
  name=$(basename "$page" .md) kind=--processor conditions=$versions
  case $name in instructions | code-size) kind='' conditions="$(python3 bench/common/processor.py), $versions" ;; esac
  # shellcheck disable=SC2086 # an option, or none
  python3 scripts/record_results.py $kind "$docs/results/$name.md" "$name" "$conditions" "$page"
  say "$docs/results/$name.md is written"
done
python3 bench/results/overview.py --write "$docs"
