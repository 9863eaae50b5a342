/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The Fortran functions of MPICH's mpif.h and `use mpi` (Mpif.def). Each is in the file of the C
 * function that does its work: mpi_send_ is in mpi_send.c. Without them, all calls would go through
 * the library's binding.
 *
 *   program --> mpi_send_ of the runtime --> the fast path of MPI_Send, or MPI_Send
 *      |                     |
 *      |                     +-- closed --> the binding's mpi_send_, or a tool's --> MPI_Send
 *
 * An entry is closed until the addresses of MPI_BOTTOM and similar constants are found. It stays
 * closed if another tool is searched before the runtime, or defines one of these functions. It also
 * stays closed if another copy of the runtime gets all calls (next.h). The entries are weak,
 * because a binding that is linked statically may have its own. Open MPI's entries are in
 * entries.c. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_MPIF_ENTRY_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_MPIF_ENTRY_H

#include "abi/mpi.h"
#include "mpispec/machine.h"

#include <stddef.h>

#ifdef MPISPEC_STYLE_MPICH

enum mpispec_mpif_function {
#define MPIF(NAME, CAPITALS) MPISPEC_MPIF_##NAME,
#include "interposition/fortran/Mpif.def"
#undef MPIF
  MPISPEC_MPIF_FUNCTIONS
};

/* The objects that stand for constants of MPI. */
struct mpispec_mpif {
  const void *bottom, *in_place, *status_ignore, *statuses_ignore;
  int is_closed; /* is stored last */
};
extern struct mpispec_mpif mpispec_mpif __attribute__((visibility("hidden")));

/* Returns the function that executes a call while its entry is closed. Opens the entries if
 * possible, and returns null in this case. */
__attribute__((cold)) void *mpispec_mpif_next(enum mpispec_mpif_function function);

enum { MPISPEC_MPIF_SPELLINGS = 3 };
struct mpispec_mpif_entry {
  const char *names[MPISPEC_MPIF_SPELLINGS]; /* the spellings of different compilers */
  const char *profiling;
  void *ours;
};
extern const struct mpispec_mpif_entry mpispec_mpif_entries[];

/* Begins the definition of `mpi_NAME_`. ARGUMENTS are its arguments in parentheses, and its
 * parameters follow. Aliases have the other names that compilers make of MPI_NAME, as in MPICH's
 * binding. Only the binding defines mpi_NAME without an underscore, because a library in C may have
 * a function of this name. All functions are in one ELF section, by which a profile recognizes them
 * (profile/binding_frames.c). */
#define MPISPEC_MPIF(NAME, CAPITALS, ARGUMENTS, ...)                                               \
  MPISPEC_MPIF_SHOWN void mpi_##NAME##_(__VA_ARGS__);                                              \
  MPISPEC_MPIF_ALIAS(NAME) void mpi_##NAME##__(__VA_ARGS__);                                       \
  MPISPEC_MPIF_ALIAS(NAME) void MPI_##CAPITALS(__VA_ARGS__);                                       \
  MPISPEC_MPIF_INNER void closed_##NAME(__VA_ARGS__) {                                             \
    __typeof__(&mpi_##NAME##_) next =                                                              \
        (__typeof__(&mpi_##NAME##_))mpispec_mpif_next(MPISPEC_MPIF_##NAME);                        \
    if (!next)                                                                                     \
      next = mpi_##NAME##_; /* is open now */                                                      \
    MPISPEC_JUMP next ARGUMENTS;                                                                   \
  }                                                                                                \
  void mpi_##NAME##_(__VA_ARGS__)
#define MPISPEC_MPIF_SHOWN                                                                         \
  __attribute__((__weak__, __visibility__("default"), __section__("mpispec_fortran")))
#define MPISPEC_MPIF_ALIAS(NAME)                                                                   \
  __attribute__((__weak__, __visibility__("default"), __alias__("mpi_" #NAME "_")))

/* A function to which an entry jumps. */
#define MPISPEC_MPIF_INNER static __attribute__((__noinline__, __section__("mpispec_fortran")))

/* The first statement of an entry. The macro's arguments after NAME are all arguments of the
 * entry. */
#define MPISPEC_MPIF_GATE(NAME, ...)                                                               \
  do {                                                                                             \
    if (__builtin_expect(__atomic_load_n(&mpispec_mpif.is_closed, __ATOMIC_ACQUIRE), 0))           \
      MPISPEC_JUMP closed_##NAME(__VA_ARGS__);                                                     \
  } while (0)

/* Converts arguments to those of C. A handle in C is the integer of Fortran, and a status has the
 * same layout. */
_Static_assert(sizeof(MPI_Fint) == sizeof(int) && sizeof(MPI_Fint) == sizeof(MPI_Request),
               "integers and handles are read and written in place");

static inline void *mpispec_mpif_buffer(void *buffer) {
  return buffer == mpispec_mpif.bottom ? NULL : buffer;
}

/* Converts the send buffer of a collective function, which may be MPI_IN_PLACE. */
static inline void *mpispec_mpif_send_buffer(void *buffer) {
  return buffer == mpispec_mpif.in_place ? MPI_IN_PLACE : mpispec_mpif_buffer(buffer);
}

static inline MPI_Status *mpispec_mpif_status(MPI_Status *status) {
  return status == mpispec_mpif.status_ignore ? MPI_STATUS_IGNORE : status;
}

static inline MPI_Status *mpispec_mpif_statuses(MPI_Status *statuses) {
  return statuses == mpispec_mpif.statuses_ignore ? MPI_STATUSES_IGNORE : statuses;
}

#endif

#endif
