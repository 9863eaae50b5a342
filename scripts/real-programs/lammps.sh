# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# LAMMPS: molecular dynamics in C++. The build system is CMake.
#
# Only the core and the packages for the standard benchmarks are built. The benchmarks print energies and pressures
# every few steps.
package=lammps build_system=CMake needs='cmake'

build_program() {
  # shellcheck disable=SC2086 # a list of options
  cmake -S cmake -B build $cmake_options -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
    -DBUILD_MPI=yes -DBUILD_OMP=no -DWITH_JPEG=no -DWITH_PNG=no -DWITH_GZIP=no -DWITH_FFMPEG=no -DFFT=KISS \
    -DPKG_MOLECULE=yes -DPKG_KSPACE=yes -DPKG_RIGID=yes -DPKG_MANYBODY=yes -DPKG_GRANULAR=yes &&
    cmake --build build -j "$jobs"
}

# Few steps: the last digit of a sum over all ranks shows in the next one.
run_tests() {
  cd bench || return
  for input in lj chain eam chute rhodo; do
    sed 's/^run.*/run 6/; s/^thermo[ \t].*/thermo 2/' "in.$input" >"short.$input"
    for ranks in 1 2 3 4; do
      run "$input-$ranks" "$ranks" ../build/lmp -log none -in "short.$input"
    done
  done
  cd ../examples || return
  for input in crack/in.crack friction/in.friction min/in.min indent/in.indent; do
    cd "${input%/*}" && sed 's/^run.*/run 50/' "${input#*/}" >short || return
    for ranks in 2 3; do
      run "${input%/*}-$ranks" "$ranks" ../../build/lmp -log none -in short
    done
    cd ..
  done
}

digits() {
  grep -vE '^((Loop|Pair|Bond|Neigh|Comm|Output|Modify|Other|Kspace|Total wall) |Performance:)|CPU use|CPU = |Section +\|' || true
}
