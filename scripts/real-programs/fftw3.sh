# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FFTW's transforms over MPI. The build system is automake with libtool and shared libraries.
#
# The benchmark program verifies a transform, and prints three errors. Plans are FFTW's estimates, because measured
# plans differ from run to run. Its thousands of codelets do not use MPI, and are compiled with -O1 to save time.
package=fftw3 build_system='automake, libtool' needs=''

build_program() {
  CC=$cc MPICC=$mpicc CFLAGS=-O1 ./configure --enable-mpi --enable-shared --disable-fortran --disable-doc &&
    make -j "$jobs" -O
}

run_tests() {
  cd mpi || return
  for ranks in 1 2 3 4; do
    for problem in ofc1000 ifc4096 obc36x24 ifc32x32x20 orf30x40 orb24x18x10 'ok12e10x16e10' 'irf[64x60' 'ofc]48x30x20' ofc12x12v5; do
      run "$problem-$ranks" "$ranks" ./mpi-bench -oestimate --verify "$problem"
    done
  done
}
