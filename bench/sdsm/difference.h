/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* difference.h - the changed bytes of a page, and those that an owner has not merged yet.
 *
 * A difference is a bitmap with a bit for each byte of the page, and the changed bytes in order.
 * Therefore two ranks may change neighbouring bytes of one page. */
#ifndef SDSM_DIFFERENCE_H
#define SDSM_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>

/* The largest difference of a page of so many bytes. */
size_t difference_limit(size_t page_bytes);
/* Writes the difference between `old` and `now` to `out`; every byte counts as changed if `old` is
 * NULL. Returns its bytes. `page_bytes` is a multiple of 8. */
size_t difference_make(const char *old, const char *now, size_t page_bytes, char *out);
void difference_apply(const char *difference, size_t page_bytes, char *page);

/* Differences that arrived and that this owner has not merged. A rank that loses the same page
 * several times between two synchronisations has one entry. */
void pending_open(void);
void pending_close(void);
void pending_add(int page, int rank, int epoch, const char *difference);
/* True if there is a difference of the rank for one of the pages. */
bool pending_has(int first, int count, int rank);
/* Applies those of one rank for one page to a copy of the page, and keeps them. */
void pending_apply(int page, int rank, char *copy);
/* Merges (or throws away) those of epochs up to `epoch`. */
void pending_finish(int epoch, bool merge);

#endif
