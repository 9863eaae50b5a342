/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See binding.h. */
#define _GNU_SOURCE
#include "interposition/fortran/binding.h"

#include "abi/relocations.h"
#include "interposition/fortran/kinds.h"
#include "interposition/library/next.h"

#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *mpispec_binding_function(const char *name) {
  void *found = mpispec_definition(name);
  if (found)
    return found;
  fprintf(stderr, "mpispec: the MPI library's binding of Fortran has no %s\n", name);
  abort();
}

void *mpispec_binding_keep(_Atomic(void *) *place, void *other, const char *profiling) {
  void *function = other ? other : mpispec_binding_function(profiling);
  atomic_store_explicit(place, function, memory_order_relaxed);
  return function;
}

/* --- constants ---------------------------------------------------------------------------------*/

struct mpispec_binding mpispec_binding;

struct search {
  const void *function; /* one of the binding's */
  struct mpispec_binding found;
};

static void take_address(const struct mpispec_relocation *relocation, void *data) {
  struct search *search = data;
  if (!relocation->address)
    return;
#define CONSTANT(MEMBER, OBJECT)                                                                   \
  if (!strcmp(relocation->name, #OBJECT))                                                          \
    search->found.MEMBER = *relocation->address;
  BINDING_CONSTANTS(CONSTANT)
#undef CONSTANT
}

/* During this search the dynamic linker holds a lock. Therefore no name may be looked up
 * (bypass.c). */
static int search_object(struct dl_phdr_info *object, size_t size, void *data) {
  struct search *search = data;
  (void)size;
  if (!mpispec_object_holds(object, search->function))
    return 0;
  mpispec_relocations_visit(object, take_address, search);
  return 1;
}

/* Reads the addresses in the binding's relocations. A binding without these relocations is linked
 * statically, or with -Bsymbolic. Then the runtime's own references have the addresses. */
void mpispec_binding_search(void) {
  struct search search = {.function = mpispec_definition(BINDING_WAITANY)};
  if (search.function)
    dl_iterate_phdr(search_object, &search);
#define CONSTANT(MEMBER, OBJECT)                                                                   \
  mpispec_binding.MEMBER = search.found.MEMBER ? search.found.MEMBER : (const void *)&OBJECT;
  BINDING_CONSTANTS(CONSTANT)
#undef CONSTANT
  __atomic_store_n(&mpispec_binding.is_known, 1, __ATOMIC_RELEASE);
}

/* --- indices -----------------------------------------------------------------------------------*/

typedef void waitany(const MPI_Fint *count, MPI_Fint requests[], MPI_Fint *index,
                     MPI_Status *status, MPI_Fint *ierror);

/* The index that the binding's MPI_Waitany stores for an array of this one request. */
static MPI_Fint index_in_binding(MPI_Request request) {
  waitany *wait = (waitany *)mpispec_binding_function(BINDING_WAITANY);
  const MPI_Fint one = 1;
  MPI_Fint handle = MPI_Request_c2f(request), index = 0, error;
  MPI_Status status;
  wait(&one, &handle, &index, &status, &error);
  return index;
}

/* Stores the binding's index of an array's first request, and its value of MPI_UNDEFINED. Two calls
 * of the binding determine them, and the results are kept. The request of the first call is a send
 * to MPI_PROC_NULL, which is complete at once. The request of the second call is null. */
static void find_index_base(int *first, int *undefined) {
  static _Atomic int known, known_first, known_undefined;
  if (!atomic_load_explicit(&known, memory_order_acquire)) {
    MPI_Request over;
    PMPI_Isend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &over);
    atomic_store_explicit(&known_first, index_in_binding(over), memory_order_relaxed);
    atomic_store_explicit(&known_undefined, index_in_binding(MPI_REQUEST_NULL),
                          memory_order_relaxed);
    atomic_store_explicit(&known, 1, memory_order_release);
  }
  *first = atomic_load_explicit(&known_first, memory_order_relaxed);
  *undefined = atomic_load_explicit(&known_undefined, memory_order_relaxed);
}

void mpispec_binding_convert_indices(int count, MPI_Fint indices[]) {
  int first, undefined;
  find_index_base(&first, &undefined);
  for (int i = 0; i < count; ++i)
    if (indices[i] == MPI_UNDEFINED)
      indices[i] = undefined;
    else if (indices[i] >= 0)
      indices[i] += first;
}
