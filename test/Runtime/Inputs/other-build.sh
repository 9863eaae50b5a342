#!/bin/sh
# Makes libmpispec.so of a copy of the sources in which some files were changed. What has not changed is taken from the build.
#
# usage: other-build.sh SOURCES BUILD RUNTIME LIBRARY COMMAND FILE...
#   SOURCES  a copy of the runtime and the templates below, made by this script; COMMAND changes it
#   RUNTIME  "mpich"
#   LIBRARY  what is made
#   FILE     below runtime/: sources that COMMAND changes, and that are compiled anew
set -e
here=$(cd "$(dirname "$0")/../../.." && pwd)
sources=$1 build=$2 runtime=$3 library=$4 command=$5
shift 5
mkdir -p "$sources"
cp -r "$here/templates" "$here/runtime" "$sources"
(cd "$sources" && sh -ec "$command")
sh "$here/test/Inputs/identity.sh" "$sources" "$build" "$runtime" "$sources/made" clang-22
case $runtime in
openmpi*) style=OMPI ;;
abi) style=ABI ;;
*) style=MPICH ;;
esac
objects=
for file in job/announcement.c job/node.c shm/segment.c p2p/machine_key.c "$@"; do
  object=$sources/$(echo "$file" | tr / -).o
  mpicc -std=gnu11 -O2 -fPIC -fvisibility=hidden -DMPISPEC_RUNTIME -DMPISPEC_STYLE_$style -I"$sources/runtime" \
    -I"$sources/made/runtime" -I"$build/runtime" -I"$build/runtime/$runtime" -I"$sources/made/templates" -c "$sources/runtime/$file" -o "$object"
  objects="$objects $object"
done
# Of two definitions the linker takes the first: that of the new object.
mpicc -shared -o "$library" $objects -Wl,-z,muldefs -Wl,--whole-archive "$build/lib/mpispec/$runtime/libmpispec.a" \
  -Wl,--no-whole-archive "-Wl,--version-script=$here/runtime/exports.map" -Wl,-Bsymbolic-functions \
  "$build/lib/mpispec/$runtime/mpispec-profiling.ld" -lpthread
