# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hypre: solvers for linear systems. The build system is Autoconf's configure and a makefile without libtool.
#
# Its tests are lists of `mpirun -np RANKS ./driver ARGUMENTS > FILE` in the files *.jobs, with lines joined by
# backslashes. Each command becomes a test. In all lists, some 600 commands have at most 4 ranks.
package=hypre build_system='configure, make' needs='libblas-dev'
lists='ij/default ij/solvers ij/coarsening struct/pfmgbase3d struct/emptyproc struct/periodic
  sstruct/default3d sstruct/neighborpart sstruct/cycred sstruct/maxwell'
[ ! "$small" ] || lists='ij/default sstruct/default3d'

build_program() {
  cd src && CC=$mpicc CXX=$mpicxx ./configure --disable-fortran &&
    make -j "$jobs" -O && make -C test -j "$jobs" -O ij struct sstruct maxwell_unscaled
}

# Lines `RANKS COMMAND`, a job each, of the list $1.
hypre_jobs() {
  sed -e ':join' -e '/\\$/N; s/\\\n//; t join' "src/test/TEST_$1.jobs" |
    sed -nE 's/^mpirun +-np +([0-4]) +([^>]*)>.*/\1 \2/p'
}

run_tests() {
  tree=$PWD
  for list in $lists; do
    hypre_jobs "$list" >"$outcomes/jobs"
    number=0
    while read -r ranks command; do
      number=$((number + 1))
      cd "$tree/src/test/TEST_${list%/*}" || return
      # shellcheck disable=SC2086 # a list of words
      run "$(echo "$list" | tr / -)-$number" "$ranks" ../$command
    done <"$outcomes/jobs"
    cd "$tree" || return
  done
}

digits() { grep -viE 'time|mflops|seconds' || true; }
