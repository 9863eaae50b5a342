/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See membarrier.h. */
#include "progress/membarrier.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

int mpispec_membarrier_register(void) {
  return !syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
}

int mpispec_membarrier(void) {
  return !syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}
