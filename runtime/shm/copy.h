/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies between ranks: their method depends on how the processor fetches lines that another core
 * has written, and on some processors on whether the target is cached. */
#ifndef MPISPEC_RUNTIME_COPY_H
#define MPISPEC_RUNTIME_COPY_H

#include "mpispec/machine.h"

#include <stdint.h>

/* Estimates whether `length` bytes at `memory` are in a cache, by the time in which some of their
 * lines arrive. The memory must be writable: the function writes these lines, without changing the
 * bytes. */
int mpispec_copy_is_cached(unsigned char *memory, int64_t length);

/* Nonzero if the stores of a message of `length` bytes into `target` should pass the caches
 * (mpispec_stores_pass_caches). They should not if the target is in a cache. */
int mpispec_copy_passes_caches(unsigned char *target, int64_t length);

/* Called for shared memory that this core has read and another core will write next. The contents
 * are lost, because the function writes to each line. Some processors migrate lines that two cores
 * write in turn (mpispec_has_migratory_sharing). On these processors, the next write takes much
 * longer if the reader has only read the line. On other processors the function does nothing. */
static inline __attribute__((always_inline)) void mpispec_lines_release(void *bytes,
                                                                        int64_t length) {
  enum { LINE = 64 };
  if (!mpispec_has_migratory_sharing())
    return;
  for (int64_t at = 0; at < length; at += LINE)
    *((volatile unsigned char *)bytes + at) = 0;
}

/* Copies into shared memory that another core will read, and out of it. `message` is the length of
 * the whole message. `passes_caches` is the result of mpispec_copy_passes_caches for it. */
void mpispec_copy_in(void *to, const void *from, int64_t length);
void mpispec_copy_out(void *to, const void *from, int64_t length, int64_t message,
                      int passes_caches);

/* Copies `length` bytes that another core has just written, out of a message of `message` bytes.
 * The target may be in a cache. Some processors fetch lines late when they copy by string
 * instructions. There, the function prefetches each page while it copies the page before, or copies
 * several pages at once if the message is longer. */
void mpispec_copy_from_peer(void *to, const void *from, int64_t length, int64_t message);

#endif
