#!/bin/sh
# Runs a job without lanes and with lanes, and prints what it said if both said the same (in whatever
# order the ranks spoke). Exit status 1 if not, or if one did not end well.
#   [LANES=full] both.sh <arguments of mpiexec>
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
lanes=${LANES:-lanes}
for mode in off $lanes; do
  MPISPEC_MODE=$mode MPIEXEC_TIMEOUT=${LIMIT:-40} mpiexec "$@" >"$out/$mode.raw" 2>"$out/$mode.errors"
  echo "exit $?" >>"$out/$mode.raw"
  sort "$out/$mode.raw" >"$out/$mode"
done
if ! diff "$out/off" "$out/$lanes" >&2 || ! grep -qx "exit 0" "$out/$lanes"; then
  tail -n 20 "$out"/*.errors >&2
  exit 1
fi
cat "$out/$lanes"
