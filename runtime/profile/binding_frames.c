/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See binding_frames.h. A loaded object is a binding if it defines one of a binding's functions.
 * The program itself is none, but it may contain one (static_binding.h).
 *
 * The caller holds the profile's lock. */
#define _GNU_SOURCE
#include "profile/binding_frames.h"

#include "profile/static_binding.h"
#include "profile/unwinder.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The segments that contained the addresses of earlier searches. When there are MOST_SEGMENTS of
 * them, addresses in other segments count as outside of bindings. */
enum { MOST_SEGMENTS = 64 };
static struct segment {
  uintptr_t begin, end;
  int is_binding, is_program;
} segments[MOST_SEGMENTS];
static int segment_count;

static int holds(const struct segment *segment, const void *address) {
  const uintptr_t at = (uintptr_t)address;
  return at >= segment->begin && at < segment->end;
}

/* --- which objects are bindings ----------------------------------------------------------------*/

/* Functions of mpif.h and `use mpi` in the spellings of compilers, and of mpi_f08 in MPICH and Open
 * MPI. */
static const char *const functions_of_bindings[] = {
    "pmpi_send_",     "pmpi_send__",     "pmpi_send",      "PMPI_SEND",
    "pmpi_init_f08_", "pmpir_init_f08_", "pmpi_send_f08_", "pmpi_send_f08ts_",
};

/* Returns the segment of an object that contains an address. If there is none, the segment's end is
 * 0. */
static struct segment segment_with(const struct dl_phdr_info *object, const void *address) {
  for (int i = 0; address && i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const uintptr_t begin = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && (uintptr_t)address - begin < part->p_memsz)
      return (struct segment){begin, begin + part->p_memsz, 0, 0};
  }
  return (struct segment){0};
}

struct search {
  const void *address;
  struct segment found;
  const char *object; /* the object's file; empty for the program */
};

static int search_object(struct dl_phdr_info *object, size_t size, void *data) {
  struct search *search = data;
  (void)size;
  search->found = segment_with(object, search->address);
  search->object = object->dlpi_name;
  return search->found.end != 0;
}

/* Nonzero if the loaded object `file` itself defines a binding's function. Objects that it needs do
 * not count. */
static int is_binding(const char *file) {
  void *object = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
  const int count = sizeof functions_of_bindings / sizeof functions_of_bindings[0];
  int found = 0;
  for (int i = 0; object && !found && i < count; ++i) {
    Dl_info definition;
    void *function = dlsym(object, functions_of_bindings[i]);
    found = function && dladdr(function, &definition) && !strcmp(definition.dli_fname, file);
  }
  if (object)
    dlclose(object);
  return found;
}

static const struct segment *segment_of(const void *address) {
  static const struct segment none;
  for (int i = 0; i < segment_count; ++i)
    if (holds(&segments[i], address))
      return &segments[i];
  struct search search = {.address = address};
  if (segment_count == MOST_SEGMENTS || !dl_iterate_phdr(search_object, &search))
    return &none;
  segments[segment_count] = search.found;
  segments[segment_count].is_program = !search.object[0];
  segments[segment_count].is_binding = search.object[0] && is_binding(search.object);
  return &segments[segment_count++];
}

/* The runtime's own functions of mpi_f08 are in one ELF section (interposition/fortran/entries.c).
 * A runtime without these functions has no such section. */
#define HIDDEN_OR_NULL __attribute__((__weak__, __visibility__("hidden")))
extern const char __start_mpispec_fortran[] HIDDEN_OR_NULL;
extern const char __stop_mpispec_fortran[] HIDDEN_OR_NULL;

int mpispec_binding_has(const void *address) {
  const char *at = address;
  const int is_ours = at >= __start_mpispec_fortran && at < __stop_mpispec_fortran;
  const struct segment *segment = segment_of(address);
  return is_ours || segment->is_binding ||
         (segment->is_program && mpispec_static_binding_has(address));
}

/* --- the stack ---------------------------------------------------------------------------------*/

struct search_above {
  const void *program; /* the program's return address, or null */
  uintptr_t slot;      /* where that is stored */
};

static int is_of_program(const void *address, uintptr_t slot, void *data) {
  struct search_above *search = data;
  if (mpispec_binding_has(address))
    return 0;
  search->program = address;
  search->slot = slot;
  return 1;
}

/* A function of a binding has frames of one size, with rare exceptions. Therefore the program's
 * return address is at a constant distance from the binding's. Walks confirm this distance at the
 * first calls and at some later ones. A walk at each call would take too long (docs/Profile.md). If
 * the results of two walks differ, every later call walks. */
enum { LEARNED = 256, CONFIRMATIONS = 4, CALLS_TO_CHECK = 64 };
static struct learned {
  const void *caller;
  ptrdiff_t words; /* from slot to slot */
  unsigned calls;
  int differs;
} learned[LEARNED];

/* Returns null if there are too many callers. */
static struct learned *learned_of(const void *caller) {
  const unsigned first = (unsigned)((uintptr_t)caller * 0x9e3779b1u >> 8) % LEARNED;
  for (unsigned i = 0; i < LEARNED; ++i) {
    struct learned *entry = &learned[(first + i) % LEARNED];
    if (!entry->caller)
      entry->caller = caller;
    if (entry->caller == caller)
      return entry;
  }
  return NULL;
}

const void *mpispec_binding_guess(const void *const *slot) {
  struct learned *entry = learned_of(*slot);
  const int is_due = !entry || entry->calls < CONFIRMATIONS || entry->calls % CALLS_TO_CHECK == 0;
  if (entry)
    ++entry->calls;
  return is_due || entry->differs ? NULL : slot[entry->words];
}

/* Stores the distance that a walk has found. If the word in the slot that was found is not the
 * return address, the distance is not used. Some unwinders and machines give no exact slot. */
static void store_distance(struct learned *entry, const struct search_above *search,
                           const void *const *slot) {
  const void *const *found = (const void *const *)search->slot;
  if (!search->program || *found != search->program ||
      (entry->words && entry->words != found - slot))
    entry->differs = 1;
  else
    entry->words = found - slot;
}

const void *mpispec_binding_caller(const void *const *slot) {
  struct search_above search = {0};
  struct learned *entry = learned_of(*slot);
  mpispec_unwinder_walk(*slot, is_of_program, &search);
  if (entry)
    store_distance(entry, &search, slot);
  return search.program;
}
