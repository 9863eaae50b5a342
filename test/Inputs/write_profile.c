/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* write_profile DIRECTORY [KEY=VALUE[,VALUE...]]... [site=FUNCTION:SYMBOL [KEY=VALUE[,VALUE...]]...]...
 *
 * Writes the profile of a run with exact times. Each value is that of one rank; ranks without one have the last. A
 * tick is a nanosecond. Values of the run: ranks, ticks, in_mpi, cores (masks), online, lanes, began (in ms), program;
 * library=TEXT. Others are a site's. */
#include "profile/profile_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { RANKS = 8 };
static struct {
  struct mpispec_profile_header header;
  struct mpispec_profile_object objects[MPISPEC_PROFILE_OBJECTS];
  struct mpispec_profile_datatype datatypes[MPISPEC_PROFILE_DATATYPES];
  struct mpispec_profile_bin bins[MPISPEC_PROFILE_BINS];
  struct mpispec_profile_site sites[MPISPEC_PROFILE_SITES];
  struct mpispec_profile_peer peers[RANKS];
} file;

/* The part of `values` for the rank. */
static const char *part_of(const char *values, uint32_t rank) {
  for (; rank && strchr(values, ','); --rank)
    values = strchr(values, ',') + 1;
  return values;
}

static uint64_t number_of(const char *values, uint32_t rank) { return strtoull(part_of(values, rank), NULL, 10); }

static void begin_site(struct mpispec_profile_site *site, const char *text, uint32_t index) {
  site->address = index + 1;
  site->offset = index + 1;
  site->waits_for = MPISPEC_WAITS_FOR_ALL;
  snprintf(site->function, sizeof site->function, "%.*s", (int)strcspn(text, ":"), text);
  snprintf(site->symbol, sizeof site->symbol, "%s", strchr(text, ':') ? strchr(text, ':') + 1 : text);
}

/* All calls have the same size; `shortest` is a time of one call. */
static struct mpispec_profile_size *size_of(struct mpispec_profile_site *site) {
  unsigned k = 0;
  for (uint64_t each = site->calls ? site->bytes / site->calls : 0; each; each /= 2)
    ++k;
  struct mpispec_profile_size *size = &site->sizes[k];
  size->calls = site->calls, size->bytes = site->bytes, size->ticks = site->ticks;
  return size;
}

static int set(struct mpispec_profile_site *site, const char *key, uint64_t number) {
#define KEY(NAME, FIELD)                                                                                               \
  if (!strcmp(key, NAME))                                                                                              \
  return site->FIELD = number, 1
  KEY("calls", calls);
  KEY("bytes", bytes);
  KEY("ticks", ticks);
  KEY("longest", most_ticks);
  KEY("waiting", waiting);
  KEY("waits_for", waits_for);
  KEY("fast", paths[MPISPEC_PATH_FAST]);
  KEY("without", paths[MPISPEC_PATH_NO_TEMPLATE]);
  KEY("library", paths[MPISPEC_PATH_NO_LANES]);
  KEY("shortest", sizes[0].least_ticks); /* moved to its size at the end */
  if (!strcmp(key, "root")) {
    site->peers.kept[0].value = (int64_t)number;
    site->peers.kept[0].calls = site->calls;
    return 1;
  }
  return 0;
}

static int set_of_run(struct mpispec_profile_header *h, const char *key, const char *values, uint32_t rank) {
  const uint64_t number = number_of(values, rank);
  if (!strcmp(key, "ranks"))
    h->world_size = (uint32_t)number;
  else if (!strcmp(key, "ticks"))
    h->ticks_last = number;
  else if (!strcmp(key, "in_mpi"))
    h->ticks_in_mpi = number;
  else if (!strcmp(key, "cores"))
    h->core_mask[0] = number;
  else if (!strcmp(key, "online"))
    h->cores_online = (uint32_t)number;
  else if (!strcmp(key, "lanes"))
    h->lanes = (uint32_t)number;
  else if (!strcmp(key, "began")) /* in milliseconds */
    h->began_at = number * 1000000;
  else if (!strcmp(key, "program"))
    snprintf(h->program, sizeof h->program, "%.*s", (int)strcspn(part_of(values, rank), ","), part_of(values, rank));
  else if (!strcmp(key, "library"))
    snprintf(h->library, sizeof h->library, "%s", values);
  else
    return 0;
  return 1;
}

static void begin(struct mpispec_profile_header *h, uint32_t rank) {
  memset(&file, 0, sizeof file);
  memcpy(h->magic, MPISPEC_PROFILE_MAGIC, sizeof h->magic);
  h->order = MPISPEC_PROFILE_ORDER, h->version = MPISPEC_PROFILE_VERSION;
  h->header_bytes = sizeof *h, h->object_bytes = sizeof *file.objects, h->datatype_bytes = sizeof *file.datatypes;
  h->site_bytes = sizeof *file.sites, h->peer_bytes = sizeof *file.peers;
  h->rank = rank, h->world_size = 2, h->objects = 1, h->end = MPISPEC_PROFILE_FINALIZED, h->lanes = 1;
  h->core_mask[0] = (uint64_t)1 << rank, h->cores_online = 8;
  h->ticks_last = 1000000000, h->ticks_in_1024ns = 1024, h->bin_ticks = 10000000;
  strcpy(h->library, "MPICH Version: 4.0.2");
  strcpy(h->node, "node");
  strcpy(h->program, "written");
}

/* False: a word is not understood. */
static int fill(int argc, char **argv, uint32_t rank) {
  struct mpispec_profile_header *h = &file.header;
  struct mpispec_profile_site *site = NULL;
  begin(h, rank);
  for (int i = 2; i < argc; ++i) {
    char key[32];
    const char *values = strchr(argv[i], '=');
    if (!values || (size_t)(values - argv[i]) >= sizeof key)
      return 0;
    snprintf(key, sizeof key, "%.*s", (int)(values - argv[i]), argv[i]);
    ++values;
    if (!strcmp(key, "site"))
      begin_site(site = &file.sites[h->sites], values, h->sites), ++h->sites;
    else if (!(site ? set(site, key, number_of(values, rank)) : set_of_run(h, key, values, rank)))
      return 0;
  }
  for (uint32_t s = 0; s < h->sites; ++s) {
    const uint64_t least = file.sites[s].sizes[0].least_ticks;
    file.sites[s].sizes[0].least_ticks = 0;
    size_of(&file.sites[s])->least_ticks = least;
  }
  return h->world_size <= RANKS;
}

int main(int argc, char **argv) {
  uint32_t ranks = 1;
  if (argc < 2)
    return 2;
  mkdir(argv[1], 0777);
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    char path[512];
    if (!fill(argc, argv, rank))
      return 2;
    ranks = file.header.world_size;
    snprintf(path, sizeof path, "%s/rank-%u.mpispec", argv[1], rank);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(&file, sizeof file - sizeof file.peers + ranks * sizeof *file.peers, 1, out) != 1 || fclose(out))
      return 1;
  }
  return 0;
}
