/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sdsm.h - a page-based shared memory between the ranks of a communicator, on two-sided MPI alone.
 *
 * The design is that of mSMS (Midorikawa, 2018). Shared data lie at the same virtual address in
 * every rank. A page has one owner. Any other rank holds a copy of the page in a bounded cache, or
 * has no access to it. An access then raises SIGSEGV, whose handler fetches the page. Memory is
 * consistent only after the calls that synchronise.
 *
 * The MPI library must provide MPI_THREAD_MULTIPLE. Each rank has three service threads
 * (service.c). The user's threads call no MPI function between sdsm_compute_begin and
 * sdsm_compute_end. An error ends the job by MPI_Abort with a line that names the cause. */
#ifndef SDSM_H
#define SDSM_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

struct sdsm_options {
  size_t region;       /* bytes of shared memory, the sum of all allocations */
  size_t page;         /* bytes of a page, a multiple of the kernel's page */
  size_t cache;        /* bytes of other ranks' pages that a rank keeps at most */
  int threads;         /* user threads of a rank that access shared memory at one time */
  bool second_mapping; /* bodies of pages arrive in a second mapping of the same memory. Otherwise
                          they arrive in place, and computing threads are suspended meanwhile */
  bool awake;          /* com and send poll for tasks, and yield, instead of sleeping */
  bool probe;          /* the receiver sleeps between calls of MPI_Iprobe, instead of MPI_Recv */
};

/* Starts the shared memory. Collective over comm, with equal options. */
void sdsm_open(const struct sdsm_options *options, MPI_Comm comm);
/* Ends it. Collective. */
void sdsm_close(void);

/* Memory of zeros whose pages belong to the rank `owner`. Collective, with equal arguments. */
void *sdsm_alloc(size_t bytes, int owner);

/* An array of zeros with three dimensions, the last one contiguous, divided as a grid of ranks. The
 * extent of a dimension that is not needed is 1. A page belongs to the rank of its first element.
 */
struct sdsm_array {
  char *start;
  size_t element; /* bytes */
  size_t dims[3];
  int divisions[3]; /* their product is the number of ranks at most */
};
/* Collective, with equal arguments. */
struct sdsm_array sdsm_mapalloc(size_t element, const size_t dims[3], const int divisions[3]);
/* The elements [low, high) of one dimension that the part `part` of `divisions` has. */
void sdsm_part(size_t extent, int divisions, int part, size_t *low, size_t *high);

/* Synchronisation: all ranks wait for each other. One thread of each rank calls it, while no other
 * thread of the rank accesses shared memory.
 *
 *                    changed parts of cached pages        cached pages
 * sdsm_barrier       are merged by the owners             become absent
 * sdsm_sync_drop     are thrown away                      become absent
 * sdsm_sync          stay in the cache                    stay */
void sdsm_barrier(void);
void sdsm_sync_drop(void);
void sdsm_sync(void);

/* SDSM_WRITE_ONLY transfers nothing: the caller writes each byte of the pages. */
enum sdsm_access { SDSM_READ, SDSM_WRITE, SDSM_WRITE_ONLY };

/* Fetches absent pages without faults. Adjacent ones of one owner travel in one message. Pages that
 * exceed the cache stay absent. The result is true if all pages are present. */
bool sdsm_preload(const void *start, size_t bytes, enum sdsm_access access);
/* The same for the elements [low[i], high[i]) in each dimension i. */
bool sdsm_preload_array(const struct sdsm_array *array, const size_t low[3], const size_t high[3],
                        enum sdsm_access access);

/* A thread accesses shared memory between these two calls only, and neither allocates memory nor
 * prints nor takes a lock there: it may be suspended. */
void sdsm_compute_begin(void);
void sdsm_compute_end(void);

/* Counts and times in nanoseconds of this rank since sdsm_open, over all threads. */
struct sdsm_counts {
  long faults, fault_ns;     /* accesses that raised SIGSEGV, and the time in the handler */
  long preload_ns;           /* in sdsm_preload */
  long sync_ns;              /* in the calls that synchronise */
  long pages, bodies;        /* pages that arrived, and the messages that carried them */
  long evicted, differences; /* pages that left the full cache; differences sent to owners */
};
struct sdsm_counts sdsm_counts(void);

/* The moments of the last fault of this rank, in nanoseconds of CLOCK_MONOTONIC. */
enum sdsm_moment {
  SDSM_HANDLER,   /* the signal's handler began */
  SDSM_QUEUED,    /* the request was in the queue of the thread com */
  SDSM_REQUESTED, /* com had sent the request */
  SDSM_HEADER,    /* the thread rec had the header of the answer */
  SDSM_OPENED,    /* threads were suspended, and the page was writable */
  SDSM_BODY,      /* the body was in place */
  SDSM_ACCESS,    /* the page had its access */
  SDSM_WOKEN,     /* the faulting thread ran again */
  SDSM_MOMENTS
};
extern long sdsm_moments[SDSM_MOMENTS];

#endif
