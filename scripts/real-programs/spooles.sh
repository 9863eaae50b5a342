# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPOOLES solves sparse linear systems by factorization. It stands in for SuperLU_DIST, whose source package is not
# available. It has makefiles of 1999 that write into archives, and C in the style of K&R.
#
# The tests are its test programs with the arguments of its scripts do_*, on more ranks. They print the error of a
# solution, checksums, and the number of bytes sent. allInOneMPI and patchAndGoMPI gather into the buffer that they
# send, which is an error in MPICH.
package=spooles build_system=make way=links strip=0
spooles_tests='testGridMPI testGather testMMM testIV_allgather testIVL_allgather testIVL_alltoall
  testIVL_Bcast testGraph_Bcast testSplitDenseMtx testSplitInpMtx testScatterDenseMtx testScatterInpMtx
  allInOneMPI patchAndGoMPI'

# One of its lists names a file that is not there.
build_program() {
  spooles_make() { make CC=mpicc OPTLEVEL=-O MPI_INCLUDE_DIR= MPI_LIBS= "$@"; }
  sed -i 's/drawTree/draw/' Tree/src/makeGlobalLib && spooles_make global && spooles_make -C MPI/src spoolesMPI.a &&
    spooles_make -C MPI/drivers $spooles_tests
}

run_tests() {
  cd MPI/drivers || return
  for ranks in 1 2 3 4; do
    while read -r variant program arguments; do
      # shellcheck disable=SC2086 # a list of words
      run "$program-$variant-$ranks" "$ranks" "./$program" 1 stdout $arguments
    done <<'TESTS'
real testGridMPI 9 9 5 1000 64 10101 1 2 0 0 10 1.e-50 0 4 3 0.125
symmetric testGridMPI 7 7 7 1000 64 10101 1 0 0 0 10 1.e-50 0 4 3 0.125
complex testGridMPI 9 9 5 1000 64 10101 2 2 0 1 10 1.e-50 0 4 2 0.125
flat testGridMPI 30 30 1 0 32 10101 1 0 1 0 10 1.e-3 1 2 1 0.125
columns testGather 2 2000 40 40 1 1010101
complex testMMM 30 30 200 4 2 2 2 2 10101 0.5 2.0
real testIV_allgather 10000 10101
lists testIVL_allgather 1000 10101
lists testIVL_alltoall 10 10101
lists testIVL_Bcast 1000 200 0 10101
weighted testGraph_Bcast 3 1000 5000 0 10101
real testSplitDenseMtx 1 100 4 4 1 10101
real testSplitInpMtx 20 100 10101 3 2
real testScatterDenseMtx 1 100 4 4 1 10101 0
vectors testScatterInpMtx 2000 10000 10101 3 2 0
TESTS
  done
  run allInOne-4 4 ./allInOneMPI 1 stdout 2 0 0 10101
  run patchAndGo-4 4 ./patchAndGoMPI 1 stdout 1 0 0 1.e-9 1.e-9 1 1 9999
}

# Tables of steps have a column of seconds and one of their share.
digits() { sed -E 's/0x[0-9a-f]+/ADDRESS/g' | grep -viE 'cpu|time|mflops|seconds| [0-9]+\.[0-9]{3} +[0-9]+\.[0-9]{2}$' || true; }
