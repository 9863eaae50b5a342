/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* core.c - a rank's core, for Fortran: see common/cores.h */
#include "cores.h"

#include <unistd.h>

void bind_rank(int rank);
void bind_rank(int rank) {
  if (rank < sysconf(_SC_NPROCESSORS_ONLN))
    bind_to_core(rank);
}
