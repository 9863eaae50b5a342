#!/bin/sh
# The test suite of mpi4py, built against this machine's MPI library, with and without the runtime
# preloaded: what passes without must pass with it.
#
# usage: mpi4py.sh [--ranks "1 2 3 4"] [--only MODULES] [BUILD-DIRECTORY]     (default build/release)
#
# MODULES is a regular expression over names such as test_p2p_buf. The package comes from the Python
# registry and is built once, in BUILD-DIRECTORY/mpi4py. Each run has a limit of ten minutes.
#
# With more ranks than cores both runs wait politely (test/Inputs/yield.c).
#
# Left out with more than one rank: test_util_sync, whose locks and conditions fail or hang with plain
# MPICH 4.0.2. (The suite itself skips what starts processes with this MPICH.)
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
ranks="1 2 3 4"
only=
while :; do
  case "${1-}" in
  --ranks) ranks=$2; shift 2 ;;
  --only) only=$2; shift 2 ;;
  *) break ;;
  esac
done
build=$(cd "${1-$root/build/release}" && pwd)
work="$build/mpi4py"
version=4.1.2
python="$work/venv/bin/python"
suite="$work/mpi4py-$version/test"

if [ ! -e "$work/installed" ]; then
  rm -rf "$work"
  mkdir -p "$work"
  python3 -m venv "$work/venv"
  cd "$work"
  # Without optimization: only calls of MPI matter, and it is one huge file.
  "$python" -m pip install -q --disable-pip-version-check numpy
  "$python" -m pip download -q --disable-pip-version-check --no-deps --no-binary mpi4py \
    "mpi4py==$version"
  tar xzf "mpi4py-$version.tar.gz"
  CFLAGS="-O0 -g0" MPICC=$(command -v mpicc) \
    "$python" -m pip install -q --disable-pip-version-check "./mpi4py-$version"
  touch installed
fi

cc -O2 -fPIC -shared "$root/test/Inputs/yield.c" -o "$work/yield.so"

# $1: directory for the outcomes; $2: ranks; $3: the runtime, or nothing; the rest: the environment.
run_suite() {
  outcomes=$1
  count=$2
  preloaded=$3
  [ "$count" -le "$(nproc)" ] || preloaded="$preloaded $work/yield.so"
  shift 3
  excluded=
  [ "$count" = 1 ] || excluded=util_sync
  rm -rf "$outcomes"
  mkdir -p "$outcomes"
  (cd "$suite" && MPIEXEC_TIMEOUT=600 mpiexec -n "$count" env "LD_PRELOAD=$preloaded" "$@" \
    "$python" "$root/scripts/mpi4py_outcomes.py" run "$outcomes" "$suite" \
    --no-builddir ${only:+-i "$only"} ${excluded:+-e "$excluded"}) >"$outcomes.log" 2>&1 || true
}

failed=0
for count in $ranks; do
  echo "$count rank(s)"
  run_suite "$work/plain-$count" "$count" "" MPISPEC_MODE=off
  run_suite "$work/runtime-$count" "$count" "$build/lib/libmpispec.so" MPISPEC_MODE=full \
    MPISPEC_VERBOSE=1
  grep -q 'mpispec: lanes are open' "$work/runtime-$count.log" || {
    echo "the runtime was not there"
    failed=1
  }
  python3 "$root/scripts/mpi4py_outcomes.py" compare "$work/plain-$count" \
    "$work/runtime-$count" || failed=1
done
exit $failed
