/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ucp_worker_progress. See transport_polls.h.
 *
 * The next definition depends on the caller (caller_definition.h). The results are stored by return
 * address. There are few such addresses. */
#include "interposition/library/transport_polls.h"

#include "interposition/library/caller_definition.h"
#include "progress/library_polls.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef unsigned progress(struct mpispec_ucp_worker *worker);

static progress *find(void *caller) {
  return (progress *)mpispec_definition_for_caller("ucp_worker_progress", caller);
}

/* --- kept by return address --------------------------------------------------------------------*/

enum { SITES = 64 };

/* A pair is written once. `caller` is written last, and read first. */
struct site {
  progress *_Atomic next;
  void *_Atomic caller;
};
static struct site sites[SITES];
static atomic_flag is_written = ATOMIC_FLAG_INIT;

static void keep(struct site *site, void *caller, progress *next) {
  if (atomic_flag_test_and_set_explicit(&is_written, memory_order_acquire))
    return; /* another thread is writing: a later call stores this pair */
  if (!atomic_load_explicit(&site->caller, memory_order_relaxed)) {
    atomic_store_explicit(&site->next, next, memory_order_relaxed);
    atomic_store_explicit(&site->caller, caller, memory_order_release); /* pairs with next_of */
  }
  atomic_flag_clear_explicit(&is_written, memory_order_release);
}

static progress *next_of(void *caller) {
  const uintptr_t address = (uintptr_t)caller;
  for (unsigned i = 0; i < 4; ++i) {
    struct site *site = &sites[((address >> 2 ^ address >> 8) + i) % SITES];
    void *kept = atomic_load_explicit(&site->caller, memory_order_acquire); /* pairs with keep */
    if (kept == caller)
      return atomic_load_explicit(&site->next, memory_order_relaxed);
    if (kept)
      continue;
    progress *next = find(caller);
    if (next)
      keep(site, caller, next);
    return next;
  }
  return find(caller);
}

static _Atomic int are_seen;

int mpispec_transport_polls_are_seen(void) {
  return atomic_load_explicit(&are_seen, memory_order_relaxed);
}

unsigned ucp_worker_progress(struct mpispec_ucp_worker *worker) {
  progress *next = next_of(__builtin_return_address(0));
  if (!next)
    abort(); /* impossible: the caller has a worker, so that UCX is loaded */
  if (!mpispec_transport_polls_are_seen())
    atomic_store_explicit(&are_seen, 1, memory_order_relaxed);
  const unsigned events = next(worker);
  mpispec_library_polled(events);
  return events;
}
