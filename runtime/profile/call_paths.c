/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See call_paths.h. */
#include "profile/call_paths.h"

#include "profile/binding_frames.h"
#include "profile/unwinder.h"

#include <stdatomic.h>
#include <string.h>

unsigned mpispec_call_path_frames;

/* The greatest number of frames of a binding so far. It is 0 in programs in C, so that their walks
 * are short. */
static atomic_uint binding_frames;

struct reading {
  struct mpispec_call_path *path;
  unsigned limit;
};

static int add_address(const void *address, uintptr_t slot, void *data) {
  struct reading *reading = data;
  (void)slot;
  reading->path->addresses[reading->path->count++] = address;
  return reading->path->count == reading->limit;
}

/* Reads the addresses that are kept, and `more` further ones. */
static void read_path(struct mpispec_call_path *path, const void *caller, unsigned more) {
  struct reading reading = {path, 1 + mpispec_call_path_frames + more};
  path->count = 0;
  mpispec_unwinder_walk(caller, add_address, &reading);
  if (!path->count)
    path->addresses[path->count++] = caller;
}

void mpispec_call_path_read(struct mpispec_call_path *path, const void *caller) {
  read_path(path, caller, atomic_load_explicit(&binding_frames, memory_order_relaxed));
}

/* The number of frames at the call that belong to a binding. */
static unsigned frames_of_binding(const struct mpispec_call_path *path) {
  unsigned count = 0;
  while (count < path->count && mpispec_binding_has(path->addresses[count]))
    ++count;
  return count;
}

/* The path without the frames of a binding, cut to the length that is kept. */
struct key {
  const char *function;
  const void *const *addresses;
  unsigned count;
};

/* If a binding has more frames than any before, the path may be too short and is read again. */
static struct key key_of(struct mpispec_call_path *path, const char *function) {
  unsigned first = frames_of_binding(path);
  if (first > atomic_load_explicit(&binding_frames, memory_order_relaxed)) {
    read_path(path, path->addresses[0], MPISPEC_CALL_PATH_BINDING);
    first = frames_of_binding(path);
    atomic_store_explicit(&binding_frames,
                          first < MPISPEC_CALL_PATH_BINDING ? first : MPISPEC_CALL_PATH_BINDING,
                          memory_order_relaxed);
  }
  const unsigned count = path->count - first, most = 1 + mpispec_call_path_frames;
  return (struct key){function, path->addresses + first, count < most ? count : most};
}

/* The sites by path. The table uses open addressing, and is never full. */
static struct place {
  const char *function;
  unsigned count;
  const void *addresses[1 + MPISPEC_PROFILE_FRAMES];
  struct mpispec_profile_extra *extra;
} places[MPISPEC_PROFILE_TABLE];

static int is_of(const struct place *place, const struct key *key) {
  return place->function == key->function && place->count == key->count &&
         !memcmp(place->addresses, key->addresses, key->count * sizeof(void *));
}

static struct place *place_for(const struct key *key) {
  uint64_t hash = (uint64_t)(uintptr_t)key->function;
  for (unsigned i = 0; i < key->count; ++i)
    hash = (hash ^ (uint64_t)(uintptr_t)key->addresses[i]) * 0x9e3779b97f4a7c15u;
  unsigned at = (unsigned)(hash >> (64 - MPISPEC_PROFILE_TABLE_BITS));
  while (places[at].function && !is_of(&places[at], key))
    at = (at + 1) % MPISPEC_PROFILE_TABLE;
  return &places[at];
}

struct mpispec_profile_extra *mpispec_call_path_site(struct mpispec_profile_mapping *mapping,
                                                     struct mpispec_call_path *path,
                                                     const char *function) {
  const struct key key = key_of(path, function);
  struct place *place = key.count ? place_for(&key) : NULL;
  if (place && place->function)
    return place->extra;
  struct mpispec_profile_extra *extra =
      place ? mpispec_profile_site_make(mapping, key.addresses, key.count, function) : NULL;
  if (!extra)
    return mpispec_profile_site_of_others(mapping);
  place->function = function;
  place->count = key.count;
  memcpy(place->addresses, key.addresses, key.count * sizeof(void *));
  place->extra = extra;
  return extra;
}
