/* What the functions of this room need of the MPI library's own binding of mpi_f08: its functions,
 * and how it numbers requests. It is looked for when the first call comes, and is there by then:
 * with the program, or with a plugin that calls. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_BINDING_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_BINDING_H

#include "abi/mpi.h"

/* Numbers `count` indices that C has given as the binding would: from one, as MPI has it, but for
 * MPICH 4.0, where they begin with zero, and MPICH 4.1, where MPI_UNDEFINED is raised, too. */
void mpispec_binding_number(int count, MPI_Fint indices[]);

/* A function of the binding by its name; ends the program, with a word, if there is none. */
void *mpispec_binding_function(const char *name);

#endif
