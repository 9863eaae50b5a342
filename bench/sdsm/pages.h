/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* pages.h - the state of this rank: mappings, table of pages, cache.
 *
 * Two mappings show the same memory. The user's one has the access that a page's state says. The
 * service threads' one is always writable, and MPI sends pages from there.
 *
 * The lock of the cache protects all fields of struct page. A state other than PAGE_WANTED is also
 * read without the lock: a thread whose access failed reads it again under the lock. */
#ifndef SDSM_PAGES_H
#define SDSM_PAGES_H

#include "sdsm.h"

#include <stdatomic.h>
#include <stdint.h>

enum page_state {
  PAGE_ABSENT, /* no access */
  PAGE_WANTED, /* a request for it is queued or under way; threads sleep on the state word */
  PAGE_READ,
  PAGE_WRITE, /* a cached page that this rank may have changed */
  PAGE_OWN    /* this rank owns it; always writable */
};

struct page {
  _Atomic uint32_t state;    /* enum page_state */
  _Atomic uint32_t sleepers; /* threads that sleep until the page is no longer wanted */
  uint8_t access;            /* enum sdsm_access that the request wants */
  bool whole;                /* every byte counts as changed: there is no twin */
  bool framed;               /* has memory, and stands in the list of cached pages */
  uint16_t owner;
  int twin;           /* index of the copy that the first write made, or NONE */
  int older, younger; /* neighbours in the list of cached pages, or NONE */
};
enum { NONE = -1 };

struct memory {
  struct sdsm_options options;
  MPI_Comm comm;
  int rank, ranks;
  char *user, *service; /* the two mappings */
  int pages;            /* in the region */
  int allocated;        /* pages */
  struct page *page;
  int capacity, frames; /* pages that the cache may have, and has */
  int oldest, youngest; /* the ends of the list of cached pages, or NONE */
  char *twins;          /* capacity pages */
  int *free_twins, free_twin_count;
};
extern struct memory memory;

struct atomic_counts {
  _Atomic long faults, fault_ns, preload_ns, sync_ns, pages, bodies, evicted, differences;
};
extern struct atomic_counts counts;

void memory_open(const struct sdsm_options *options, MPI_Comm comm);
void memory_close(void);

void cache_lock(void);
void cache_unlock(void);

/* The following expect the lock. */

/* Gives a page memory, and makes it the youngest of the cache. `evict` is called for a page that
 * must leave the full cache and has been changed, before its memory goes. */
void cache_admit(int page, void (*send_difference)(int page));
/* Makes a page that has been requested accessible as the request wanted. */
void cache_publish(int first, int count);
/* A page with access for reading becomes writable. */
void cache_make_writable(int page);
/* All cached pages become absent. Their memory stays for the next use. */
void cache_drop(void);
/* Calls `visit` for each cached page that may have been changed. */
void cache_each_changed(void (*visit)(int page));

void set_access(int first, int count, int protection);
char *twin_of(int page);
static inline char *user_page(int page) { return memory.user + page * memory.options.page; }
static inline char *service_page(int page) { return memory.service + page * memory.options.page; }

/* Ends the job. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
long now_ns(void);

/* Sleeps while the word has the value. */
void word_wait(_Atomic uint32_t *word, uint32_t value);
void word_wake(_Atomic uint32_t *word);

/* Sleeps while a page is wanted, without the lock; and wakes those that do. */
void page_wait(int page);
void pages_wake(int first, int count);

#endif
