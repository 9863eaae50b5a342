#!/bin/sh
# Makes both headers of identities for a copy of the sources, as the build makes them.
#
# usage: identity.sh SOURCES BUILD RUNTIME OUT COMPILER...
#   SOURCES  has templates/ and runtime/; what the build hashes is listed in BUILD, a build tree
#   RUNTIME  "mpich": whose <mpi.h> and handles the layout is compiled with. If the build has no library of this interface,
#            the header is that of the mpicc in PATH
#   OUT      gets templates/mpispec/ with state_symbol.h, and runtime/job/identity.h: two directories to include from
set -e
here=$(cd "$(dirname "$0")/../../cmake" && pwd)
sources=$1 build=$2 runtime=$3 out=$4
shift 4
case $runtime in
openmpi*) main=OMPI ;;
abi) main=ABI ;;
*) main=MPICH ;;
esac
write() { python3 -B "$here/identity.py" --template "$here/$1.in" --output "$out/$2" --files "$build/$3" --root "$sources" $4; }

mkdir -p "$out/templates"
cp -r "$sources/templates/mpispec" "$out/templates"
objects=
for style in MPICH ABI OMPI; do
  "$@" -std=gnu11 -DMPISPEC_STYLE_$style -I"$sources/runtime" -I"$sources/templates" \
    -c "$sources/runtime/state_layout.c" -o "$out/$style.o"
  objects="$objects $out/$style.o"
done
write state_symbol.h templates/mpispec/state_symbol.h templates/state-files.txt "$objects"

mpicc="$build/mpi/$runtime/mpicc"
[ -x "$mpicc" ] || mpicc=mpicc
includes=$("$mpicc" -show | tr -d '"' | tr ' ' '\n' | grep '^-[ID]')
"$@" -std=gnu11 -DMPISPEC_RUNTIME -DMPISPEC_STYLE_$main -I"$sources/runtime" -I"$build/runtime/$runtime" \
  -I"$out/templates" $includes -c "$sources/runtime/segment_layout.c" -o "$out/segment.o"
write identity.h runtime/job/identity.h runtime/identity-files.txt "$objects $out/segment.o"
