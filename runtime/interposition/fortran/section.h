/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Buffers of MPICH's mpi_f08, which come as descriptors of arrays and of their sections.
 *
 *   program --descriptor--> mpi_send_f08ts_ of the runtime --address, count, datatype--> MPI_Send
 *      |                        |
 *      |                        +-- closed, or not readable here --> the binding's
 *
 * The layout of a descriptor depends on the compiler of the program. The runtime reads descriptors
 * of gfortran 9 and later. The same holds for MPICH's binding if gfortran has compiled it. At the
 * first call, the runtime makes a trial: the binding sends a known section to this rank, by a
 * descriptor of this layout. If the result is wrong, all calls go to the binding.
 *
 * Nothing of a descriptor is kept after a call, because it lies on the caller's stack. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_SECTION_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_SECTION_H

#include "abi/mpi.h"

#include <stdatomic.h>
#include <stddef.h>

#ifdef MPISPEC_STYLE_MPICH

/* Dimensions are in the order of Fortran: the first dimension of a whole array has the smallest
 * stride. */
enum { MPISPEC_SECTION_RANKS = 15 };
struct mpispec_section {
  char *first;    /* the first element */
  size_t offset;  /* not used here */
  size_t element; /* bytes */
  int version;
  signed char rank, type;
  short attribute;
  ptrdiff_t span; /* bytes of a stride of 1 */
  struct {
    ptrdiff_t stride, lower, upper;
  } dimensions[MPISPEC_SECTION_RANKS];
};

/* The arguments of C for a buffer. */
struct mpispec_section_buffer {
  void *address;
  int count;
  MPI_Datatype datatype;
};

/* Reads a descriptor. Returns 0 if the binding must make the call. The binding gets descriptors of
 * unknown form, and sections with gaps if several threads may call MPI. It also gets a section with
 * gaps if `count` is less than 1 or greater than its number of elements. A section with gaps must
 * have a predefined datatype of the size of an element. Otherwise the binding gets it. */
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

/* 1 if the entries read descriptors, -1 if they never do, 0 before the trial. */
extern _Atomic int mpispec_section_state __attribute__((visibility("hidden")));

/* Makes the trial. Returns nonzero if the entries read descriptors. */
int mpispec_section_try(void);

static inline int mpispec_section_is_open(void) {
  const int state = atomic_load_explicit(&mpispec_section_state, memory_order_acquire);
  return __builtin_expect(state > 0, 1) || (state == 0 && mpispec_section_try());
}

/* Nonzero for a section of one dimension without gaps, if the entries read descriptors. The fast
 * path may then pass on section->first as the buffer. The result is 0 for the objects that stand
 * for MPI_BOTTOM and similar constants, because they have no dimension. */
static inline __attribute__((always_inline)) int
mpispec_section_is_row(const struct mpispec_section *section) {
  return atomic_load_explicit(&mpispec_section_state, memory_order_acquire) > 0 &&
         section->rank == 1 && section->dimensions[0].stride == 1 &&
         section->span == (ptrdiff_t)section->element && !section->version;
}

/* Begins the definition of `mpi_NAME_f08ts_`. Its parameters follow. A profile recognizes this code
 * by its ELF section (profile/binding_frames.c). */
#define MPISPEC_SECTION_ENTRY(NAME, ...)                                                           \
  __attribute__((__weak__, __visibility__("default"),                                              \
                 __section__("mpispec_fortran"))) void mpi_##NAME##_f08ts_(__VA_ARGS__);           \
  void mpi_##NAME##_f08ts_(__VA_ARGS__)

/* The sends and receives without the fast path, to which their entries jump. */
void mpispec_section_send(const struct mpispec_section *x, const int *count,
                          const MPI_Datatype *datatype, const int *peer, const int *tag,
                          const MPI_Comm *comm, int *ierror);
void mpispec_section_isend(const struct mpispec_section *x, const int *count,
                           const MPI_Datatype *datatype, const int *peer, const int *tag,
                           const MPI_Comm *comm, MPI_Request *request, int *ierror);
void mpispec_section_recv(const struct mpispec_section *x, const int *count,
                          const MPI_Datatype *datatype, const int *peer, const int *tag,
                          const MPI_Comm *comm, MPI_Status *status, int *ierror);
void mpispec_section_irecv(const struct mpispec_section *x, const int *count,
                           const MPI_Datatype *datatype, const int *peer, const int *tag,
                           const MPI_Comm *comm, MPI_Request *request, int *ierror);

/* The binding's function, or a tool's. */
void *mpispec_section_next(enum mpispec_section_function function);

#endif

#endif
