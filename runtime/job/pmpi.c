/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See pmpi.h. */
#define _GNU_SOURCE
#include "job/pmpi.h"

#include <dlfcn.h>
#include <string.h>

struct mpispec_pmpi mpispec_pmpi = {
#define PROFILING(NAME) .NAME = PMPI_##NAME,
#include "job/Profiling.def"
#undef PROFILING
};

/* If the linker has bound the name to the runtime's function, the library's function is the next
 * one of that name. */
static void find(const char *name, void *const *ours, void *place) {
  if (memcmp(place, ours, sizeof *ours))
    return;
  void *next = dlsym(RTLD_NEXT, name);
  if (next)
    memcpy(place, &next, sizeof next);
}

void mpispec_pmpi_find(void *const ours[]) {
#define PROFILING(NAME) find("PMPI_" #NAME, ours++, &mpispec_pmpi.NAME);
#include "job/Profiling.def"
#undef PROFILING
}
