/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Datatypes of sections with gaps. MPICH's binding makes and frees a datatype for each call. The
 * runtime keeps the datatypes that were used last. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_SECTION_TYPES_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_SECTION_TYPES_H

#include "interposition/fortran/section.h"

#ifdef MPISPEC_STYLE_MPICH

/* Returns a datatype of the first `count` elements of a section, in array element order. `count` is
 * at least 1 and at most the number of elements. `element` is the datatype of one element. Returns
 * MPI_DATATYPE_NULL if there is no such datatype. The datatype is valid until the table has changed
 * twice. Two threads must not call this function at the same time. */
MPI_Datatype mpispec_section_type(const struct mpispec_section *section, int count,
                                  MPI_Datatype element);

/* Frees all datatypes. A pending operation keeps its datatype until it is complete. */
void mpispec_section_types_close(void);

#endif

#endif
