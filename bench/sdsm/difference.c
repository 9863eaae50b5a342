/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "difference.h"

#include "pages.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

size_t difference_limit(size_t page_bytes) { return page_bytes / 8 + page_bytes; }

size_t difference_make(const char *old, const char *now, size_t page_bytes, char *out) {
  unsigned char *bitmap = (unsigned char *)out;
  char *bytes = out + page_bytes / 8;
  memset(bitmap, old ? 0 : 0xff, page_bytes / 8);
  if (!old) {
    memcpy(bytes, now, page_bytes);
    return difference_limit(page_bytes);
  }
  for (size_t i = 0; i < page_bytes; i += 8) {
    if (memcmp(old + i, now + i, 8) == 0)
      continue;
    for (size_t k = 0; k < 8; ++k)
      if (old[i + k] != now[i + k]) {
        bitmap[i / 8] |= (unsigned char)(1u << k);
        *bytes++ = now[i + k];
      }
  }
  return (size_t)(bytes - out);
}

void difference_apply(const char *difference, size_t page_bytes, char *page) {
  const unsigned char *bitmap = (const unsigned char *)difference;
  const char *bytes = difference + page_bytes / 8;
  for (size_t i = 0; i < page_bytes; i += 8) {
    if (bitmap[i / 8] == 0xff) {
      memcpy(page + i, bytes, 8);
      bytes += 8;
      continue;
    }
    for (size_t k = 0; bitmap[i / 8] >> k; ++k)
      if (bitmap[i / 8] >> k & 1)
        page[i + k] = *bytes++;
  }
}

/* The changes of one rank in one page and in one epoch: a bit and a byte for each byte. */
struct pending {
  struct pending *next; /* for the same page, in order of arrival */
  int rank, epoch;
  char *changed; /* the bitmap, and the page behind it */
};
static struct pending **pending_of; /* by page */
/* rec adds, send and com read. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void pending_open(void) {
  pending_of = calloc((size_t)memory.pages, sizeof(struct pending *));
  if (!pending_of)
    die("no memory for the lists of differences of %d pages", memory.pages);
}

void pending_close(void) {
  pending_finish(INT_MAX, false);
  free(pending_of);
}

/* Where the difference belongs: a new one at the end of the page's list if there is none. */
static struct pending *pending_for(int page, int rank, int epoch) {
  struct pending **link = &pending_of[page];
  for (; *link; link = &(*link)->next)
    if ((*link)->rank == rank && (*link)->epoch == epoch)
      return *link;
  struct pending *new = malloc(sizeof *new);
  char *changed = calloc(1, difference_limit(memory.options.page));
  if (!new || !changed)
    die("no memory for a difference of page %d", page);
  *new = (struct pending){NULL, rank, epoch, changed};
  return *link = new;
}

void pending_add(int page, int rank, int epoch, const char *difference) {
  const size_t page_bytes = memory.options.page;
  pthread_mutex_lock(&lock);
  char *changed = pending_for(page, rank, epoch)->changed;
  for (size_t i = 0; i < page_bytes / 8; ++i)
    changed[i] |= difference[i];
  difference_apply(difference, page_bytes, changed + page_bytes / 8);
  pthread_mutex_unlock(&lock);
}

/* Copies the changed bytes to `page`. */
static void put_changes(const char *changed, char *page) {
  const size_t page_bytes = memory.options.page;
  const char *from = changed + page_bytes / 8;
  for (size_t i = 0; i < page_bytes; ++i)
    if ((unsigned char)changed[i / 8] >> i % 8 & 1)
      page[i] = from[i];
}

bool pending_has(int first, int count, int rank) {
  bool found = false;
  pthread_mutex_lock(&lock);
  for (int page = first; page < first + count; ++page)
    for (const struct pending *p = pending_of[page]; p && !found; p = p->next)
      found = p->rank == rank;
  pthread_mutex_unlock(&lock);
  return found;
}

void pending_apply(int page, int rank, char *copy) {
  pthread_mutex_lock(&lock);
  for (const struct pending *p = pending_of[page]; p; p = p->next)
    if (p->rank == rank)
      put_changes(p->changed, copy);
  pthread_mutex_unlock(&lock);
}

static void finish_page(int page, int epoch, bool merge) {
  struct pending **link = &pending_of[page];
  while (*link) {
    struct pending *p = *link;
    if (p->epoch > epoch) {
      link = &p->next;
      continue;
    }
    if (merge)
      put_changes(p->changed, service_page(page));
    *link = p->next;
    free(p->changed);
    free(p);
  }
}

void pending_finish(int epoch, bool merge) {
  pthread_mutex_lock(&lock);
  for (int page = 0; page < memory.pages; ++page)
    if (pending_of[page])
      finish_page(page, epoch, merge);
  pthread_mutex_unlock(&lock);
}
