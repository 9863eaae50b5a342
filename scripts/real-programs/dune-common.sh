# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# DUNE's C++ wrapper of MPI, which consists of headers only: class templates over communicators, futures, packs, index
# sets. The build system is CMake.
package=dune-common build_system=CMake needs='cmake'
dune_tests='communicationtest remoteindicestest syncertest variablesizecommunicatortest mpidatatest
  mpifuturetest mpipacktest mpigatherscattertest indexsettest selectiontest'

[ ! "$small" ] || dune_tests='communicationtest mpifuturetest mpipacktest mpigatherscattertest'

build_program() {
  # shellcheck disable=SC2086 # lists of words
  cmake -S . -B build $cmake_options -DCMAKE_BUILD_TYPE=Release -DDUNE_ENABLE_PYTHONBINDINGS=OFF \
    -DBUILD_SHARED_LIBS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_LATEX=ON &&
    cmake --build build -j "$jobs" --target $dune_tests
}

run_tests() {
  cd build/dune/common/parallel/test || return
  for program in $dune_tests; do
    for ranks in 1 2 3 4; do
      run "$program-$ranks" "$ranks" "./$program"
    done
  done
}

digits() { grep -vE 'took|seconds|time' || true; }
