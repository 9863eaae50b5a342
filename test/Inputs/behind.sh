#!/bin/sh
# Runs a command with a compiler of choice behind the MPI library's wrappers, whichever library that is.
#
# usage: behind.sh COMPILER COMMAND...
#   COMPILER   gcc or clang-22, also after a word: "ccache gcc". Its C++ compiler is behind mpicxx.
case $1 in
*clang*) cxx=$(printf %s "$1" | sed 's/clang/clang++/') ;;
*) cxx=$(printf %s "$1" | sed 's/gcc/g++/') ;;
esac
export MPICH_CC="$1" OMPI_CC="$1" MPICH_CXX="$cxx" OMPI_CXX="$cxx"
shift
exec "$@"
