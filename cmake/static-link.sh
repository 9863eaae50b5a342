#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a command that links a program without shared libraries. LLVM's Support library names the shared libraries of
# zlib and zstd, which are replaced by their archives, and that of Z3, which these programs do not use. The compiler
# finds the archive of libquadmath.
#
# usage: static-link.sh COMMAND...
set -eu
for word in "$@"; do
  shift
  case $word in
  */libz.so | */libzstd.so) word=${word%.so}.a ;;
  */libz3.so*) continue ;;
  */libquadmath.so) word=-lquadmath ;;
  esac
  set -- "$@" "$word"
done
exec "$@"
