#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes the files that a runtime needs for the MPI library of a compiler wrapper. The build of the project and
# make-runtime.sh both start this script.
#
# usage: interface.sh MPICC DIRECTORY
#
# One <mpi.h> serves for both runtimes of MPICH. For each runtime that the library's header serves, the script writes:
#
#   DIRECTORY/<runtime>/abi/lacking.h           what the header lacks: rows of Lacking.def, under names of the runtime;
#                                               rows of MPI-4.1 under their own names, for a runtime that defines them
#   DIRECTORY/<runtime>/mpispec-profiling.ld    interposition/library/profiling.ld, without the functions of MPI-4.1 if
#                                               the runtime does not define them
#
# It prints three lines: `runtimes` with their names, that of the library itself first; `style` of the library
# (templates/mpispec/handle_<style>.h); `options`, by which the wrapper finds <mpi.h>. It ends with status 3 for a
# library that no runtime serves.
set -eu
mpicc=$1 directory=$2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$directory"
text="$directory/mpi.i"

cat >"$directory/probe.c" <<'END'
#include <mpi.h>
#if defined(OMPI_MAJOR_VERSION)
mpispec_style openmpi OMPI_MAJOR_VERSION
#elif defined(MPI_ABI_VERSION) && !defined(MPICH_VERSION)
mpispec_style abi
#elif defined(MPICH_VERSION) || defined(I_MPI_VERSION) || defined(MVAPICH_VERSION)
mpispec_style mpich
#endif
END
shown=$("$mpicc" -show 2>/dev/null) && "$mpicc" -E "$directory/probe.c" >"$text" 2>/dev/null || exit 3
own=$(sed -n 's/.*mpispec_style \([a-z]*\) *\([0-9]*\).*/\1\2/p' "$text")
[ -n "$own" ] || exit 3

names=$own
if [ "$own" = mpich ]; then
  names="mpich mpich42"
  grep -q 'MPI_Request_get_status_any *(' "$text" && names="mpich42 mpich"
fi

# lacking NAME: the text of lacking.h.
lacking() {
  awk -v name="$1" -v table="$here/Lacking.def" '
  { text = text $0 "\n" }
  {
    for (rest = $0; match(rest, /[^A-Za-z0-9_]MPI_[A-Za-z0-9_]+ *\(/); rest = substr(rest, RSTART + RLENGTH)) {
      found = substr(rest, RSTART + 5, RLENGTH - 6)
      sub(/ +$/, "", found)
      declared[found]
    }
    for (rest = $0; match(rest, /extern struct ompi_[a-z_]+ ompi_[a-z0-9_]+/); rest = substr(rest, RSTART + RLENGTH)) {
      found = substr(rest, RSTART, RLENGTH)
      sub(/^.* /, "", found)
      variables = variables "#pragma weak " found "\n"
    }
  }
  # Objects of MPICH, if that was built with Fortran.
  function fortran_object(type, object, dimension) {
    if (name ~ /^mpich/ && text !~ (object "[^A-Z_]"))
      print "extern " type " " object dimension ";"
  }
  END {
    print "/* The MPI library of this runtime, and what its <mpi.h> lacks (abi/mpi.h); written by abi/interface.sh. */"
    print "#define MPISPEC_RUNTIME_NAME \"" name "\""
    if (text !~ /MPI_Session;/)
      print "typedef struct mpispec_no_session *MPI_Session;"
    fortran_object("int", "MPIR_F08_MPI_BOTTOM", "")
    fortran_object("int", "MPIR_F08_MPI_IN_PLACE", "")
    fortran_object("MPI_F08_status", "MPIR_F08_MPI_STATUS_IGNORE_OBJ", "")
    fortran_object("MPI_F08_status", "MPIR_F08_MPI_STATUSES_IGNORE_OBJ", "[1]")
    # Variables of Open MPI: libmpispec.so names no library (abi/library_table.h).
    printf "%s", variables
    if (text !~ /MPI_Request_get_status_any *\(int [a-z_]+, *MPI_Request /)
      print "#define MPISPEC_CONST_REQUESTS const"
    hidden = "__attribute__((visibility(\"hidden\")"
    exported = "__attribute__((visibility(\"default\"))) int "
    while ((getline row < table) > 0) {
      if (row !~ /^(LACKING|CALLED|NEWER)\([A-Za-z0-9_]+, .*\)$/)
        continue
      bracket = index(row, "("); comma = index(row, ", ")
      kind = substr(row, 1, bracket - 1)
      function_name = substr(row, bracket + 1, comma - bracket - 1)
      parameters = substr(row, comma + 2, length(row) - comma - 2)
      if (kind == "NEWER") {
        weak_newer = weak_newer "#pragma weak PMPI_" function_name "\n"
        newer = newer exported "MPI_" function_name parameters ";\n" exported "PMPI_" function_name parameters ";\n"
      } else if (!(function_name in declared)) {
        print "#define MPI_" function_name " mpispec_lacking_MPI_" function_name
        print "#define PMPI_" function_name " mpispec_lacking_PMPI_" function_name
        print hidden ")) int MPI_" function_name parameters ";"
        print hidden (kind == "LACKING" ? ", weak" : "") ")) int PMPI_" function_name parameters ";"
        print "#define MPISPEC_LACKS_" function_name " 1"
      }
    }
    if (name == "mpich42" || (name != "mpich" && "Request_get_status_any" in declared)) {
      print "#define MPISPEC_HAS_MPI_4_1"
      printf "%s#if MPI_VERSION < 4 || (MPI_VERSION == 4 && MPI_SUBVERSION < 1)\n%s#endif\n", weak_newer, newer
    }
  }' "$text"
}

for name in $names; do
  mkdir -p "$directory/$name/abi"
  lacking "$name" >"$directory/$name/abi/lacking.h"
  removed='PROVIDE.PMPI_Request_get_status_'
  ! grep -q 'define MPISPEC_HAS_MPI_4_1' "$directory/$name/abi/lacking.h" || removed='^$'
  sed "/$removed/d" "$here/../interposition/library/profiling.ld" >"$directory/$name/mpispec-profiling.ld"
done

echo "runtimes $names"
echo "style $(echo "$own" | sed 's/[0-9]*$//; s/openmpi/ompi/')"
printf 'options'
for word in $shown; do
  case $word in -I* | -D*) printf ' %s' "$word" ;; esac
done
echo
