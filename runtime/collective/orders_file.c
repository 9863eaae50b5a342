/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See orders_file.h. */
#include "collective/orders_file.h"

#include "abi/mpi.h"
#include "collective/known_orders.h"
#include "collective/library_orders.h"
#include "collective/trees.h"
#include "job/cache_file.h"
#include "job/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 64 * 1024, KEY_BYTES = 256, LINE_BYTES = 200 };

/* All that entries depend on: the library, the user's settings, the meaning of bits. */
static void find_key(char key[KEY_BYTES]) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length;
  uint64_t trees = 0;
  PMPI_Get_library_version(version, &length);
  for (int tree = 0; mpispec_trees[tree].name; ++tree)
    trees = trees * 31 + mpispec_cache_number(mpispec_trees[tree].name);
  snprintf(key, KEY_BYTES,
           "mpispec reduction orders 2, %.*s, %" PRIx64 ", settings %" PRIx64 ", trees %" PRIx64,
           (int)strcspn(version, "\n,"), version, mpispec_cache_number(version),
           mpispec_library_orders_settings(), trees);
}

/* Returns 0 if there is no file: the library has a table, or there is no cache. */
static int find_file(const char *cache, char key[KEY_BYTES], char path[MPISPEC_CACHE_PATH_BYTES]) {
  if (mpispec_library_orders_table())
    return 0;
  find_key(key);
  mpispec_cache_users_path(cache, MPISPEC_CACHE_REDUCTION_ORDERS, key, path);
  return *path != 0;
}

/* --- reading -----------------------------------------------------------------------------------*/

/* Returns the text between the first line and the last. Returns null if the text is incomplete. */
static char *find_entries(char *text, const char *key) {
  const size_t length = strlen(key);
  char *end = strstr(text, "\nend ");
  if (!end || strncmp(text, key, length) || text[length] != '\n')
    return NULL;
  const uint64_t number = strtoull(end + strlen("\nend "), NULL, 16);
  *end = 0;
  return mpispec_cache_number(text) == number ? text + length : NULL;
}

static int is_count_of(int number, int64_t count) {
  return count >= mpispec_octave_first(number) && count <= mpispec_octave_last(number);
}

static void read_entry(const char *line) {
  struct mpispec_known_key key;
  struct mpispec_octave octave = {.expectation = MPISPEC_FROM_FILE};
  uint64_t hints;
  int size, number;
  if (sscanf(line,
             "%d %" SCNx64 " %" SCNx64 " %" SCNx32 " %d %d %d %d %" SCNx32 " %" SCNx32 " %" SCNd64
             " %" SCNd64,
             &size, &hints, &key.counts, &key.arithmetic, &key.element, &key.operation, &key.root,
             &number, &octave.low, &octave.high, &octave.low_count, &octave.high_count) == 12 &&
      number >= 0 && number < MPISPEC_OCTAVES && is_count_of(number, octave.low_count) &&
      is_count_of(number, octave.high_count) && octave.low_count <= octave.high_count)
    mpispec_known_orders_expect(size, hints, &key, number, &octave);
}

void mpispec_orders_file_read(const char *cache) {
  char key[KEY_BYTES], path[MPISPEC_CACHE_PATH_BYTES];
  struct stat status;
  if (!find_file(cache, key, path))
    return;
  char *text = mpispec_check_allocation(malloc(ROOM));
  char *entries = mpispec_cache_read(path, text, ROOM, &status) ? NULL : find_entries(text, key);
  for (; entries && *entries; entries = strchr(entries + 1, '\n'))
    read_entry(entries + 1);
  free(text);
}

/* --- writing -----------------------------------------------------------------------------------*/

/* Returns the length, or 0 if there is no more room. */
static size_t print_entry(char *text, size_t room, const struct mpispec_known_class *class,
                          int number) {
  const struct mpispec_octave *octave = &class->octaves[number];
  const struct mpispec_known_key *key = &class->key;
  if (room < LINE_BYTES)
    return 0;
  return (size_t)snprintf(text, room,
                          "\n%d %" PRIx64 " %" PRIx64 " %" PRIx32 " %d %d %d %d %" PRIx32
                          " %" PRIx32 " %" PRId64 " %" PRId64,
                          class->size, class->hints, key->counts, key->arithmetic, key->element,
                          key->operation, key->root, number, octave->low, octave->high,
                          octave->low_count, octave->high_count);
}

/* Nonzero if the orders at both ends of an octave are known, by trials or from the file. */
static int is_worth_keeping(const struct mpispec_octave *octave) {
  return (octave->is_known || octave->expectation) && !octave->is_lost && octave->low &&
         octave->high;
}

static size_t print(char text[ROOM], const char *key) {
  size_t length = (size_t)snprintf(text, ROOM, "%s", key);
  for (const struct mpispec_known_class *class = mpispec_known_orders_list(); class;
       class = class->next)
    for (int number = 0; number < MPISPEC_OCTAVES; ++number)
      if (is_worth_keeping(&class->octaves[number]))
        length += print_entry(text + length, ROOM - LINE_BYTES - length, class, number);
  const uint64_t sum = mpispec_cache_number(text);
  return length + (size_t)snprintf(text + length, LINE_BYTES, "\nend %" PRIx64 "\n", sum);
}

void mpispec_orders_file_write(const char *cache) {
  char key[KEY_BYTES], path[MPISPEC_CACHE_PATH_BYTES];
  if (!find_file(cache, key, path))
    return;
  char *text = mpispec_check_allocation(malloc(ROOM));
  const size_t length = print(text, key);
  mpispec_cache_replace(path, text, length, 0600); /* without the file, trials are repeated */
  free(text);
}
