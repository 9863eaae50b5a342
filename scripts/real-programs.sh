#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds and tests programs of other projects from the distribution's source packages, as a user would: by their own
# build systems, with and without mpispec, and by their own tests.
#
# usage: real-programs.sh [OPTION...] NAME...|all
#
#   NAME           a file scripts/real-programs/NAME.sh, which has the steps to build and test that program
#   --build DIR    a build of mpispec (default build/release); programs are built in DIR/programs
#   --mpi NAME     the MPI library of the runtime NAME (openmpi4, ...; default: the main one, mpicc and mpiexec on the
#                  PATH); programs are built in DIR/programs-NAME
#   --wrappers DIR with --mpi: the directory of mpicc and mpiexec of another library with the same binary interface;
#                  programs are built in a directory programs-<last part of this path>
#   --modes MODES  the modes in which specialised programs run (default "full lanes off"); preload is the plain program
#                  with the runtime preloaded; with preload alone, nothing is specialised
#   --ranks N      leave out tests of more ranks
#   --small        only the short build and tests that a program's file has
#   --links        start mpispec by links with the compilers' names, which come first in PATH; without this option, by
#                  links if the program's file requires them, else as the command's first word or as CMake's launcher
#   --keep         do not build programs again that are built
#   --record       put the table of all programs built so far in DIR/programs into docs/results/programs.md
#   --help
#
# A test passes if each rank ends in the same way and prints the same as in the plain program, to the last digit, except
# times and dates. Output may differ if two plain runs differ. If the plain run ends with an error, only the ways of
# ending are compared, because output may be lost then.
#
# These conditions also count as tests: both builds succeed, and show the same diagnostics. No translation unit is
# compiled without mpispec, except code that Clang cannot parse. With more ranks than cores, ranks yield while they wait
# (test/Inputs/polite-library.c), because each message would otherwise cost a time slice.
#
# The last line is `N passed, N failed`. The variable MPIEXEC names another launcher than mpiexec.
#
# shellcheck disable=SC2034 # what is set for recipes
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
usage() { sed -n '/SPDX/d;2,/^set -u/s/^# \{0,1\}//p' "$root/scripts/real-programs.sh" | sed '$d'; }

build="$root/build/release" modes='full lanes off' max_ranks=99 small='' links='' keep='' record='' mpi='' wrappers=''
while [ $# -gt 0 ]; do
  case $1 in
  --build) build=$2 && shift ;;
  --mpi) mpi=$2 && shift ;;
  --wrappers) wrappers=$2 && shift ;;
  --modes) modes=$2 && shift ;;
  --ranks) max_ranks=$2 && shift ;;
  --small) small=yes ;;
  --links) links=yes ;;
  --keep) keep=yes ;;
  --record) record=yes ;;
  --help) usage && exit 0 ;;
  -*) usage >&2 && exit 2 ;;
  *) break ;;
  esac
  shift
done
[ $# -gt 0 ] || [ "$record" ] || { usage >&2 && exit 2; }
recipes="$root/scripts/real-programs"
# shellcheck disable=SC2046 # a list of words
[ "$*" != all ] || set -- $(cd "$recipes" && for recipe in *.sh; do basename "$recipe" .sh; done)
[ -x "$build/bin/mpispec" ] || { echo "real-programs.sh: no $build/bin/mpispec: build mpispec first" >&2; exit 1; }
build=$(cd "$build" && pwd)
mpispec="$build/bin/mpispec"
programs="$build/programs" runtime="$build/lib/libmpispec.so"
if [ "$mpi" ]; then
  wrappers=${wrappers:-$build/mpi/$mpi} runtime="$build/lib/mpispec/$mpi/libmpispec.so"
  [ -x "$wrappers/mpicc" ] && [ -e "$runtime" ] || { echo "real-programs.sh: $build has no runtime $mpi" >&2; exit 1; }
  PATH="$wrappers:$PATH" programs="$build/programs-$(basename "$wrappers")"
fi
mpiexec=${MPIEXEC:-mpiexec}
jobs=$(nproc)
passed=0 failed=0
began=$(date +%s)

say() { printf '%4d s  %s: %s\n' $(($(date +%s) - began)) "$name" "$*"; }
pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)) && say "FAILED: $*"; }

# What a recipe may say, as it is where it says nothing.
#
#   package         the source package                       build_system  in a word or two, for the table
#   way             links: see --links                      members       of the archive; nothing means all
#   strip           0: the archive has no folder for all
#   needs           packages to build it with                time_limit    of a test, in seconds
#   fetch           prints the archive's name
#   build_program   configures and builds, in the program's tree, with the compilers $mpicc, $mpicxx, $cc,
#                   $cxx, for CMake with the options $cmake_options
#   run_tests       calls `run TEST RANKS COMMAND...` for each test, in the program's tree
#   digits          a filter that leaves times and dates out of what a test prints
#   agree           whether what a rank printed, a file, says the same as the plain program's, a file too
defaults() {
  package=$name build_system=make way='' members='' strip=1 needs='' time_limit=120
  fetch() { sh "$root/scripts/source-package.sh" "$package" "$programs/sources"; }
  digits() { cat; }
  agree() { cmp -s "$1" "$2"; }
}

install_packages() {
  missing=''
  for needed in $needs; do
    dpkg -s "$needed" >/dev/null 2>&1 || missing="$missing $needed"
  done
  [ "$missing" ] || return 0
  as_root=''
  [ "$(id -u)" = 0 ] || as_root=sudo
  # shellcheck disable=SC2086 # lists of words
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends $missing >/dev/null
}

# The compilers as the recipe sees them. $1: plain or special.
choose_compilers() {
  launch='' cmake_options='-DCMAKE_C_COMPILER=mpicc -DCMAKE_CXX_COMPILER=mpicxx'
  unset MPISPEC_FLAGS
  if [ "$1" = special ]; then
    export MPISPEC_FLAGS="--mpispec-remarks=$work/remarks" MPISPEC_CACHE="$work/summaries"
    if [ "$links$way" ]; then
      [ -d "$work/links" ] || "$mpispec" "--mpispec-install-links=$work/links" >/dev/null
      PATH="$work/links:$PATH"
    else
      launch="$mpispec "
      for language in C CXX; do
        cmake_options="$cmake_options -DCMAKE_${language}_COMPILER_LAUNCHER=$mpispec"
        cmake_options="$cmake_options -DCMAKE_${language}_LINKER_LAUNCHER=$mpispec"
      done
    fi
  fi
  mpicc="${launch}mpicc" mpicxx="${launch}mpicxx" cc="${launch}gcc" cxx="${launch}g++"
}

# The state of mpispec that a program is built with, for its row.
state() { git -C "$root" rev-parse --short HEAD 2>/dev/null || date -u +%F; }

# $1: plain or special. Leaves what the build printed in $1.log, its processor time in $1.times.
build_flavour() {
  tree="$work/$1"
  [ ! "$keep" ] || [ ! -e "$work/$1.built" ] || return 0
  rm -rf "$tree" "$work/$1.built"
  [ "$1" = plain ] || rm -rf "$work/remarks" "$work/links" "$work/summaries"
  mkdir -p "$tree"
  # shellcheck disable=SC2086 # a list of patterns
  tar xf "$archive" -C "$tree" --strip-components=$strip --wildcards $members
  say "building, $1"
  if (cd "$tree" && choose_compilers "$1" && build_program && times >"$work/$1.times") >"$work/$1.log" 2>&1; then
    state >"$work/$1.built"
    pass
  else
    fail "does not build, $1"
    tail -n 15 "$work/$1.log"
    return 1
  fi
}

# Diagnostics in any order (builds are parallel), mpispec's own argument warnings apart.
diagnostics() {
  grep -E '(warning|error): ' "$work/$1.log" | grep -v '\[mpispec-args\]' | sed "s#$work/$1#TREE#g" | sort
}

compare_diagnostics() {
  diagnostics plain >"$work/plain.diagnostics"
  diagnostics special >"$work/special.diagnostics"
  if diff "$work/plain.diagnostics" "$work/special.diagnostics" >"$work/diagnostics.diff"; then
    pass
  else
    fail "other diagnostics (< plain, > through mpispec)"
    head -n 10 "$work/diagnostics.diff"
  fi
  grep -hF '[mpispec-args]' "$work/special.log" | sort -u
}

# What the units became; those Clang cannot parse are listed, others lost are a failure.
report_units() {
  if ! "$mpispec" report --format=json "$work/remarks" >"$work/report.new"; then
    fail "no report"
    return
  fi
  mv "$work/report.new" "$work/report.json" # whole: another run may read it for its table
  if python3 "$root/scripts/real_programs.py" units "$work/report.json"; then
    pass
  else
    fail "translation units lost"
  fi
}

# The file $1 without the runtime's lines. A program may have left its own line unfinished before one of them.
without_runtime() { sed -z 's/mpispec: [^\n]*\n//g' "$1"; }

# run TEST RANKS COMMAND...: called by run_tests. Each rank's output goes to a file of its own.
run() {
  test=$1 ranks=$2
  shift 2
  [ -z "$only" ] || [ "$only" = "$test" ] || return 0
  [ "$ranks" -le "$max_ranks" ] || return 0
  rm -f "$outcomes/$test".*
  status=0 below=$preloaded
  [ "$ranks" -le "$jobs" ] || below="$preloaded $build/test/polite-library.so"
  # shellcheck disable=SC2016,SC2086 # for the ranks; mpiexec may be several words
  env "output=$outcomes/$test" "below=$below" MPIEXEC_TIMEOUT=$time_limit $mpiexec -n "$ranks" \
    sh -c 'exec env LD_PRELOAD="$below" "$@" >"$output.${PMI_RANK-$PMIX_RANK}" 2>&1 </dev/null' rank "$@" \
    </dev/null >"$outcomes/$test.launcher" 2>&1 || status=$?
  for rank in $(seq 0 $((ranks - 1))); do
    without_runtime "$outcomes/$test.$rank" | digits | sed "s#$work/[a-z]*/#TREE/#g" \
      >"$outcomes/$test.$rank.digits"
  done
  echo "ranks $ranks status $status" >"$outcomes/$test.ended"
}

# $1: plain or special, $2: name of the outcomes, $3: a single test, or nothing.
run_flavour() {
  outcomes="$work/outcomes/$2" only=$3 preloaded=''
  [ "$2" != preload ] || preloaded="$runtime"
  [ "$only" ] || rm -rf "$outcomes"
  mkdir -p "$outcomes"
  (cd "$work/$1" && choose_compilers "$1" && run_tests)
}

# Where ranks abort (signal 6), the launcher ends the others (signal 15), and its status is one of the two: plain runs
# differ in it. A run that exceeds its time limit has another status.
end_of() { # $1: outcomes, $2: test
  sed -E 's/status (6|15)$/status of an abort/' "$work/outcomes/$1/$2.ended"
}
same_end() { # $1: outcomes, $2: test
  [ "$(end_of plain "$2")" = "$(end_of "$1" "$2")" ]
}

same_digits() { # $1: outcomes, $2: test
  for file in "$work/outcomes/plain/$2".*.digits; do
    agree "$file" "$work/outcomes/$1/${file##*/}" || return 1
  done
}

# Whether plain runs differ among themselves is asked only where it matters.
steady() {
  [ -e "$work/outcomes/again/$1.ended" ] || run_flavour plain again "$1"
  same_digits again "$1"
}

compare_test() { # $1: mode, $2: test
  if ! same_end "$1" "$2"; then
    fail "$2 ends otherwise, $1: $(cat "$work/outcomes/$1/$2.ended") for $(cat "$work/outcomes/plain/$2.ended")"
    cat "$work/outcomes/$1/$2".launcher "$work/outcomes/$1/$2".[0-9] 2>/dev/null | tail -n 5
  elif grep -qv 'status 0$' "$work/outcomes/plain/$2.ended" || same_digits "$1" "$2"; then
    pass
    alike=$((alike + 1))
  elif steady "$2"; then
    fail "$2 prints otherwise, $1 (< plain, > $1):"
    diff -r -x '*[0-9]' -x '*.launcher' "$work/outcomes/plain" "$work/outcomes/$1" |
      grep -A 8 "/$2\.[0-9]*.digits" | head -n 8
  else
    pass
    alike=$((alike + 1)) unsteady="$unsteady $2"
  fi
}

test_program() {
  say "testing, plain"
  rm -rf "$work/outcomes"
  run_flavour plain plain ''
  for mode in $modes; do
    say "testing, $mode"
    case $mode in
    preload) MPISPEC_MODE=full MPISPEC_VERBOSE=1 run_flavour plain preload '' ;;
    *) MPISPEC_MODE=$mode MPISPEC_VERBOSE=1 run_flavour special "$mode" '' ;;
    esac
    alike=0 count=0 unsteady=''
    [ "$mode" = off ] || grep -qs 'mpispec: lanes are open' "$work/outcomes/$mode"/*.0 || fail "no lanes, $mode"
    for ended in "$work/outcomes/plain"/*.ended; do
      compare_test "$mode" "$(basename "$ended" .ended)"
      count=$((count + 1))
    done
    echo "$alike of $count" >"$work/$mode.alike"
    say "$mode: $alike of $count tests as plain${unsteady:+ (plain runs differ among themselves:$unsteady)}"
  done
}

one_program() {
  name=$1
  work="$programs/$name"
  mkdir -p "$work"
  defaults
  # shellcheck source=/dev/null
  . "$recipes/$name.sh"
  install_packages || { fail "packages to build it with are missing: $needs" && return; }
  archive=$(fetch) || archive=''
  [ "$archive" ] || { fail "the source could not be fetched" && return; }
  echo "$(basename "$archive" | sed 's/^[^_]*_//; s/\.orig.*//; s/^.*-\([0-9.]*\)\.tar.*/\1/')|$build_system" >"$work/row"
  build_flavour plain || return
  if [ "$modes" != preload ]; then
    build_flavour special || return
    compare_diagnostics
    report_units
  fi
  test_program
}

mkdir -p "$programs"
for program; do
  [ -e "$recipes/$program.sh" ] || { echo "real-programs.sh: there is no $recipes/$program.sh" >&2; exit 2; }
done
for program; do
  one_program "$program"
done
python3 "$root/scripts/real_programs.py" table "$programs" >"$programs/table.md"
cat "$programs/table.md"
[ ! "$record" ] || python3 "$root/scripts/record_results.py" "$root/docs/results/programs.md" programs \
  "Programs" "$programs/table.md"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
