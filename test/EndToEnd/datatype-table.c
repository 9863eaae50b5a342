/* The MPI library itself must confirm each row of Datatypes.def: size, extent, and that the handle
 * is a predefined one. */
#include <mpi.h>
#include <stdio.h>

static int wrong, checked;

static void check(const char *name, MPI_Datatype type, size_t size, size_t extent) {
  int mpi_size, integers, addresses, types, combiner;
  MPI_Aint lower, mpi_extent;
  if (type == MPI_DATATYPE_NULL) /* the MPI library was built without this type */
    return;
  MPI_Type_size(type, &mpi_size);
  MPI_Type_get_extent(type, &lower, &mpi_extent);
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  checked++;
  if ((size_t)mpi_size == size && (size_t)mpi_extent == extent && combiner == MPI_COMBINER_NAMED)
    return;
  printf("%s: size %d for %zu, extent %ld for %zu\n", name, mpi_size, size, (long)mpi_extent,
         extent);
  wrong++;
}

#define MPI_DATATYPE(NAME, CLASS, CTYPE, SIZE)                                                     \
  do {                                                                                             \
    typedef CTYPE element;                                                                         \
    check(#NAME, NAME, SIZE, sizeof(element));                                                     \
  } while (0);

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
#include "Datatypes.def"
  printf("%s\n", checked > 40 && !wrong ? "every row is right" : "rows are wrong");
  MPI_Finalize();
  return 0;
}

// RUN: mpicc -I %inputs/../../lib/MPI %s -o %t && %mpirun -n 1 %t | FileCheck %s
// RUN: %behind clang-22 mpicc -I %inputs/../../lib/MPI %s -o %t && %mpirun -n 1 %t | FileCheck %s
// RUN: mpicxx -x c++ -I %inputs/../../lib/MPI %s -o %t && %mpirun -n 1 %t | FileCheck %s
// CHECK: every row is right
