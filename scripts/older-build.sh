#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests ranks of this build beside ranks of an early build, which distinguishes protocols by numbers instead of hashes.
# In such a job both builds must make ordinary MPI calls, whichever has the lower rank, and the results must be right.
# The script also tests objects with the early build's templates and this build's runtime.
#
# usage: older-build.sh [BUILD-DIRECTORY]     (default build/release)
#
# The early build comes from the history of this repository. If the history lacks it, the script prints `skipped`, and
# tests nothing.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1-$root/build/release}" && pwd)
early=52ea47b
work=$build/older
if ! git -C "$root" cat-file -e "$early^{commit}" 2>/dev/null; then
  echo "skipped: the history has no commit $early"
  exit 0
fi

rm -rf "$work"
mkdir -p "$work/source"
git -C "$root" archive "$early" | tar -x -C "$work/source"
(cd "$work/source" && cmake --preset release -B "$work/build" -DMPISPEC_MPIS=mpicc)
cmake --build "$work/build" --target mpispec-runtime mpispec-runtime-shared

PATH="$build/bin:$build/mpi/mpich:$PATH"
cd "$work"
inputs=$root/test/Runtime/Inputs
mpicc -O1 "$inputs/gatherv.c" -o plain
mpicc -O1 "$inputs/gatherv.c" -o new "$build/lib/libmpispec.a" -lpthread
mpicc -O1 "$inputs/gatherv.c" -o old "$work/build/lib/libmpispec.a" -lpthread
mpispec rewrite "$root/test/Templates/Inputs/template-exchange.c" -- -I"$root/test/Inputs" \
  "$(mpicc -show | tr ' ' '\n' | grep '^-I')" >object.c
mpicc -w -O2 -I"$work/source/templates" -I"$root/test/Inputs" -c object.c -o object.o
mpicc object.o -o object-new "$build/lib/libmpispec.a" -lpthread
mpicc object.o -o object-old "$work/build/lib/libmpispec.a" -lpthread
mpicc object.o -o object-shared -L"$build/lib" -Wl,-rpath,"$build/lib" -lmpispec
sh "$inputs/other-launcher.sh" "$work/launcher"
preload_new="env LD_PRELOAD=$build/lib/libmpispec.so ./plain"
preload_old="env LD_PRELOAD=$work/build/lib/libmpispec.so ./plain"

failed=0
# expect LANES WORDS...: a job whose lanes are open, or shut.
expect() {
  lanes=$1
  shift
  found=failed
  if MPISPEC_VERBOSE=1 MPIEXEC_TIMEOUT=60 "$@" >log 2>&1 && grep -q 'right$' log && ! grep -qi wrong log; then
    found=shut
    ! grep -q 'lanes are open' log || found=open
  fi
  if [ $found = "$lanes" ]; then
    echo "lanes $lanes: $*"
  else
    echo "FAILED, lanes should be $lanes: $*"
    cat log
    failed=1
  fi
}
# both COMMAND OTHER: one rank of each, in both orders; and two of each.
# shellcheck disable=SC2086 # lists of words
both() {
  expect shut mpiexec -n 1 $1 : -n 1 $2
  expect shut mpiexec -n 1 $2 : -n 1 $1
  expect shut mpiexec -n 2 $1 : -n 2 $2
}
both "$preload_new" "$preload_old"
both ./new ./old
both ./new "$preload_old"
both "$preload_new" ./old
# The early build's objects, in a program for two ranks, with either runtime.
for program in ./object-new ./object-shared; do
  expect shut mpiexec -n 1 $program : -n 1 ./object-old
  expect shut mpiexec -n 1 ./object-old : -n 1 $program
  expect open mpiexec -n 2 $program
done
# Each build with itself, or nothing would be shown.
expect open mpiexec -n 2 ./new
expect open mpiexec -n 2 ./old
# A launcher that keeps no keys: announcements are sockets. On several machines nobody sees them all.
# shellcheck disable=SC2086
for several in "" "-launcher fork -hosts one,two -ppn 1"; do
  expect shut env MPISPEC_EVERYWHERE=1 "$work/launcher/mpiexec" $several -n 1 ./new : -n 1 ./old
  expect shut env MPISPEC_EVERYWHERE=1 "$work/launcher/mpiexec" $several -n 1 ./old : -n 1 ./new
done
exit $failed
