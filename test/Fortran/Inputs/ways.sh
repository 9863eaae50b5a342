#!/bin/sh
# Builds a Fortran source with each binding and runs it as plain MPI, with the runtime preloaded, and
# linked with it as a static and a shared library, and, but for Open MPI, with ranks split over two pretended nodes. Prints
# BINDING WAY "as plain MPI" for each run that opened lanes and in which each rank printed what it did with plain MPI.
#
# usage: RUNTIME=DIRECTORY STYLE=mpich|ompi ways.sh SOURCE RANKS [BINDING...]     (MPIF_H, USE_MPI, USE_MPI_F08)
# FFLAGS may have further options of the compiler. A source is preprocessed; bench/fortran/one-source.inc says how it can serve all three.
set -eu
source=$1
ranks=$2
shift 2
[ $# -gt 0 ] || set -- MPIF_H USE_MPI USE_MPI_F08
[ "$STYLE" != ompi ] || library=-DOPEN_MPI
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# run WAY PRELOAD PROGRAM: each rank's output goes to a file, for Open MPI's launcher mixes long lines.
run() {
  rm -f "$out"/raw.*
  if ! env MPISPEC_VERBOSE=1 MPIEXEC_TIMEOUT=60 mpiexec -n "$ranks" sh -c \
    'LD_PRELOAD=$1 exec "$0" >"$2.${OMPI_COMM_WORLD_RANK-$PMI_RANK}"' "$3" "$2" "$out/raw" >"$out/errors" 2>&1; then
    echo "$binding $1 fails"
    cat "$out"/raw.* "$out/errors"
    exit 1
  fi
  cat "$out"/raw.* >"$out/$1"
}

same() {
  run "$@"
  grep -q "lanes are open" "$out/errors" || { echo "$binding $1 opens no lanes"; cat "$out/errors"; exit 1; }
  diff "$out/plain" "$out/$1" || { echo "$binding $1 differs"; exit 1; }
  echo "$binding $1 as plain MPI"
}

for binding in "$@"; do
  # shellcheck disable=SC2086 # words
  mpif90 -cpp -g -O1 -w -fallow-argument-mismatch -D$binding ${library-} ${FFLAGS-} "-J$out" \
    -I"$(dirname "$0")/../../../bench/fortran" -c "$source" -o "$out/program.o"
  link="mpif90 $out/program.o"
  $link -o "$out/program"
  $link -o "$out/program.static" -Wl,-u,MPI_Init "$RUNTIME/libmpispec.a" -lpthread
  $link -o "$out/program.shared" -Wl,--no-as-needed "-L$RUNTIME" "-Wl,-rpath,$RUNTIME" -lmpispec
  run plain "" "$out/program"
  cat "$out/plain"
  same preloaded "$RUNTIME/libmpispec.so" "$out/program"
  same static "" "$out/program.static"
  same shared "" "$out/program.shared"
  [ "$STYLE" != ompi ] || continue # it cannot be told so
  export MPIR_CVAR_ODD_EVEN_CLIQUES=1
  run plain "" "$out/program"
  same nodes "" "$out/program.shared"
  unset MPIR_CVAR_ODD_EVEN_CLIQUES
done
