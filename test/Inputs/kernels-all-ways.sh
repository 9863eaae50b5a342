#!/bin/sh
# Runs small kernels of bench/ as plain MPI, through the argument cache, and specialised in each mode,
# on 2 and 4 ranks and, where the library can be told so (PRETENDED_NODES), with odd and even ranks on "nodes"
# of their own. Each must find its own result right, and all must print the same one. With QUICK in the environment every
# second kernel runs with 2 ranks, the others with 4, on two "nodes" where that can be.
#
# usage: kernels-all-ways.sh DIRECTORY KERNEL...      (DIRECTORY as bench/Makefile makes it, SMALL=yes)
set -eu
out=$1
shift

# run MODE RANKS PROGRAM: the program's output without its times. (MPICH 5 says on stderr, in the middle of other lines,
# what requests the argument cache keeps.)
run() {
  MPISPEC_MODE=$1 MPIEXEC_TIMEOUT=60 mpiexec -n "$2" "$3" >"$3.raw" 2>"$3.errors" || {
    echo "$3 fails: mode $1, $2 ranks, cliques $MPIR_CVAR_ODD_EVEN_CLIQUES"
    cat "$3.raw" "$3.errors"
    exit 1
  }
  grep -vE '^(seconds|handoff|compute|waiting|inside) ' "$3.raw" >"$3.out"
}

# same VARIANT MODE RANKS: and it is what plain MPI printed on as many ranks.
same() {
  run "$2" "$3" "$out/$1/$kernel"
  cmp "$out/plain/$kernel.out" "$out/$1/$kernel.out" || {
    echo "$kernel differs: $1, mode $2, $3 ranks, cliques $MPIR_CVAR_ODD_EVEN_CLIQUES"
    exit 1
  }
}

plain() {
  run off "$1" "$out/plain/$kernel"
  grep -qx right "$out/plain/$kernel.out" || { echo "$kernel itself is wrong"; exit 1; }
}

on_two_ranks() {
  plain 2
  same cache off 2
  [ "${QUICK-}" ] || same special lanes 2
  same special full 2
}

on_four_ranks() {
  plain 4
  if [ -z "${QUICK-}" ]; then
    same special off 4
    same special full 4
  elif [ -z "${PRETENDED_NODES-}" ]; then
    same special full 4
  fi
  if [ "${PRETENDED_NODES-}" ]; then
    export MPIR_CVAR_ODD_EVEN_CLIQUES=1
    [ "${QUICK-}" ] || same special lanes 4
    same special full 4
  fi
}

number=0
for kernel in "$@"; do
  export MPIR_CVAR_ODD_EVEN_CLIQUES=0
  number=$((number + 1))
  [ "${QUICK-}" ] && [ $((number % 2)) = 0 ] || on_two_ranks
  [ "${QUICK-}" ] && [ $((number % 2)) = 1 ] || on_four_ranks
  echo "$kernel right all ways"
done
