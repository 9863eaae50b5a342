# LAMMPS: molecular dynamics. CMake, C++.
#
# The core and the packages that the standard benchmarks need; what it prints are energies and pressures
# every few steps.
package=lammps build_system=CMake needs='cmake'

build_program() {
  # shellcheck disable=SC2086 # a list of options
  cmake -S cmake -B build $cmake_options -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
    -DBUILD_MPI=yes -DBUILD_OMP=no -DWITH_JPEG=no -DWITH_PNG=no -DWITH_GZIP=no -DWITH_FFMPEG=no -DFFT=KISS \
    -DPKG_MOLECULE=yes -DPKG_KSPACE=yes -DPKG_RIGID=yes -DPKG_MANYBODY=yes -DPKG_GRANULAR=yes &&
    cmake --build build -j "$jobs"
}

run_tests() {
  cd bench || return
  for input in lj chain eam chute rhodo; do
    sed 's/^run.*/run 20/; s/^thermo[ \t].*/thermo 5/' "in.$input" >"short.$input"
    for ranks in 1 2 4; do
      run "$input-$ranks" "$ranks" ../build/lmp -log none -in "short.$input"
    done
  done
  cd ../examples || return
  for input in crack/in.crack friction/in.friction min/in.min indent/in.indent; do
    (cd "${input%/*}" && sed 's/^run.*/run 100/' "${input#*/}" >short &&
      run "${input%/*}-2" 2 ../../build/lmp -log none -in short)
  done
}

digits() { grep -vE '^(Loop|Performance|Pair|Bond|Neigh|Comm|Output|Modify|Other|Kspace|Total wall) |CPU use|CPU = |Section +\|' || true; }
