/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See fatal.h. The function is set from outside, so that tests can link this file without MPI. */
#include "job/fatal.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void (*end)(void);

void mpispec_fatal_ends_by(void (*end_job)(void)) { end = end_job; }

void mpispec_fatal(const char *reason) {
  fprintf(stderr, "mpispec: %s\n", reason);
  /* Hydra loses output that it has not read when the job ends. Without this pause, 1 of 15 messages
   * was lost. */
  nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
  if (end)
    end();
  abort();
}
