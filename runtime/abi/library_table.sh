#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes the rows of library_table.c: the MPI functions that objects of the runtime call and do not define.
#
# usage: library_table.sh NM PROVIDED OUTPUT OBJECT...
#
# The linker script PROVIDED gives some PMPI names to functions of the runtime. Their rows have another entry.
# Names in capitals are variables of MPI libraries and get no row. The linker refuses an object that needs one.
set -eu
nm=$1 provided=$2 output=$3
shift 3
"$nm" -g -P "$@" | awk -v provided="$provided" '
  BEGIN { while ((getline line < provided) > 0) if (match(line, /PMPI_[A-Za-z_0-9]+/)) ours[substr(line, RSTART, RLENGTH)] }
  $1 !~ /^(P?MPI|OMPI_C_MPI)_/ || $1 ~ /^MPI_[A-Z_0-9]+$/ { next }
  $2 ~ /^[Uw]$/ { called[$1]; next }
  { defined[$1] }
  END { for (name in called) if (!(name in defined)) print "ROW(" name ", " (name in ours ? "mpispec_library_" : "") name ")" }
' | sort >"$output.part"
mv "$output.part" "$output"
