/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* buffers.h - memory of long messages: how a program writes and reads it, and how much of it no
 * cache holds. Used by bench/long/messages.c and
 * bench/collectives/by-size.c. */
#ifndef BUFFERS_H
#define BUFFERS_H

#include <stddef.h>

/* Columns are blocks of 8 doubles, each followed by as much that belongs to others. */
enum { BUFFERS_BLOCK = 8, BUFFERS_STRIDE = 16 };

/* Zeroed memory whose pages are mapped; a failure ends the job. */
char *buffers_allocate(size_t bytes);

/* Writes or reads `bytes` bytes, a multiple of a block's, all in one piece or as columns. */
void buffers_write(char *at, size_t bytes, int columns);
void buffers_read(const char *at, size_t bytes, int columns);

/* Bytes of a pool that no cache holds, the same for all ranks. Capped so that two pools for each of
 * `ranks` ranks take a quarter of the machine's memory at most. */
size_t buffers_pool(int ranks);

#endif
