#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A C and C++ compiler whose programs run with glibc 2.28 and later. It is the compiler of the Python package ziglang.
#
# usage: portable-compiler.sh DIRECTORY cc|c++ ARGUMENT...
#        portable-compiler.sh DIRECTORY install
#
# The second form installs the compiler in DIRECTORY, with the programs DIRECTORY/cc and DIRECTORY/c++, which start the
# first form.
#
# Zig's linker supports neither -Bsymbolic-functions nor linker scripts, and the runtime needs both. Therefore the
# machine's gcc links shared libraries, with zig's stubs of glibc 2.28 instead of the machine's C library.
set -eu
directory=$1 language=$2
shift 2
export ZIG_GLOBAL_CACHE_DIR="$directory/cache" ZIG_LOCAL_CACHE_DIR="$directory/cache"

zig() {
  driver=$1
  shift
  "$directory/bin/python" -m ziglang "$driver" -target x86_64-linux-gnu.2.28 -fno-sanitize=undefined "$@"
}

if [ "$language" = install ]; then
  if [ ! -e "$directory/installed" ]; then
    python3 -m venv "$directory"
    "$directory/bin/pip" install -q --disable-pip-version-check ziglang==0.17.1
    for language in cc c++; do
      printf '#!/bin/sh\nexec sh "%s" "%s" %s "$@"\n' "$(realpath "$0")" "$directory" $language >"$directory/$language"
      chmod +x "$directory/$language"
    done
    # Any shared library makes zig write its stubs.
    echo 'int stub;' >"$directory/stub.c"
    zig cc -shared "$directory/stub.c" -o "$directory/stub.so"
    touch "$directory/installed"
  fi
  exit
fi

for word in "$@"; do
  if [ "$word" = -shared ]; then
    stubs=$(dirname "$(ls "$directory"/cache/o/*/libc.so.6)")
    exec gcc -nodefaultlibs "$@" "$directory"/cache/o/*/libc_nonshared.a -L"$stubs" -Wl,--as-needed -l:libc.so.6 \
      -l:libld.so.2 -l:libpthread.so.0 -l:libdl.so.2 -l:libm.so.6 -lgcc
  fi
done
zig "$language" "$@"
