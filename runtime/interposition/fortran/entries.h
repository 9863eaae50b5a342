/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of Fortran's mpi_f08 that the runtime defines, and for Open MPI also those of
 * mpif.h and `use mpi`. Entries.def is the table.
 *
 *   program: mpi_wait_f08_ --> MPI_Wait of the runtime           where the binding has PMPI_Wait
 *   program: mpi_comm_dup_f08_ --> pmpir_comm_dup_f08_ --> PMPI_Comm_dup, and the result is adopted
 *   program: mpi_gather_f08ts_ --> the binding's, which calls MPI_Gather of the runtime
 *
 * These functions are weak. If the binding is static, it is linked as a whole, and its own
 * definitions have precedence (bypass.h). */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_ENTRIES_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_ENTRIES_H

struct mpispec_fortran_entry {
  const char *name; /* wait */
  const char *public, *profiling;
  void *ours;
};

extern const struct mpispec_fortran_entry mpispec_fortran_entries[];
extern const int mpispec_fortran_entry_count;

/* Makes the runtime's function `entry` pass the program's calls to `next`, the function of a
 * tool. */
void mpispec_fortran_forward_to(int entry, void *next);

#endif
