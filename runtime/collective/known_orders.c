/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The list of kept octaves, and its digests. See known_orders.h. */
#include "collective/known_orders.h"

#include "collective/orders_file.h"
#include "job/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

enum { MOST_CLASSES = 256 };

static struct {
  struct mpispec_known_class *classes;
  int count;
  int is_contradicted; /* the library has given two orders for one octave */
  int is_changed;      /* the file lacks results, or has wrong ones */
  int is_read;         /* the file */
  const char *cache;
} kept;

/* --- which libraries ---------------------------------------------------------------------------*/

/* Nonzero unless the user has set algorithms, or the number of calls after which the library
 * changes them. */
static int has_default_choice(void) {
  static const char *const marks[] = {"_ALGORITHM", "_SELECTION", "_NUM_COLLS", "OMPI_MCA_coll"};
  for (char **variable = environ; variable && *variable; ++variable)
    for (unsigned i = 0; i < sizeof marks / sizeof marks[0]; ++i) {
      const char *mark = strstr(*variable, marks[i]), *value = strchr(*variable, '=');
      if (mark && value && mark < value)
        return 0;
    }
  return 1;
}

static int is_constant(void) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length, major = 0, minor = 0;
  PMPI_Get_library_version(version, &length);
  if (sscanf(version, "MPICH Version: %d.%d", &major, &minor) == 2)
    return major < 4 || (major == 4 && minor < 1);
  return strstr(version, "Open MPI v4.") != NULL;
}

static int are_kept;

static void decide_once(void) { are_kept = is_constant() && has_default_choice(); }

/* Called with and without the lock, also by several threads. */
int mpispec_known_orders_are_kept(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, decide_once);
  return are_kept;
}

/* --- digests -----------------------------------------------------------------------------------*/

static uint64_t mix(uint64_t digest, uint64_t value) {
  digest = (digest ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return digest ^ digest >> 29;
}

static uint64_t mix_text(uint64_t digest, const char *text) {
  for (; *text; ++text)
    digest = mix(digest, (unsigned char)*text);
  return digest;
}

/* MPI_Info_get is deprecated since MPI-4.0; libraries of MPI-3 have nothing else. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

uint64_t mpispec_known_orders_hints(MPI_Comm communicator) {
  char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
  int count = 0, has_value;
  uint64_t digest = 0; /* the order of keys does not matter */
  MPI_Info info;
  if (PMPI_Comm_get_info(communicator, &info))
    return 0;
  PMPI_Info_get_nkeys(info, &count);
  for (int i = 0; i < count; ++i) {
    PMPI_Info_get_nthkey(info, i, key);
    PMPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &has_value);
    digest += mix_text(mix_text(1, key), has_value ? value : "");
  }
  PMPI_Info_free(&info);
  return digest;
}

#pragma GCC diagnostic pop

static uint64_t digest_key(const struct mpispec_known_key *key) {
  uint64_t digest = mix(1, key->counts);
  digest = mix(digest, key->arithmetic);
  digest = mix(digest, (uint64_t)key->element);
  digest = mix(digest, (uint64_t)key->operation);
  return mix(digest, (uint64_t)key->root);
}

static unsigned bucket_of(const struct mpispec_known_key *key) {
  return (unsigned)(digest_key(key) >> 32) % MPISPEC_KNOWN_BUCKETS;
}

static uint64_t digest_octave(uint64_t digest, int number, const struct mpispec_octave *octave) {
  digest = mix(digest, (uint64_t)number * 2 + (uint64_t)octave->is_lost);
  digest = mix(digest, (uint64_t)octave->expectation);
  digest = mix(digest, (uint64_t)octave->low << 32 | octave->high);
  digest = mix(digest, (uint64_t)octave->low_count);
  return mix(digest, (uint64_t)octave->high_count);
}

/* A digest is a sum, because ranks may have kept the same results in different sequences. */
void mpispec_known_orders_digest(const struct mpispec_known_class *known,
                                 uint64_t digests[MPISPEC_KNOWN_BUCKETS]) {
  memset(digests, 0, MPISPEC_KNOWN_BUCKETS * sizeof *digests);
  for (; known; known = known->next)
    for (int number = 0; number < MPISPEC_OCTAVES; ++number)
      if (known->octaves[number].is_known || known->octaves[number].expectation)
        digests[bucket_of(&known->key)] +=
            digest_octave(digest_key(&known->key), number, &known->octaves[number]);
}

/* --- lists -------------------------------------------------------------------------------------*/

static int is_same(const struct mpispec_known_key *one, const struct mpispec_known_key *other) {
  return one->counts == other->counts && one->arithmetic == other->arithmetic &&
         one->element == other->element && one->operation == other->operation &&
         one->root == other->root;
}

struct mpispec_known_class *mpispec_known_orders_copy(int size, uint64_t hints) {
  struct mpispec_known_class *copies = NULL;
  if (!kept.is_read)
    mpispec_orders_file_read(kept.cache);
  kept.is_read = 1;
  for (const struct mpispec_known_class *at = kept.classes; at && !kept.is_contradicted;
       at = at->next) {
    if (at->size != size || at->hints != hints)
      continue;
    struct mpispec_known_class *copy = mpispec_check_allocation(malloc(sizeof *copy));
    *copy = *at;
    copy->next = copies;
    copies = copy;
  }
  return copies;
}

struct mpispec_known_class *mpispec_known_orders_filter(struct mpispec_known_class *known,
                                                        unsigned agreed) {
  struct mpispec_known_class *left = NULL;
  for (struct mpispec_known_class *next; known; known = next) {
    next = known->next;
    if (agreed >> bucket_of(&known->key) & 1) {
      known->next = left;
      left = known;
    } else {
      free(known);
    }
  }
  return left;
}

const struct mpispec_octave *mpispec_known_orders_find(const struct mpispec_known_class *known,
                                                       const struct mpispec_known_key *key) {
  for (; known; known = known->next)
    if (is_same(&known->key, key))
      return known->octaves;
  return NULL;
}

/* --- what this process keeps -------------------------------------------------------------------*/

static int is_confirmed(const struct mpispec_known_class *class) {
  for (int number = 0; number < MPISPEC_OCTAVES; ++number)
    if (class->octaves[number].is_known)
      return 1;
  return 0;
}

/* If the list is full, removes the oldest class that no trial of this process has confirmed.
 * Otherwise a full file would remain the same for ever. */
static void make_room(void) {
  struct mpispec_known_class **found = NULL;
  if (kept.count < MOST_CLASSES)
    return;
  for (struct mpispec_known_class **at = &kept.classes; *at; at = &(*at)->next)
    if (!is_confirmed(*at))
      found = at;
  if (!found)
    return;
  struct mpispec_known_class *class = *found;
  *found = class->next;
  --kept.count;
  free(class);
}

static struct mpispec_known_class *find(int size, uint64_t hints,
                                        const struct mpispec_known_key *key) {
  for (struct mpispec_known_class *at = kept.classes; at; at = at->next)
    if (at->size == size && at->hints == hints && is_same(&at->key, key))
      return at;
  return NULL;
}

/* Adds a class at `*place` in the list, whose newest class is the first. Returns null if the list
 * is full. */
static struct mpispec_known_class *add(struct mpispec_known_class **place, int size, uint64_t hints,
                                       const struct mpispec_known_key *key) {
  if (kept.count == MOST_CLASSES)
    return NULL;
  ++kept.count;
  struct mpispec_known_class *class = mpispec_check_allocation(malloc(sizeof *class));
  *class = (struct mpispec_known_class){.size = size, .hints = hints, .key = *key, .next = *place};
  return *place = class;
}

/* Nonzero if two trials of the same count gave different orders. Then the library's choice depends
 * on something that an entry does not contain, and no results are kept any more. */
static int contradicts(const struct mpispec_octave *one, const struct mpispec_octave *other) {
  return one->is_known &&
         (!other->is_known || (one->low_count == other->low_count && one->low != other->low) ||
          (one->high_count == other->high_count && one->high != other->high));
}

static int is_as_expected(const struct mpispec_octave *expected,
                          const struct mpispec_octave *found) {
  return expected->expectation == MPISPEC_FROM_FILE && found->is_known &&
         expected->low == found->low && expected->high == found->high &&
         expected->low_count == found->low_count && expected->high_count == found->high_count;
}

void mpispec_known_orders_keep(int size, uint64_t hints, const struct mpispec_known_key *key,
                               int octave, const struct mpispec_octave *found) {
  struct mpispec_known_class *class = find(size, hints, key);
  if (!class) {
    make_room();
    class = add(&kept.classes, size, hints, key);
  }
  if (!class)
    return;
  kept.is_contradicted |= contradicts(&class->octaves[octave], found);
  kept.is_changed |= !is_as_expected(&class->octaves[octave], found);
  class->octaves[octave] = *found;
  class->octaves[octave].calls = 0;
}

void mpispec_known_orders_expect(int size, uint64_t hints, const struct mpispec_known_key *key,
                                 int octave, const struct mpispec_octave *expected) {
  struct mpispec_known_class *class = find(size, hints, key), **end = &kept.classes;
  if (!class) { /* the file has the newest class first */
    while (*end)
      end = &(*end)->next;
    class = add(end, size, hints, key);
  }
  if (class && !class->octaves[octave].is_known)
    class->octaves[octave] = *expected;
}

const struct mpispec_known_class *mpispec_known_orders_list(void) { return kept.classes; }

/* --- the file ----------------------------------------------------------------------------------*/

void mpispec_known_orders_open(const char *cache) { kept.cache = cache; }

void mpispec_known_orders_close(int is_writer) {
  if (is_writer && kept.is_changed && !kept.is_contradicted)
    mpispec_orders_file_write(kept.cache);
  mpispec_known_orders_free(kept.classes);
  memset(&kept, 0, sizeof kept);
}
