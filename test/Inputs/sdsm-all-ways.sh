#!/bin/sh
# usage: sdsm-all-ways.sh DIR PRELOAD [OPTION...]
# Runs the programs of bench/sdsm in DIR, each through the command PRELOAD, with the options. Prints a line for each form
# that was right in all ways. With QUICK in the environment, each form runs in half of the ways.
set -eu
dir=$1 preload=$2
shift 2

# right RANKS COMMAND...
right() {
  ranks=$1
  shift
  # shellcheck disable=SC2086 # a list of words, or none
  output=$(timeout -k 5 100 mpiexec -n "$ranks" $preload "$@" 2>&1) && case $output in *right*) return 0 ;; esac
  echo "$ranks ranks, $*: $output"
  exit 1
}

for ranks in 2 3; do
  right $ranks "$dir/sdsm-check" --cache 65536 "$@"
  right $ranks "$dir/sdsm-check" --cache 65536 --threads 3 --second-mapping "$@"
done
[ "${QUICK-}" ] || right 1 "$dir/sdsm-check" --cache 65536 --threads 3 --second-mapping "$@"
right 2 "$dir/sdsm-check" --cache 3145728 --page 65536 --threads 3 --awake "$@"
echo "check right all ways"

for form in A1 A1p A2 A2p A3 A3p mpi mpi-nb; do
  stencil() {
    ranks=$1 points=$2
    shift 2
    right "$ranks" "$dir/sdsm-stencil" $form "$points" --verify "$@"
  }
  stencil 2 27 --size 20 18 26 --steps 5 --block 4 "$@"
  stencil 3 7 --size 33 33 30 --steps 6 --block 5 --cache 65536 "$@"
  stencil 2 7 --size 32 32 33 --steps 5 --threads 3 --block 3 --second-mapping "$@"
  if [ -z "${QUICK-}" ]; then
    stencil 1 7 --size 20 18 26 --steps 5 --block 2 "$@"
    stencil 2 27 --size 32 32 32 --steps 5 --threads 3 --page 65536 --cache 2097152 "$@"
    stencil 3 7 --size 40 20 24 --steps 4 --page 1048576 "$@"
  fi
  echo "$form right all ways"
done
