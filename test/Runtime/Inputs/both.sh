#!/bin/sh
# Runs a job without lanes and with lanes, and prints what it said if both said the same (in whatever
# order the ranks spoke). Exit status 1 if not, or if one did not end well.
#   [LANES=full] [LIMIT=SECONDS] both.sh <arguments of mpiexec>
#
# The job without lanes is the reference, not what is tested: on a busy machine it may need more than LIMIT seconds.
# It is then repeated, once. A job with lanes that exceeds the limit fails at once.
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
lanes=${LANES:-lanes}
limit=${LIMIT:-40}

run() { # MODE ARGUMENT...
  mode=$1
  shift
  start=$(date +%s)
  MPISPEC_MODE=$mode MPIEXEC_TIMEOUT=$limit mpiexec "$@" >"$out/$mode.raw" 2>"$out/$mode.errors"
  status=$?
  took=$(($(date +%s) - start))
  echo "exit $status" >>"$out/$mode.raw"
  sort "$out/$mode.raw" >"$out/$mode"
}

run off "$@"
if [ $status != 0 ] && [ $took -ge "$limit" ]; then
  echo "both.sh: repeated, because plain MPI took more than $limit s: mpiexec $*" >&2
  run off "$@"
fi
run "$lanes" "$@"
if ! diff "$out/off" "$out/$lanes" >&2 || ! grep -qx "exit 0" "$out/$lanes"; then
  tail -n 20 "$out"/*.errors >&2
  exit 1
fi
cat "$out/$lanes"
