# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# p4est: forests of octrees. The build system is automake with libtool. The package contains a second library (sc). Its
# sources have no configure script, as in a checkout.
package=p4est build_system='automake, libtool' needs='autoconf automake libtool zlib1g-dev'

build_program() {
  echo 2.2 >.tarball-version && echo 2.2 >sc/.tarball-version && ./bootstrap &&
    CC=$mpicc CFLAGS=-O2 ./configure --enable-mpi --disable-shared --without-blas &&
    make -j "$jobs" -O && make -j "$jobs" -O check TESTS=
}

run_tests() {
  for program in test/p[48]est_test_*; do
    case $program in *.*) continue ;; esac
    for ranks in 2 3 4; do
      run "${program#test/}-$ranks" "$ranks" "./$program"
    done
  done
}

# Its log begins with versions and with what it was built; it tells the time that steps took.
digits() { grep -viE 'seconds|runtime|time |compiled|\] (This is|CPP|CC|CFLAGS|LDFLAGS|LIBS|F77|FFLAGS|FC) *' || true; }
