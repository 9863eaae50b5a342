# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# MPICH's own tests of MPI, which its source package contains as a package of its own. The build system is Autoconf's
# configure and automake, and libtool for a helper library.
#
# Its lists of tests have lines `PROGRAM RANKS [arg=...] [env=...]`. Left out are C++ and Fortran, tests that the lists
# expect to fail, and tests that need gigabytes. In directories without threads, lines that set variables of the library
# are left out, too. sendflood is left out, because plain MPICH does not end it in three minutes if its eight ranks
# share two cores.
#
# MPICH_ROOMS="threads/pt2pt ..." runs only these directories of tests.
package=mpich build_system='automake, libtool' way=links members='*/test/mpi' time_limit=180
threads='threads/coll threads/comm threads/init threads/mpi_t threads/part threads/pt2pt threads/rma threads/spawn'
rooms="attr coll comm datatype errhan group init pt2pt topo $threads"
[ ! "$small" ] || rooms='pt2pt'
rooms=${MPICH_ROOMS-$rooms}

build_program() {
  cd test/mpi && ./configure --disable-fortran --disable-cxx --disable-romio CC=mpicc MPICC=mpicc || return
  for room in util dtpools $rooms; do
    make -C "$room" -j "$jobs" -O || return
  done
}

# `NUMBER PROGRAM RANKS ARGUMENTS` for each line of the list in the directory $1 that is run.
mpich_tests() {
  case $1 in
  threads/*) variables='' ;;
  *) variables='env=|' ;;
  esac
  sed 's/#.*//' "$1/testlist" | grep -vE "^ *(@|\$)|xfail=|${variables}mem=|^sendflood" | grep -n . |
    sed -E 's/:/ /; s/ (timeLimit|strict|mpiversion|resultTest)=[^ ]*//g; s/ arg=/ /g'
}

run_tests() {
  cd test/mpi || return
  tree=$PWD
  for room in $rooms; do
    mpich_tests "$room" >"$outcomes/list"
    cd "$tree/$room" || return
    while read -r number program ranks arguments; do
      test=$(echo "$room-$number-$program" | tr / -) variables=$(echo "$arguments" | grep -o 'env=.*' | sed 's/env=//g')
      # shellcheck disable=SC2086 # lists of words
      [ ! -x "$program" ] || run "$test" "$ranks" env $variables "./$program" ${arguments%%env=*}
    done <"$outcomes/list"
    cd "$tree" || return
  done
}
