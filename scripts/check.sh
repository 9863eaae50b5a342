#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests the tree on Debian 12 with two cores. The system may be a fresh installation.
#
# usage: check.sh [--all [STEP...]]
#
#   (nothing)   the quick check, before a change is merged: a quarter of an hour. Each test runs once, over MPICH. The
#               tests labelled core also run over Open MPI and under each sanitizer. One real program is tested
#   --all       before an issue is called resolved: some hours. It tests every MPI library, more tests with sanitizers,
#               random programs for ten minutes, and most of the real programs
#   STEP        runs only these steps of --all, after the build. Runs that name all steps together count as one run of
#               --all
#   -h, --help  prints this, and the steps of --all
#
# docs/Design.md, "Tests", lists what the quick check leaves out.
#
# Each step writes build/check/<step>.log and counts as one check; the lit suites count each test. At the end the script
# lists the steps and tests that took longest. The last line is `N passed, N failed`. The exit status is 0 if nothing
# failed.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
all='' wanted=''
steps_of_all() {
  sed -nE '/^full_check/,/^}/s/^[^#]*(begin|step|tests) ([a-z0-9-]+) .*/\2/p' "$root/scripts/check.sh" |
    awk '!seen[$0]++'
}
usage() {
  sed -n '/SPDX/d;2,/^set -u/s/^# \{0,1\}//p' "$root/scripts/check.sh"
  # shellcheck disable=SC2046 # a list of words
  echo "
steps of --all:" $(steps_of_all)
}
refuse() {
  echo "check.sh: no such $1: $2" >&2
  usage >&2
  exit 2
}
while [ $# -gt 0 ]; do
  case $all$1 in
  --all) all=yes ;;
  *-h | *--help) usage && exit 0 ;;
  yes[a-z]*)
    steps_of_all | grep -qxF "$1" || refuse step "$1"
    wanted="$wanted $1"
    ;;
  *) refuse argument "$1" ;;
  esac
  shift
done
quick_leaves_out='|fortran-analysis'
[ -z "$all" ] || quick_leaves_out=''
cd "$root" || exit 1
unset LIT_FILTER LIT_FILTER_OUT LIT_OPTS # the user's would leave out tests unnoticed
export MPISPEC_CACHE=off # the user's stays as it is; steps that need one have their own
logs="$root/build/check"
release="$root/build/release"
[ "$wanted" ] || rm -rf "$logs"
mkdir -p "$logs"
rm -f "$logs/times" "$logs/test-times"
passed=0
failed=0
began=$(date +%s)

# Whether a step is to run: packages, configure and build always do, and what builds a tree does if a step of that tree
# is to run.
is_wanted() {
  case "$wanted packages configure build " in
  ' packages '* | *" $1 "*) return 0 ;;
  esac
  case $1 in
  *-configure | *-build)
    case $wanted in *" ${1%-*}"*) return 0 ;; esac
    ;;
  esac
  return 1
}

# begin NAME COMMAND...: starts it beside what follows. end NAME: waits for it, and shows the end of its
# output if it failed.
begin() {
  is_wanted "$1" || return 0
  name=$1
  shift
  rm -f "$logs/$name.status"
  (
    start=$(date +%s)
    "$@" >"$logs/$name.log" 2>&1
    echo "$? $(($(date +%s) - start))" >"$logs/$name.status"
  ) &
  eval "begun_$(echo "$name" | tr - _)=$!"
}
end() {
  is_wanted "$1" || return 0
  eval "wait \$begun_$(echo "$1" | tr - _)"
  read -r status took <"$logs/$1.status"
  if [ "$status" = 0 ]; then
    passed=$((passed + 1))
    verdict=ok
  else
    failed=$((failed + 1))
    verdict=FAILED
  fi
  echo "$took $1" >>"$logs/times"
  echo "$1: $verdict ($took s)"
  [ $verdict = ok ] || tail -n 60 "$logs/$1.log"
  [ $verdict = ok ]
}

# step NAME COMMAND...: both.
step() {
  begin "$@"
  end "$1"
}

# Tests that a step need not run: those of the Fortran analysis in the quick check, one that takes a sanitizer's tree,
# one for another MPI's header, those that take MPI-5's ABI or MPI-4.1's functions, which the step mpis has, those of
# Open MPI, which the step openmpi has, and in such a tree, or over Open MPI, those that say so themselves.
may_be_left_out() {
  case $1 in
  *OtherMpiHeader.FitsTheTables) return 0 ;;
  esac
  case $2 in
  asan-* | tsan-*) grep -qsE 'UNSUPPORTED: sanitizer|REQUIRES: (abi|mpi4\.1)' "test/$1" ;;
  openmpi) grep -qsE 'REQUIRES:.*(sanitizer|mpich|mpi4|nodes|abi)|UNSUPPORTED:.*openmpi' "test/$1" ;;
  *) grep -qsE "REQUIRES: (sanitizer|abi|mpi4\.1|openmpi4$quick_leaves_out)" "test/$1" ;;
  esac
}

# What the lit run of a step left out is said, and counted as failed where it need not have been.
count_left_out() {
  sed -nE '/^(Unsupported|Skipped) Tests/,/^$/s/^  mpispec :: //p' "$logs/$1.log" >"$logs/left-out"
  while read -r test; do
    if may_be_left_out "$test" "$1"; then
      echo "  left out: $test"
    else
      echo "  left out, but should run: $test"
      bad=$((bad + 1))
    fi
  done <"$logs/left-out"
}

# tests NAME COMMAND...: the same for a lit run, counting what lit counts.
lit_options='--show-unsupported --show-skipped --time-tests'
tests() {
  is_wanted "$1" || return 0
  name=$1
  start=$(date +%s)
  shift
  LIT_OPTS=$lit_options "$@" >"$logs/$name.log" 2>&1
  status=$?
  count() { sed -nE "s/^ *($1) *: *([0-9]+).*/\2/p" "$logs/$name.log" | awk '{n += $1} END {print n + 0}'; }
  good=$(count 'Passed|Expectedly Failed')
  bad=$(count 'Failed|Timed Out|Unresolved|Unexpectedly Passed')
  # A run that died before its summary is a failure, whatever it counted.
  [ $status = 0 ] || [ "$bad" -gt 0 ] || bad=1
  [ "$good" -gt 0 ] || bad=$((bad + 1))
  count_left_out "$name"
  passed=$((passed + good))
  failed=$((failed + bad))
  took=$(($(date +%s) - start))
  echo "$took $name" >>"$logs/times"
  sed -nE "s/^([0-9.]+)s: mpispec(-unit)? :: (.*)/\1 \3 in $name/p" "$logs/$name.log" >>"$logs/test-times"
  echo "$name: $good passed, $bad failed ($took s)"
  [ "$bad" = 0 ] || show_failures "$logs/$name.log"
}

# The verdicts of a lit run's failures, and the end of what each of the first three of them printed.
show_failures() {
  grep -E '^(FAIL|TIMEOUT|UNRESOLVED|XPASS): ' "$1" || tail -n 60 "$1"
  awk '/^\*\*\*\*\** TEST / { inside = 1; lines = 0 }
       inside { line[lines++ % 40] = substr($0, 1, 300) }
       /^\*\*\*\*\**$/ && inside {
         for (i = lines > 40 ? lines - 40 : 0; i < lines; ++i)
           print line[i % 40]
         inside = 0
         if (++tests == 3)
           exit
       }' "$1"
}

# The longest steps and the longest tests. Some steps ran beside others.
show_times() {
  for file in times test-times; do
    [ ! -f "$logs/$file" ] || sort -rn "$logs/$file" | head -n 8 | sed 's/^\([^ ]*\) /  \1 s  /'
  done
}

finish() {
  echo "what took longest, of $(($(date +%s) - began)) s:"
  show_times
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
  exit
}

# lit OPTION... TEST...: of the tree whose tests these are.
lit() { "$(sed -n 's/^LIT:FILEPATH=//p' "$release/CMakeCache.txt")" -sv "$@"; }

# The tests labelled core, and test/stress, in the tree $1.
core_of() {
  (cd test && grep -lxE '(// )?LABEL: core' Runtime/*.*) | sed "s,^,$1/test/,"
  echo "$1/test/stress"
}

# The runtime for the main MPI library alone, with the sanitizer of preset $1, in a tree of its own.
configure_core() { cmake --preset "$1" -B "build/$1-core" -DMPISPEC_MPIS=mpicc; }
build_core() { cmake --build "build/$1-core" --target polite-library mpispec-runtime mpispec-runtime-shared; }

# A command of which MPI programs are a part, with the file of test/lit.cfg.py: MPI starts twice as fast.
with_topology() {
  if lstopo-no-graphics --no-io --force "$logs/topology.xml"; then
    export HWLOC_XMLFILE="$logs/topology.xml" HWLOC_THISSYSTEM=1
  fi
  "$@"
}

# Headers of the runtime that mpispec's C++ includes are compiled with GCC: only full_check builds mpispec with it.
compile_shared_headers() {
  for header in $(grep -rhoE '#include "[a-z0-9]+/[a-z0-9_]+\.h"' lib tools | cut -d'"' -f2 | sort -u); do
    [ ! -f "runtime/$header" ] || g++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -Iruntime -x c++ \
      "runtime/$header" || return 1
  done
}

quick_check() {
  tests suites env "LIT_OPTS=$lit_options --param quick=1" cmake --build --preset release --target check-mpispec

  # The program keeps one core busy, the steps beside it the other.
  begin program with_topology sh scripts/real-programs.sh --build "$release" --small --ranks 2 dune-common
  begin asan-configure configure_core asan
  begin tsan-configure configure_core tsan
  step openmpi-header sh scripts/openmpi-header.sh "$release"
  step shared-headers compile_shared_headers
  step format cmake --build --preset release --target check-format
  step demo sh scripts/demo.sh
  end asan-configure && step asan-build build_core asan
  end tsan-configure && step tsan-build build_core tsan
  end program

  # shellcheck disable=SC2046 # a list of words
  tests openmpi lit -j4 --timeout 120 --param mpi=openmpi4 --param quick=1 \
    --filter-out 'Templates/(sanitized|add-a-template|(collective-)?equations)' $(core_of "$release") \
    "$release/test/Templates" "$release/test/EndToEnd/every-mpi.c" "$release/test/Fortran/messages.F90"
  for sanitizer in asan tsan; do
    # shellcheck disable=SC2046
    tests $sanitizer-core lit --timeout 300 --param quick=1 $(core_of "build/$sanitizer-core")
  done
}

full_check() {
  tests suites cmake --build --preset release --target check-mpispec
  # The same over Open MPI of the distribution, but for the templates' programs once more under the sanitizers, and for
  # what builds and installs in the same way whatever the library. A start of Open MPI mostly waits, therefore four
  # tests run at once.
  tests openmpi lit -j4 --timeout 300 --param mpi=openmpi4 \
    --filter-out 'Templates/sanitized|Fortran/openmpi|EndToEnd/(install-|build-|handle-styles|breakp|compiler-c|coverage|profile|rec)' \
    "$release/test/Runtime" "$release/test/Templates" "$release/test/stress" "$release/test/Fortran" "$release/test/EndToEnd"
  step mpis sh scripts/mpis.sh --build "$release" --steps 'compile link preload tests' mpich5 intel openmpi5 abi

  begin asan-configure cmake --preset asan
  begin tsan-configure cmake --preset tsan
  begin openmpi-header sh scripts/openmpi-header.sh "$release"
  step format cmake --build --preset release --target check-format
  end openmpi-header
  step demo sh scripts/demo.sh
  begin hpcc sh scripts/hpcc.sh "$release"
  step mpi4py with_topology sh scripts/real-programs.sh --build "$release" --modes preload --ranks 2 mpi4py
  end hpcc
  step programs with_topology sh scripts/real-programs.sh --build "$release" --small dune-common examl fftw3 hypre lammps p4est scotch spooles
  step stress with_topology sh scripts/stress.sh 600
  step spawn sh scripts/spawn.sh "$release"
  step debian-packages sh scripts/packages.sh --build "$release" deb recipes readme wheel tarball
  step slurm sh scripts/slurm.sh "$release"
  grep -hs '^skipped' "$logs/slurm.log" || true
  step without-llvm-build sh -c 'CC=gcc CXX=g++ cmake --preset runtime && cmake --build --preset runtime'
  step without-llvm sh -c 'cd build/runtime && ctest --output-on-failure'
  step without-llvm-lit sh -c 'python3 -m venv build/lit && build/lit/bin/pip install -q lit psutil &&
    cmake --preset runtime "-DLIT=$PWD/build/lit/bin/lit" && cmake --build --preset runtime --target check-mpispec-Runtime'
  step older-build sh scripts/older-build.sh "$release"
  grep -hs '^skipped' "$logs/older-build.log" || true

  # Once more with every access and every overflow watched: unit tests, the runtime and its tests, and
  # the templates' tests, where programs, runtime and mpispec itself are all watched.
  if end asan-configure &&
    step asan-build cmake --build --preset asan --target mpispec-unit-tests; then
    # LLVM's allocator marks memory that is not handed out yet; the distribution's LLVM, which is not
    # instrumented, takes the marks away nowhere: allow_user_poisoning=0 ignores these marks alone.
    # Not beside lit, whose programs poll on both cores: plain MPICH has exceeded a time limit then.
    step asan-unit env ASAN_OPTIONS=detect_leaks=0:allow_user_poisoning=0 \
      build/asan/test/unit/mpispec-unit-tests
    tests asan-runtime cmake --build --preset asan --target check-mpispec-Runtime check-mpispec-stress -- -k 0
    tests asan-templates cmake --build --preset asan --target check-mpispec-Templates
  fi
  # And the runtime with every order of two threads watched.
  if end tsan-configure; then
    tests tsan-runtime cmake --build --preset tsan --target check-mpispec-Runtime check-mpispec-stress -- -k 0
  fi
}

step packages sh scripts/install-packages.sh test || finish
# The analysis of Fortran takes minutes to compile, because of flang's headers; C++ at -O3 takes a fifth longer than at
# -O1.
if [ "$all" ]; then
  step configure cmake --preset release -DMPISPEC_FORTRAN=yes "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG" || finish
else
  step configure cmake --preset release -DMPISPEC_FORTRAN=no "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG" || finish
fi
step build cmake --build --preset release || finish
if [ "$all" ]; then
  full_check
else
  quick_check
fi
finish
