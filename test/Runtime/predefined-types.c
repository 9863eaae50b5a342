/* No two predefined types have a place in common in the cache of datatypes: each would evict the other. */
#include "check.h"
#include "datatype/datatype.h"

int main(void) {
  const MPI_Datatype types[] = {
      MPI_CHAR,          MPI_SIGNED_CHAR,   MPI_UNSIGNED_CHAR,  MPI_BYTE,          MPI_WCHAR,
      MPI_SHORT,         MPI_UNSIGNED_SHORT, MPI_INT,           MPI_UNSIGNED,      MPI_LONG,
      MPI_UNSIGNED_LONG, MPI_LONG_LONG,     MPI_UNSIGNED_LONG_LONG, MPI_FLOAT,     MPI_DOUBLE,
      MPI_LONG_DOUBLE,   MPI_PACKED,        MPI_INT8_T,         MPI_INT16_T,       MPI_INT32_T,
      MPI_INT64_T,       MPI_UINT8_T,       MPI_UINT16_T,       MPI_UINT32_T,      MPI_UINT64_T,
      MPI_C_BOOL,        MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX, MPI_AINT,
      MPI_OFFSET,        MPI_COUNT,         MPI_CHARACTER,      MPI_LOGICAL,       MPI_INTEGER,
      MPI_REAL,          MPI_DOUBLE_PRECISION, MPI_COMPLEX,     MPI_DOUBLE_COMPLEX};
  enum { TYPES = sizeof types / sizeof *types };
  for (int i = 0; i < TYPES; ++i)
    for (int j = 0; j < i; ++j)
      CHECK(types[i] == types[j] || mpispec_datatype_entry(types[i]) != mpispec_datatype_entry(types[j]));
  return passed();
}

// REQUIRES: mpich
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %t | FileCheck %s
// CHECK: passed
