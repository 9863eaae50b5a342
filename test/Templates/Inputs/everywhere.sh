#!/bin/sh
# Runs a program with lanes and fast paths, with lanes alone, without either, without the runtime
# (PROGRAM.without, see specialise.sh), and, where the library can be told to take the machine for
# several nodes (PRETENDED_NODES), so. It must say in each that all is right, and where the fast paths are open,
# that they were taken.
#
# usage: everywhere.sh RANKS PROGRAM
set -eu
run() {
  MPIEXEC_TIMEOUT=60 mpiexec -n "$ranks" "$program" >"$program.out" 2>&1 &&
    grep -q 'all right' "$program.out" || {
    echo "failed: $1"
    cat "$program.out"
    exit 1
  }
}
ranks=$1 program=$2
(export FAST=1 MPISPEC_MODE=full && run "one node, fast paths")
(export MPISPEC_MODE=lanes && run "one node, lanes")
(export MPISPEC_MODE=off && run "switched off")
(export MPISPEC_MODE=off program="$program.without" && run "without the runtime")
[ -z "${PRETENDED_NODES-}" ] || (export MPISPEC_MODE=full MPIR_CVAR_ODD_EVEN_CLIQUES=1 && run "several nodes")
