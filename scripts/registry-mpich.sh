#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs a newer MPICH than the distribution's from the Python registry, once, in BUILD-DIRECTORY/mpich, and prints
# this directory. The runtime for the distribution's MPICH fits it, too, because both have the same binary interface.
#
# usage: registry-mpich.sh BUILD-DIRECTORY
set -eu
work=$(cd "$1" && pwd)/mpich
version=5.0.2

if [ ! -e "$work/installed" ]; then
  rm -rf "$work"
  if ! { python3 -m venv "$work" && "$work/bin/pip" install -q --disable-pip-version-check "mpich==$version"; } >&2; then
    rm -rf "$work"
    echo "MPICH $version cannot be installed here" >&2
    exit 1
  fi
  touch "$work/installed"
fi
echo "$work"
