#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a command that links a program without shared libraries. LLVM's Support library names zlib and zstd, whose archives stand
# beside them, and Z3, of which these programs use nothing. The compiler finds the archive of libquadmath.
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
