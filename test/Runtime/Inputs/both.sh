#!/bin/sh
# Runs a job without lanes and with lanes, and prints what it said if both said the same (in whatever
# order the ranks spoke). Exit status 1 if not, or if one did not end well.
#   [LANES=full] [LIMIT=SECONDS] both.sh <arguments of mpiexec>
#
# With RANK_FILES in the environment, each rank prints into a file (openmpi-mpiexec.sh): Open MPI 4's launcher reads a rank's
# output in pieces, and the end of a line may come behind a piece of another rank.
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
  [ -z "${RANK_FILES-}" ] || RANK_FILES=$out/$mode.files
  MPISPEC_MODE=$mode MPIEXEC_TIMEOUT=$limit mpiexec "$@" >"$out/$mode.raw" 2>"$out/$mode.errors"
  status=$?
  if [ "${RANK_FILES-}" ]; then
    cat "$RANK_FILES"/rank.*/stdout >>"$out/$mode.raw"
    cat "$RANK_FILES"/rank.*/stderr >>"$out/$mode.errors"
  fi
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
