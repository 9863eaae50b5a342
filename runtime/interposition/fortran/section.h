/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Buffers of MPICH's mpi_f08, which come as descriptors of arrays and of their sections.
 *
 *   program --descriptor--> mpi_send_f08ts_ of the runtime --address, count, datatype--> MPI_Send
 *      |                        |
 *      |                        +-- closed, or not readable here --> the binding's
 *
 * A descriptor is the program's compiler's own. The runtime reads that of gfortran since version 9,
 * as MPICH's binding does, which gfortran has compiled. At the first call, the binding packs a
 * known section with such a descriptor. If the result differs, the binding has each call for ever.
 *
 * Nothing of a descriptor is kept after a call, because it lies on the caller's stack. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_SECTION_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_SECTION_H

#include "abi/mpi.h"

#include <stddef.h>

#ifdef MPISPEC_STYLE_MPICH

/* Dimensions are in the order of Fortran: the first has neighbours in memory. */
enum { MPISPEC_SECTION_RANKS = 15 };
struct mpispec_section {
  char *first;    /* the first element */
  size_t offset;  /* not used here */
  size_t element; /* bytes */
  int version;
  signed char rank, type;
  short attribute;
  ptrdiff_t span; /* bytes that a stride of 1 skips */
  struct {
    ptrdiff_t stride, lower, upper;
  } dimensions[MPISPEC_SECTION_RANKS];
};

/* A buffer as C has it. */
struct mpispec_section_buffer {
  void *address;
  int count;
  MPI_Datatype datatype;
};

/* Reads a descriptor. Returns 0 if the call is the binding's. That is so for a section with gaps if
 * the datatype is derived or of another size than an element, or if the count is more than the
 * section has. */
int mpispec_section_read(const struct mpispec_section *section, int count, MPI_Datatype datatype,
                         struct mpispec_section_buffer *buffer);

enum mpispec_section_function {
#define SECTION(NAME) MPISPEC_SECTION_##NAME,
#include "interposition/fortran/Sections.def"
#undef SECTION
  MPISPEC_SECTION_FUNCTIONS
};

struct mpispec_section_entry {
  const char *public, *profiling;
  void *ours;
};
extern const struct mpispec_section_entry mpispec_section_entries[];

/* Nonzero if the entries read descriptors. Makes the trial at the first call. */
int mpispec_section_is_open(void);

/* The binding's function, or a tool's. */
void *mpispec_section_next(enum mpispec_section_function function);

#endif

#endif
