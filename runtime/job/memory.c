/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See memory.h. */
#include "job/memory.h"

#include "job/fatal.h"

void *mpispec_check_allocation(void *memory) {
  if (memory)
    return memory;
  mpispec_fatal("out of memory");
}
