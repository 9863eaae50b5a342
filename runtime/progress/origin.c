/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Wakes targets. See origin.h. */
#include "progress/origin.h"

#include "progress/library_polls.h"

#include <stdatomic.h>

/* The targets of this thread's call. A call in a callback of the library may have other ones. */
static _Thread_local __attribute__((tls_model("initial-exec"))) int current = MPISPEC_NO_TARGET;

int mpispec_origin_begin(int targets) {
  const int outer = current;
  current = targets;
  if (!mpispec_library_polls_are_reported())
    mpispec_origin_asks();
  return outer;
}

void mpispec_origin_end(int outer) { current = outer; }

static _Atomic int epochs; /* of passive target communication */

void mpispec_origin_count_epochs(int change) {
  atomic_fetch_add_explicit(&epochs, change, memory_order_relaxed);
}

int mpispec_origin_has_targets(void) {
  return mpispec_doorbells_used && atomic_load_explicit(&epochs, memory_order_relaxed);
}

void mpispec_origin_note_test(void) {
  enum { ASK_EVERY = 64 };
  static unsigned calls;
  if (mpispec_origin_has_targets() && ++calls % ASK_EVERY == 0)
    mpispec_doorbells_ask(MPISPEC_ALL_TARGETS);
}

void mpispec_origin_asks(void) {
  if (current != MPISPEC_NO_TARGET && mpispec_doorbells_used)
    mpispec_doorbells_ask(current);
}
