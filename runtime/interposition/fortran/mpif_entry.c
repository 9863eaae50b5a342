/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See mpif_entry.h. The common blocks of mpif.h contain the objects that stand for MPI_BOTTOM and
 * similar constants. Their addresses are the same in the program and in the binding. The binding
 * also stores some of these addresses in variables that mpi.h declares. The runtime compares the
 * addresses with these variables. */
#include "interposition/fortran/mpif_entry.h"

#ifdef MPISPEC_STYLE_MPICH

#include "interposition/fortran/binding.h"
#include "interposition/library/next.h"

#include <stdatomic.h>

struct mpispec_mpif mpispec_mpif = {.is_closed = 1};

/* The table needs only the addresses. The files of the C functions define the entries with their
 * true types. */
#define MPIF(NAME, CAPITALS) void mpi_##NAME##_(void);
#include "interposition/fortran/Mpif.def"
#undef MPIF

const struct mpispec_mpif_entry mpispec_mpif_entries[] = {
#define MPIF(NAME, CAPITALS)                                                                       \
  {{"mpi_" #NAME "_", "mpi_" #NAME "__", "MPI_" #CAPITALS},                                        \
   "pmpi_" #NAME "_",                                                                              \
   (void *)mpi_##NAME##_},
#include "interposition/fortran/Mpif.def"
#undef MPIF
};

/* COMMON /MPIPRIV1/ MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE
 * COMMON /MPIPRIV2/ MPI_STATUSES_IGNORE, ...
 * The weak references are null if the binding is visible only to a plugin. Then ADDRESS searches
 * for the definitions by name. */
#define WEAK __attribute__((__weak__))
extern WEAK const MPI_Fint mpipriv1_[], mpipriv2_[];
extern WEAK int MPIR_F_NeedInit;
extern WEAK void mpirinitf_(void);
#define ADDRESS(NAME) ((void *)&NAME ? (void *)&NAME : mpispec_definition(#NAME))

/* Each function of the binding begins with this initialisation. */
static void initialise_binding(void) {
  int *is_needed = ADDRESS(MPIR_F_NeedInit);
  void (*initialise)(void) = (void (*)(void))ADDRESS(mpirinitf_);
  if (!is_needed || !initialise || !*is_needed)
    return;
  initialise();
  *is_needed = 0;
}

static int is_found(void *variable, const void *address) {
  void *const *found = variable;
  return !found || !*found || *found == address;
}

/* Fills in the addresses. Returns 0 if they are not where mpif.h has them. A program without these
 * blocks does not use the constants. */
static int find_constants(struct mpispec_mpif *mpif) {
  const MPI_Fint *first = ADDRESS(mpipriv1_), *second = ADDRESS(mpipriv2_);
  mpif->bottom = first;
  mpif->in_place = first ? first + 1 : MPI_IN_PLACE;
  mpif->status_ignore = first ? first + 2 : (const void *)MPI_STATUS_IGNORE;
  mpif->statuses_ignore = second ? second : (const void *)MPI_STATUSES_IGNORE;
  return is_found(mpispec_definition("MPI_F_STATUS_IGNORE"), mpif->status_ignore) &&
         is_found(mpispec_definition("MPI_F_STATUSES_IGNORE"), mpif->statuses_ignore);
}

/* Returns the next definition after the runtime's if it is not in MPICH's binding, else null. It
 * may be in a tool, or in a binding with other integers. */
static void *find_other(const struct mpispec_mpif_entry *entry) {
  void *other = NULL;
  for (int i = 0; i < MPISPEC_MPIF_SPELLINGS && !other; ++i)
    other = mpispec_tool_function_behind(entry->names[i], "mpirinitf_");
  return other;
}

static int has_other(void) {
  for (int i = 0; i < MPISPEC_MPIF_FUNCTIONS; ++i)
    if (find_other(&mpispec_mpif_entries[i]))
      return 1;
  return 0;
}

/* The entries stay closed also if a tool stands in front of the runtime. The tool may define only
 * functions of C, which get calls only through the binding. All threads that open the entries store
 * the same addresses. */
static int opens(void) {
  if (mpispec_is_duplicate || mpispec_tool_in_front() || has_other())
    return 0;
  initialise_binding();
  if (!find_constants(&mpispec_mpif))
    return 0;
  __atomic_store_n(&mpispec_mpif.is_closed, 0, __ATOMIC_RELEASE);
  return 1;
}

void *mpispec_mpif_next(enum mpispec_mpif_function function) {
  static _Atomic(void *) next[MPISPEC_MPIF_FUNCTIONS];
  void *found = atomic_load_explicit(&next[function], memory_order_relaxed);
  if (found || opens())
    return found;
  const struct mpispec_mpif_entry *entry = &mpispec_mpif_entries[function];
  return mpispec_binding_keep(&next[function], find_other(entry), entry->profiling);
}

#endif
