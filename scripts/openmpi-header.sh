#!/bin/sh
# Holds the MPI tables against the real <mpi.h> of Open MPI, from the distribution's package.
#
# usage: openmpi-header.sh [BUILD-DIRECTORY]     (default build/release)
#
# The package is unpacked in the build directory, not installed: the machine's mpicc stays MPICH's.
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
OTHER_MPI_INCLUDE=$(dirname "$header") "$build/test/unit/mpispec-unit-tests" \
  --gtest_filter='OtherMpiHeader.*' | tee "$work/output"
grep -q 'PASSED.* 1 test' "$work/output"
