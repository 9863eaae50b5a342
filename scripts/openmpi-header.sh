#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compares the MPI tables with the <mpi.h> of Open MPI from the distribution's package, and compiles programs with this
# header.
#
# usage: openmpi-header.sh [BUILD-DIRECTORY]     (default build/release)
#
# The package is unpacked in the build directory, not installed. Therefore the machine's mpicc stays that of MPICH.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1-$root/build/release}" && pwd)
work="$build/openmpi-header"

if [ ! -d "$work/unpacked" ]; then
  mkdir -p "$work"
  cd "$work"
  apt-get -qq -o "APT::Sandbox::User=$(id -un)" download libopenmpi-dev
  dpkg-deb -x libopenmpi-dev_*.deb unpacked.part
  mv unpacked.part unpacked
fi
header=$(find "$work/unpacked" -path '*/openmpi/include/mpi.h')
[ -n "$header" ] || { echo "openmpi-header.sh: the package has no mpi.h" >&2; exit 1; }
include=$(dirname "$header")
OTHER_MPI_INCLUDE=$include "$build/test/unit/mpispec-unit-tests" \
  --gtest_filter='OtherMpiHeader.*' | tee "$work/output"
grep -q 'PASSED.* 1 test' "$work/output"

# Programs with calls of the whole catalog, compiled against that header: each specialised, in silence
# but for what the compiler says anyway.
for source in send-modes.c sendrecv-rings.c catalog-collectives.c master-worker.c completion-windows.c templates.cpp; do
  compiler=gcc
  [ "${source##*.}" = c ] || compiler=g++
  set -- $compiler -O2 -I "$include" -I "$root/test/Inputs" -c "$root/test/EndToEnd/$source" \
    -o "$work/object.o"
  rm -rf "$work/remarks"
  "$@" 2>"$work/plain.err"
  "$build/bin/mpispec" --mpispec-remarks="$work/remarks" "$@" 2>"$work/special.err"
  diff "$work/plain.err" "$work/special.err"
  if grep -rh 'Name: *fallback' "$work/remarks"; then
    echo "openmpi-header.sh: $source is not specialised" >&2
    exit 1
  fi
  echo "$source: $(grep -rh '^--- !Passed' "$work/remarks" | wc -l) calls specialised"
done
