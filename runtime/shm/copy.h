/* Copies to memory that is in no cache, and lines that go back to their writer. */
#ifndef MPISPEC_RUNTIME_COPY_H
#define MPISPEC_RUNTIME_COPY_H

#include "mpispec/machine.h"

#include <stdint.h>

/* Is so much memory, which may be written, in a cache of this core? A guess. */
int mpispec_copy_is_cached(unsigned char *memory, int64_t length);

/* To be called for shared memory that this core has read and another core will write next. Writes
 * to each of its lines, whatever that does to the bytes: where lines migrate, a writer waits for
 * one that its reader has only read five times as long as for one that it has written, too (EPYC
 * 9005: 28 ns a line and 5 between distant cores, 5 and 1.5 between near ones). Elsewhere does
 * nothing. */
static inline __attribute__((always_inline)) void mpispec_lines_leave(void *bytes, int64_t length) {
  enum { LINE = 64 };
  if (!mpispec_lines_migrate())
    return;
  for (int64_t at = 0; at < length; at += LINE)
    *((volatile unsigned char *)bytes + at) = 0;
}

/* Copies into shared memory that another core will read, and out of it. `uncached`: the memory that
 * the bytes go to is in no cache of this core. Then by vector instructions, for which the processor
 * fetches what they will write. Where it copies a string (memcpy) it does not: one-way messages of
 * 1 and 4 MiB then take twice as long (EPYC 9005). Where the memory is in a cache, memcpy is 5 to
 * 20 % faster there. */
void mpispec_copy_in(void *to, const void *from, int64_t length);
void mpispec_copy_out(void *to, const void *from, int64_t length, int64_t message, int uncached);

/* Copies bytes that another core has just written, of a message of `message` bytes, to memory that
 * may be in a cache. A processor that fetches the lines late when it copies a string gets
 * prefetches of each page while it copies the page before, unless the message is too long for the
 * caches. */
void mpispec_copy_from_peer(void *to, const void *from, int64_t length, int64_t message);

#endif
