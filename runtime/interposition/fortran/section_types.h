/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Datatypes of sections with gaps. MPICH's binding makes and frees one for each call. Here the last
 * ones stay committed. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_SECTION_TYPES_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_SECTION_TYPES_H

#include "interposition/fortran/section.h"

#ifdef MPISPEC_STYLE_MPICH

/* A datatype of the first `count` elements, from 1 to all, in array element order; `element` is the
 * datatype of one. Returns MPI_DATATYPE_NULL if there is none. The datatype stays until the table
 * changes twice. Must not be called by two threads at once. */
MPI_Datatype mpispec_section_type(const struct mpispec_section *section, int count,
                                  MPI_Datatype element);

/* Frees all datatypes. Pending operations keep theirs until they are complete. */
void mpispec_section_types_close(void);

#endif

#endif
