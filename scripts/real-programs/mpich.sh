# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# MPICH's own tests of what MPI promises, which its source package carries as a package of its own. Autoconf's
# configure, automake, a helper library by libtool.
#
# Its lists of tests say `PROGRAM RANKS [arg=...] [env=...]`. Left out: C++ and Fortran; what the lists themselves
# expect to fail, what asks for gigabytes, lines that set variables of the library in rooms of one thread, and
# sendflood, which plain MPICH does not end in three minutes where its eight ranks share two cores.
#
# MPICH_ROOMS="threads/pt2pt ..." runs these directories of tests alone.
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
