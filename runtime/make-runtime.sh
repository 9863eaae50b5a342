#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the runtime for an MPI library from the installed sources. `mpispec runtime add` starts this script.
#
# usage: make-runtime.sh MPICC DIRECTORY [NAME...]
#
# MPICC is the library's compiler wrapper. The script stores each runtime in DIRECTORY/<name>. It makes no runtime
# whose name is among the NAMEs.
#
# The lists of sources and options are those of the project's build, which writes them to generated/rules.sh. The
# variable CC names the C compiler (default: cc).
set -eu
kit=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=/dev/null # a file of the build
. "$kit/generated/rules.sh"
mpicc=$1 directory=$2
shift 2
present=" $* "
compiler=${CC:-cc}

fail() { echo "mpispec: error: $*" >&2 && exit 1; }
for program in "$compiler" "${NM:-nm}" "${AR:-ar}" awk xargs; do
  command -v "$program" >/dev/null || fail "a runtime needs the program '$program', which is not on the PATH"
done
command -v "$mpicc" >/dev/null || fail "there is no program '$mpicc'"
umask 022 # `mpispec run` loads nothing from directories that others may write
mkdir -p "$directory"
work=$(mktemp -d "$directory/.new-XXXXXX")
# Directories that stay empty are removed. rmdir leaves the others.
trap 'rm -rf "$work" && rmdir "$directory" "${directory%/*}" 2>/dev/null || :' EXIT
trap 'exit 1' HUP INT TERM
ln -s "$kit" "$work/kit"

answer=$(sh "$kit/runtime/abi/interface.sh" "$mpicc" "$work") ||
  fail "'$mpicc' compiles for no MPI library that mpispec knows (MPICH and its kin, Intel MPI, Open MPI, MPI-5's ABI)"
style=$(echo "$answer" | sed -n 's/^style //p' | tr '[:lower:]' '[:upper:]')
options=$(echo "$answer" | sed -n 's/^options//p')

# compile SOURCE...: in the directory of the runtime. Sources have different basenames, and so have their objects.
compile() {
  # shellcheck disable=SC2086 # words
  printf '../kit/runtime/%s\n' "$@" | xargs -n 8 -P "$(getconf _NPROCESSORS_ONLN)" "$compiler" $compile_options $extra \
    $definitions "-DMPISPEC_STYLE_$style" $options -I../kit/runtime -I../kit/generated -I. -I../kit/templates -c
}

# make_runtime NAME: in the directory of that name, which has abi/lacking.h and mpispec-profiling.ld already.
make_runtime() {
  cd "$work/$1"
  fortran=$fortran_sources
  [ "$1" != abi ] || fortran=$sources_without_fortran
  # shellcheck disable=SC2086 # words
  extra='' && compile $sources $fortran
  # shellcheck disable=SC2086 # words
  extra=$loop_options && compile $loop_sources
  sh ../kit/runtime/abi/library_table.sh "${NM:-nm}" mpispec-profiling.ld abi/library_table.def ./*.o
  shared="libmpispec-$1.so.$soversion"
  set -- ./*.o
  extra='' && compile abi/library_linked.c abi/library_table.c
  "${AR:-ar}" qcs libmpispec.a "$@" library_linked.o
  # shellcheck disable=SC2086 # words
  "$compiler" -shared -Wl,-soname,"$shared" -o "$shared" "$@" library_table.o mpispec-profiling.ld \
    -Wl,--version-script=../kit/runtime/exports.map $link_options
  ln -s "$shared" libmpispec.so
  rm -rf ./*.o abi
}

for name in $(echo "$answer" | sed -n 's/^runtimes//p'); do
  case $present in *" $name "*) echo "runtime $name: is there already" && continue ;; esac
  set +e # the shell would ignore `set -e` in a subshell that is followed by `||`
  (set -e && make_runtime "$name")
  status=$?
  set -e
  [ $status = 0 ] || fail "'$compiler' cannot make the runtime '$name'"
  rm -rf "${directory:?}/$name"
  mv "$work/$name" "$directory/$name"
  echo "runtime $name: made in $directory/$name"
done
