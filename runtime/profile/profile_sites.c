/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See profile_sites.h. */
#define _GNU_SOURCE
#include "profile/profile_sites.h"

#include "profile/binding_frames.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

/* --- sites -------------------------------------------------------------------------------------*/

static struct mpispec_profile_extra extras[MPISPEC_PROFILE_SITES];

struct mpispec_profile_place mpispec_profile_table[MPISPEC_PROFILE_TABLE];

static int has_template(const char *function) {
  static const char *const names[] = {"Send",
                                      "Ssend",
                                      "Rsend",
                                      "Bsend",
                                      "Isend",
                                      "Issend",
                                      "Recv",
                                      "Irecv",
                                      "Probe",
                                      "Sendrecv",
                                      "Sendrecv_replace",
                                      "Bcast",
                                      "Reduce",
                                      "Allreduce",
                                      "Barrier",
                                      "Iprobe",
                                      "Wait",
                                      "Test",
                                      "Waitall"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (!strcmp(names[i], function))
      return 1;
  return 0;
}

static void copy_name(char *to, size_t room, const char *name) {
  strncpy(to, name ? name : "", room - 1);
  to[room - 1] = 0;
}

/* A large-count form, whose name ends with _c, counts as the function itself. */
static void name_function(struct mpispec_profile_site *site, const char *function) {
  copy_name(site->function, sizeof site->function, function);
  const size_t length = strlen(site->function);
  if (length > 2 && !strcmp(site->function + length - 2, "_c"))
    site->function[length - 2] = 0;
}

/* Stores the absolute path of the program or library. The program may have loaded a library by a
 * relative path. */
static void name_object(struct mpispec_profile_object *object, const char *program,
                        const struct link_map *map) {
  char path[PATH_MAX];
  const char *name = map->l_name[0] ? realpath(map->l_name, path) : program;
  copy_name(object->path, sizeof object->path, name ? name : map->l_name);
}

/* Returns the number of the program or library at `base`. The last number stands for all objects
 * without a place. */
static uint32_t find_object(struct mpispec_profile_mapping *mapping, const void *base,
                            const struct link_map *map) {
  struct mpispec_profile_header *header = mapping->header;
  uint32_t i = 0;
  while (i < header->objects && mapping->objects[i].base != (uint64_t)(uintptr_t)base)
    ++i;
  if (i < header->objects || i == MPISPEC_PROFILE_OBJECTS - 1)
    return i;
  mapping->objects[i].base = (uint64_t)(uintptr_t)base;
  name_object(&mapping->objects[i], header->program, map);
  header->objects = i + 1;
  return i;
}

static void describe(struct mpispec_profile_mapping *mapping, struct mpispec_profile_site *site,
                     const void *caller, const char *function) {
  Dl_info info;
  struct link_map *map;
  site->address = (uint64_t)(uintptr_t)caller;
  name_function(site, function);
  if (!dladdr1(caller, &info, (void **)&map, RTLD_DL_LINKMAP)) {
    site->object = MPISPEC_PROFILE_OBJECTS - 1;
    return;
  }
  site->object = find_object(mapping, info.dli_fbase, map);
  site->offset = site->address - (uint64_t)(uintptr_t)info.dli_fbase;
  if (!info.dli_sname)
    return;
  copy_name(site->symbol, sizeof site->symbol, info.dli_sname);
  site->symbol_offset = (uint32_t)(site->address - (uint64_t)(uintptr_t)info.dli_saddr);
}

static struct mpispec_profile_frame frame_at(struct mpispec_profile_mapping *mapping,
                                             const void *address) {
  Dl_info info;
  struct link_map *map;
  if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP))
    return (struct mpispec_profile_frame){(uint64_t)(uintptr_t)address,
                                          MPISPEC_PROFILE_OBJECTS - 1};
  return (struct mpispec_profile_frame){(uint64_t)(uintptr_t)address -
                                            (uint64_t)(uintptr_t)info.dli_fbase,
                                        find_object(mapping, info.dli_fbase, map)};
}

struct mpispec_profile_extra *mpispec_profile_site_make(struct mpispec_profile_mapping *mapping,
                                                        const void *const addresses[],
                                                        unsigned count, const char *function) {
  struct mpispec_profile_header *header = mapping->header;
  const unsigned number = header->sites;
  if (number == MPISPEC_PROFILE_SITES - 1)
    return NULL;
  struct mpispec_profile_site *site = &mapping->sites[number];
  describe(mapping, site, addresses[0], function);
  for (unsigned i = 1; i < count; ++i)
    site->frames[i - 1] = frame_at(mapping, addresses[i]);
  extras[number].site = site;
  extras[number].has_template = has_template(site->function);
  extras[number].is_send = !strcmp(site->function, "Send");
  extras[number].is_receive = !strcmp(site->function, "Recv");
  header->sites = number + 1;
  return &extras[number];
}

struct mpispec_profile_extra *
mpispec_profile_site_of_others(struct mpispec_profile_mapping *mapping) {
  struct mpispec_profile_extra *extra = &extras[MPISPEC_PROFILE_SITES - 1];
  extra->site = &mapping->sites[MPISPEC_PROFILE_SITES - 1];
  copy_name(extra->site->function, sizeof extra->site->function, "other");
  return extra;
}

/* Returns the place of a caller, or the free place that it would get. */
static struct mpispec_profile_place *place_for(const void *caller, const char *function) {
  unsigned at = mpispec_profile_place_of(caller, function);
  struct mpispec_profile_place *place = &mpispec_profile_table[at];
  while (place->function && (place->caller != caller || place->function != function))
    place = &mpispec_profile_table[at = (at + 1) % MPISPEC_PROFILE_TABLE];
  return place;
}

struct mpispec_profile_extra *mpispec_profile_site_search(struct mpispec_profile_mapping *mapping,
                                                          const void *caller,
                                                          const char *function) {
  struct mpispec_profile_place *place = place_for(caller, function);
  if (place->function)
    return place->extra;
  if (mpispec_binding_has(caller)) {
    *place = (struct mpispec_profile_place){caller, function, NULL};
    return NULL;
  }
  struct mpispec_profile_extra *extra = mpispec_profile_site_make(mapping, &caller, 1, function);
  if (!extra)
    return mpispec_profile_site_of_others(mapping);
  *place = (struct mpispec_profile_place){caller, function, extra};
  return extra;
}

/* A guess is used only if a walk has found the same site before. */
struct mpispec_profile_extra *
mpispec_profile_site_find_above(struct mpispec_profile_mapping *mapping, const void *const *slot,
                                const char *function) {
  const void *guess = mpispec_binding_guess(slot);
  struct mpispec_profile_extra *extra = guess ? place_for(guess, function)->extra : NULL;
  if (extra)
    return extra;
  const void *program = mpispec_binding_caller(slot);
  extra = program ? mpispec_profile_site_find(mapping, program, function) : NULL;
  return extra ? extra : mpispec_profile_site_of_others(mapping);
}

/* --- datatypes ---------------------------------------------------------------------------------*/

void mpispec_profile_name_datatype(struct mpispec_profile_mapping *mapping, MPI_Datatype datatype) {
  const int64_t handle = (int64_t)(intptr_t)datatype;
  const uint32_t number = mapping->header->datatypes;
  struct mpispec_profile_datatype *of = &mapping->datatypes[number];
  for (uint32_t i = 0; i < number; ++i)
    if (mapping->datatypes[i].handle == handle)
      return;
  MPI_Count integers, addresses, large, types;
  int combiner, length;
  char name[MPI_MAX_OBJECT_NAME] = "";
  MPI_Count bytes = 0;
  PMPI_Type_get_envelope_c(datatype, &integers, &addresses, &large, &types, &combiner);
  if (number == MPISPEC_PROFILE_DATATYPES || combiner != MPI_COMBINER_NAMED)
    return;
  PMPI_Type_get_name(datatype, name, &length);
  PMPI_Type_size_x(datatype, &bytes);
  of->handle = handle;
  of->bytes = (uint64_t)bytes;
  copy_name(of->name, sizeof of->name, name);
  mapping->header->datatypes = number + 1;
}

/* --- pieces of the run -------------------------------------------------------------------------*/

/* Makes each bin twice as long. */
static void merge(struct mpispec_profile_mapping *mapping) {
  struct mpispec_profile_bin *bins = mapping->bins;
  for (int i = 0; i < MPISPEC_PROFILE_BINS / 2; ++i) {
    bins[i].in_mpi = bins[2 * i].in_mpi + bins[2 * i + 1].in_mpi;
    bins[i].waiting = bins[2 * i].waiting + bins[2 * i + 1].waiting;
  }
  memset(bins + MPISPEC_PROFILE_BINS / 2, 0, MPISPEC_PROFILE_BINS / 2 * sizeof *bins);
  mapping->header->bin_ticks *= 2;
}

/* The bin in which the last call ended. If the next call is in this bin, too, no division is
 * necessary. */
static struct {
  uint64_t begin, end;
  struct mpispec_profile_bin *bin;
} last_piece;

/* Adds a call to all bins in which it lies. Its waiting time counts as its last part. */
static void spread(struct mpispec_profile_mapping *mapping, uint64_t begun, uint64_t now,
                   uint64_t waiting) {
  const struct mpispec_profile_header *header = mapping->header;
  const uint64_t from = begun - header->ticks_began, to = now - header->ticks_began;
  while (to / header->bin_ticks >= MPISPEC_PROFILE_BINS)
    merge(mapping);
  const uint64_t waited_from = to - waiting, length = header->bin_ticks;
  last_piece.bin = &mapping->bins[to / length];
  last_piece.begin = now - to % length;
  last_piece.end = last_piece.begin + length;
  for (uint64_t bin = from / length; bin <= to / length; ++bin) {
    const uint64_t begin = bin * length, end = begin + length;
    const uint64_t last = to < end ? to : end;
    const uint64_t first = from > begin ? from : begin;
    const uint64_t first_waited = waited_from > begin ? waited_from : begin;
    mapping->bins[bin].in_mpi += last - first;
    mapping->bins[bin].waiting += last > first_waited ? last - first_waited : 0;
  }
}

void mpispec_profile_bins_add(struct mpispec_profile_mapping *mapping, uint64_t begun, uint64_t now,
                              uint64_t waiting, uint64_t more) {
  if (begun >= last_piece.begin && now < last_piece.end) {
    last_piece.bin->in_mpi += now - begun;
    last_piece.bin->waiting += waiting;
  } else {
    spread(mapping, begun, now, waiting);
  }
  last_piece.bin->in_mpi += more;
}
