#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Demonstrates mpispec on a program: bench/halo, a 2-D halo exchange. The script explains and rewrites its calls, builds
# it with and without mpispec, and runs both programs with 4 ranks.
#
# usage: demo.sh
#
# The script works on a fresh Debian 12. The exit status is not 0 if a step fails, or if the results or the compiler's
# messages of the two builds differ.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
say() { printf '\n== %s\n' "$*"; }

sh scripts/install-packages.sh build
say "build mpispec"
cmake --preset release >/dev/null
cmake --build --preset release --target mpispec mpispec-analyze mpispec-runtime
mpispec="$root/build/release/bin/mpispec"

work="$root/build/demo"
rm -rf "$work"
mkdir -p "$work"
cp -r bench/halo "$work/plain"
cp -r bench/halo "$work/specialised"
cd "$work"

# What mpicc adds for the compiler: the include path of <mpi.h>.
flags="-O2 -std=gnu11 $(mpicc -compile-info -c | tr ' ' '\n' | grep '^-I' | tr '\n' ' ')"
for source in main.c exchange.c; do
  say "what is known of each call: mpispec explain $source"
  # shellcheck disable=SC2086 # a list of options
  "$mpispec" explain "plain/$source" -- $flags
  say "the calls as rewritten: mpispec rewrite $source"
  # shellcheck disable=SC2086
  "$mpispec" rewrite "plain/$source" -- $flags >"$work/$source.rewritten"
  diff -u "plain/$source" "$work/$source.rewritten" || [ $? = 1 ]
done

say "build both ways"
echo "make CC=mpicc"
make -s -C plain CC=mpicc 2>plain.err
echo "make CC='mpispec mpicc'"
make -s -C specialised CC="$mpispec --mpispec-remarks=$work/remarks mpicc" 2>specialised.err
if cmp -s plain.err specialised.err; then
  echo "the compiler said the same both times ($(grep -c 'warning: ' plain.err || true) warnings)"
else
  echo "the compiler's messages differ" >&2
  diff plain.err specialised.err >&2 || true
  exit 1
fi

say "run both with 4 ranks"
for program in plain specialised; do
  echo "$program:"
  MPIEXEC_TIMEOUT=120 mpiexec -n 4 "$program/halo" | tee "$program.out"
done

say "result"
"$mpispec" report remarks
# The state that the templates test is in every specialised object and in no plain one.
nm specialised/halo | grep -q mpispec_ || { echo "no template function was linked" >&2; exit 1; }
cmp plain.out specialised.out || { echo "the results differ" >&2; exit 1; }
echo "the results agree"
