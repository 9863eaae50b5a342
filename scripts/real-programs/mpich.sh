# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# MPICH's own tests of what MPI promises, which its source package carries as a package of its own. Autoconf's
# configure, automake, a helper library by libtool.
#
# Its lists of tests say `PROGRAM RANKS [arg=...] [env=...]`. Left out: C++ and Fortran; what the lists themselves
# expect to fail, what asks for gigabytes, lines that set variables of the library, and sendflood, which plain
# MPICH does not end in three minutes where its eight ranks share two cores.
package=mpich build_system='automake, libtool' way=links members='*/test/mpi' time_limit=180
rooms='attr coll comm datatype errhan group init pt2pt topo'
[ ! "$small" ] || rooms='pt2pt'

build_program() {
  cd test/mpi && ./configure --disable-fortran --disable-cxx --disable-spawn --disable-romio CC=mpicc MPICC=mpicc || return
  for room in util dtpools $rooms; do
    make -C "$room" -j "$jobs" -O || return
  done
}

# `NUMBER PROGRAM RANKS ARGUMENTS` for each line of the list in the directory $1 that is run.
mpich_tests() {
  sed 's/#.*//' "$1/testlist" | grep -vE '^ *(@|$)|xfail=|env=|mem=|^sendflood' | grep -n . |
    sed -E 's/:/ /; s/ (timeLimit|strict|mpiversion|resultTest)=[^ ]*//g; s/ arg=/ /g'
}

run_tests() {
  cd test/mpi || return
  tree=$PWD
  for room in $rooms; do
    mpich_tests "$room" >"$outcomes/list"
    cd "$tree/$room" || return
    while read -r number program ranks arguments; do
      # shellcheck disable=SC2086 # a list of words
      [ ! -x "$program" ] || run "$room-$number-$program" "$ranks" "./$program" $arguments
    done <"$outcomes/list"
    cd "$tree" || return
  done
}
