/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The memory that a message goes to, filled piece by piece. */
#ifndef MPISPEC_RUNTIME_TARGET_H
#define MPISPEC_RUNTIME_TARGET_H

#include "datatype/typemap.h"

#include <stdint.h>

/* Memory that received bytes go to: contiguous, or by a typemap. */
struct mpispec_target {
  unsigned char *bytes;
  struct mpispec_cursor *cursor; /* or null */
};

/* Stores the next `length` bytes of a message of `message` bytes. */
void mpispec_target_put(struct mpispec_target *target, const void *bytes, int64_t length,
                        int64_t message);

#endif
