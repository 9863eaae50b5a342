/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* service.h - the three service threads of a rank, and what user threads ask of them.
 *
 *   com   takes requests of user threads and of rec; sends requests for pages, differences and
 *         control messages
 *   rec   is the only thread that receives: answers with pages, requests for pages (given to send),
 *         differences, control messages (given to com)
 *   send  answers requests for pages: a header, then the body
 *
 * An epoch is the time between two synchronisations. A rank may be one epoch ahead of an owner. Its
 * request waits then until the owner follows, because the owner merges at the end of its epoch. */
#ifndef SDSM_SERVICE_H
#define SDSM_SERVICE_H

#include "sdsm.h"

enum sync_kind { SYNC_MERGE, SYNC_DROP, SYNC_KEEP };

void service_open(void);
/* Collective. */
void service_close(void);

/* Asks com for pages that the caller has made PAGE_WANTED: adjacent, of one owner, one access. */
void service_fetch(int first, int count);
/* Returns when all ranks have called it. */
void service_sync(enum sync_kind kind);

#endif
