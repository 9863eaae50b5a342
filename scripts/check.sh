#!/bin/sh
# Everything that must be right before a change is merged, on a fresh Debian 12: half an hour
# on two cores.
#
# usage: check.sh
#
# Each step writes build/check/<step>.log and counts as one check; the lit suites count each test. The
# last line is `N passed, N failed`; the exit status is 0 if nothing failed.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
export MPISPEC_CACHE=off # the user's stays as it is; steps that need one have their own
logs="$root/build/check"
release="$root/build/release"
mkdir -p "$logs"
passed=0
failed=0

# begin NAME COMMAND...: starts it beside what follows. end NAME: waits for it, and shows the end of its
# output if it failed.
begin() {
  name=$1
  shift
  (
    start=$(date +%s)
    "$@" >"$logs/$name.log" 2>&1
    echo "$? $(($(date +%s) - start))" >"$logs/$name.status"
  ) &
  eval "begun_$(echo "$name" | tr - _)=$!"
}
end() {
  eval "wait \$begun_$(echo "$1" | tr - _)"
  read -r status took <"$logs/$1.status"
  if [ "$status" = 0 ]; then
    passed=$((passed + 1))
    verdict=ok
  else
    failed=$((failed + 1))
    verdict=FAILED
  fi
  echo "$1: $verdict ($took s)"
  [ $verdict = ok ] || tail -n 60 "$logs/$1.log"
  [ $verdict = ok ]
}

# step NAME COMMAND...: both.
step() {
  begin "$@"
  end "$1"
}

# Tests that a step need not run: one that takes a sanitizer's tree, one for another MPI's header, those that take
# MPI-5's ABI or MPI-4.1's functions, which the step mpis has, and in such a tree, or over Open MPI, those that say so
# themselves.
may_be_left_out() {
  case $1 in
  Runtime/ranks-as-threads.c | *OtherMpiHeader.FitsTheTables) return 0 ;;
  esac
  case $2 in
  asan-* | tsan-*) grep -qsE 'UNSUPPORTED: sanitizer|REQUIRES: (abi|mpi4\.1)' "test/$1" ;;
  openmpi) grep -qsE 'REQUIRES:.*(sanitizer|mpich|mpi4|nodes|abi)|UNSUPPORTED: openmpi' "test/$1" ;;
  *) grep -qsE 'REQUIRES: (sanitizer|abi|mpi4\.1)' "test/$1" ;;
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
tests() {
  name=$1
  start=$(date +%s)
  shift
  LIT_OPTS='--show-unsupported --show-skipped --time-tests' "$@" >"$logs/$name.log" 2>&1
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
  echo "$name: $good passed, $bad failed ($(($(date +%s) - start)) s)"
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

finish() {
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
  exit
}

step packages sh scripts/install-packages.sh test || finish
step configure cmake --preset release || finish
step build cmake --build --preset release || finish
tests suites cmake --build --preset release --target check-mpispec
# The same over Open MPI of the distribution, but for the templates' programs once more under the sanitizers, and for
# what builds and installs in the same way whatever the library.
tests openmpi "$(sed -n 's/^LIT:FILEPATH=//p' "$release/CMakeCache.txt")" -sv --timeout 120 --param mpi=openmpi4 --param brief=1 \
  --filter-out 'Templates/sanitized|Fortran/openmpi|EndToEnd/(install-|build-|handle-styles|breakp|compiler-c|coverage|profile|rec)' \
  "$release/test/Runtime" "$release/test/Templates" "$release/test/stress" "$release/test/Fortran" \
  "$release/test/EndToEnd"

# Here and below, one core's work stands beside other work of one core.
begin asan-configure cmake --preset asan
begin tsan-configure cmake --preset tsan
begin openmpi-header sh scripts/openmpi-header.sh "$release"
step format cmake --build --preset release --target check-format
end openmpi-header
begin mpi4py sh scripts/real-programs.sh --build "$release" --modes preload --ranks 1 mpi4py
step demo sh scripts/demo.sh
begin hpcc sh scripts/hpcc.sh "$release"
end mpi4py
step programs sh scripts/real-programs.sh --build "$release" --small --ranks 2 dune-common
end hpcc
step stress sh scripts/stress.sh 90
step mpi4py-pairs sh scripts/real-programs.sh --build "$release" --modes preload --keep --small --ranks 2 mpi4py
step spawn sh scripts/spawn.sh "$release"
step mpis sh scripts/mpis.sh --smoke --build "$release"

# Once more with every access and every overflow watched: unit tests, the runtime and its tests, and
# the templates' tests, where programs, runtime and mpispec itself are all watched.
if end asan-configure &&
  step asan-build cmake --build --preset asan --target mpispec-unit-tests; then
  # LLVM's allocator marks memory that is not handed out yet; the distribution's LLVM, which is not
  # instrumented, takes the marks away nowhere: allow_user_poisoning=0 ignores these marks alone.
  begin asan-unit env ASAN_OPTIONS=detect_leaks=0:allow_user_poisoning=0 \
    build/asan/test/unit/mpispec-unit-tests
  tests asan-runtime cmake --build --preset asan --target check-mpispec-Runtime check-mpispec-stress
  tests asan-templates cmake --build --preset asan --target check-mpispec-Templates
  end asan-unit
fi
# And the runtime with every order of two threads watched.
if end tsan-configure; then
  tests tsan-runtime cmake --build --preset tsan --target check-mpispec-Runtime check-mpispec-stress
fi
finish
