/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads descriptors, and tests whether their layout is the expected one. See section.h. */
#include "interposition/fortran/section.h"

#ifdef MPISPEC_STYLE_MPICH

#include "interposition/arguments.h"
#include "interposition/fortran/binding.h"
#include "interposition/fortran/kinds.h"
#include "interposition/fortran/section_types.h"
#include "interposition/library/next.h"
#include "job/node.h"
#include "profile/profile.h"
#include "progress/lock.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

/* --- one descriptor ----------------------------------------------------------------------------*/

static int64_t extent(const struct mpispec_section *section, int dimension) {
  return section->dimensions[dimension].upper - section->dimensions[dimension].lower + 1;
}

/* An array of assumed size is contiguous. Its last dimension has no extent: extent() returns -1. */
static int is_contiguous(const struct mpispec_section *section) {
  int64_t expected = (int64_t)section->element;
  for (int i = 0; i < section->rank; ++i) {
    const int64_t elements = extent(section, i);
    if (elements == -1 && i == section->rank - 1)
      return 1;
    if (elements != 1 && section->dimensions[i].stride * section->span != expected)
      return 0;
    expected *= elements;
  }
  return 1;
}

/* The number of elements; 0 if a dimension has none. If the number overflows, the result is at
 * least INT_MAX, the greatest count. */
static int64_t elements_of(const struct mpispec_section *section) {
  int64_t elements = 1;
  for (int i = 0; i < section->rank; ++i) {
    const int64_t more = extent(section, i);
    if (more <= 0)
      return 0;
    if (__builtin_mul_overflow(elements, more, &elements))
      elements = INT_MAX;
  }
  return elements;
}

/* Nonzero for a predefined datatype of `bytes` bytes without gaps. */
static int is_basic(MPI_Datatype datatype, size_t bytes, const void *example) {
  mpispec_lock();
  const struct mpispec_datatype *known = mpispec_datatype_find(datatype);
  if (!known)
    known = mpispec_arguments_add_datatype(example, 1, datatype);
  const int basic =
      known && known->predefined && known->contiguous && known->size == (int64_t)bytes;
  mpispec_unlock();
  return basic;
}

/* Reads elements with gaps. Declines a derived type, because it would select parts of elements.
 * Declines also if there are several threads, because they would share the table of datatypes. */
static int read_gaps(const struct mpispec_section *section, int count, MPI_Datatype datatype,
                     struct mpispec_section_buffer *buffer) {
  if (mpispec_lock_is_shared() || !mpispec_node.size ||
      !is_basic(datatype, section->element, section->first))
    return 0;
  if (count <= 0 || count > elements_of(section))
    return 0;
  const MPI_Datatype made = mpispec_section_type(section, count, datatype);
  *buffer = (struct mpispec_section_buffer){section->first, 1, made};
  return made != MPI_DATATYPE_NULL;
}

int mpispec_section_read(const struct mpispec_section *section, int count, MPI_Datatype datatype,
                         struct mpispec_section_buffer *buffer) {
  if (section->version || !section->span || (unsigned char)section->rank > MPISPEC_SECTION_RANKS)
    return 0;
  if (!is_contiguous(section))
    return read_gaps(section, count, datatype, buffer);
  void *address = section->first;
  if (address == mpispec_binding.bottom)
    address = MPI_BOTTOM;
  else if (address == mpispec_binding.in_place)
    address = MPI_IN_PLACE;
  *buffer = (struct mpispec_section_buffer){address, count, datatype};
  return 1;
}

/* --- the trial ---------------------------------------------------------------------------------*/

typedef void send(const struct mpispec_section *from, const int *count,
                  const MPI_Datatype *datatype, const int *peer, const int *tag,
                  const MPI_Comm *comm, int *ierror);

enum { INTEGER = 1 }; /* gfortran's number of the type */

/* The section a(2:6:2, 4:1:-3) of a(7, 5). MPICH's binding packs a section of this layout
 * correctly. */
static struct mpispec_section known_section(int a[]) {
  return (struct mpispec_section){
      .first = (char *)&a[22],
      .offset = 19,
      .element = sizeof *a,
      .rank = 2,
      .type = INTEGER,
      .span = sizeof *a,
      .dimensions = {{2, 1, 3}, {-21, 1, 2}},
  };
}

/* Nonzero if the binding reads a descriptor of gfortran as the runtime does. A process without
 * gfortran's library has no such descriptors. Finds the binding's constants, which the entries
 * compare. */
static int binding_agrees(void) {
  enum { ELEMENTS = 6 };
  send *send_section = (send *)mpispec_definition("pmpir_send_f08ts_");
  mpispec_binding_find();
  if (!mpispec_binding.bottom || !send_section || !mpispec_definition("_gfortran_string_len_trim"))
    return 0;
  int a[35], got[ELEMENTS] = {0}, error = MPI_SUCCESS;
  const int expected[ELEMENTS] = {22, 24, 26, 1, 3, 5}, count = ELEMENTS, peer = 0, tag = 0;
  const MPI_Datatype datatype = MPI_INT;
  const MPI_Comm self = mpispec_arguments_test_communicator();
  MPI_Request request;
  for (int i = 0; i < 35; ++i)
    a[i] = i;
  const struct mpispec_section section = known_section(a);
  if (PMPI_Irecv(got, ELEMENTS, MPI_INT, peer, tag, self, &request))
    return 0;
  send_section(&section, &count, &datatype, &peer, &tag, &self, &error);
  if (error)
    PMPI_Cancel(&request);
  PMPI_Wait(&request, MPI_STATUS_IGNORE);
  return !error && !memcmp(got, expected, sizeof got);
}

static void *tool_function(const struct mpispec_section_entry *entry) {
  return mpispec_tool_function_behind(entry->public, "mpirinitf_");
}

static int has_tool(void) {
  for (int i = 0; i < MPISPEC_SECTION_FUNCTIONS; ++i)
    if (tool_function(&mpispec_section_entries[i]))
      return 1;
  return 0;
}

_Atomic int mpispec_section_state;

/* All threads that make the trial get the same result. */
int mpispec_section_try(void) {
  if (!mpispec_node.size)
    return 0;
  const int is_open =
      !mpispec_is_duplicate && !mpispec_profile_is_on && !has_tool() && binding_agrees();
  atomic_store_explicit(&mpispec_section_state, is_open ? 1 : -1, memory_order_release);
  return is_open;
}

void *mpispec_section_next(enum mpispec_section_function function) {
  static _Atomic(void *) next[MPISPEC_SECTION_FUNCTIONS];
  void *found = atomic_load_explicit(&next[function], memory_order_relaxed);
  if (found)
    return found;
  const struct mpispec_section_entry *entry = &mpispec_section_entries[function];
  return mpispec_binding_keep(&next[function], tool_function(entry), entry->profiling);
}

#endif
