/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See pmpi.h. */
#define _GNU_SOURCE
#include "job/pmpi.h"

#include "abi/library_table.h"

#include <dlfcn.h>
#include <string.h>

struct mpispec_pmpi mpispec_pmpi = {
#define PROFILING(NAME) .NAME = PMPI_##NAME,
#include "job/Profiling.def"
#undef PROFILING
};

/* The table has the library's function. Without a table: if the linker has bound the name to the
 * runtime's function, the library's function is the next one of that name. */
static void find(const char *name, void *const *ours, void *place) {
  void *next = mpispec_table_entry(name);
  if (!next && !memcmp(place, ours, sizeof *ours))
    next = dlsym(RTLD_NEXT, name);
  if (next)
    memcpy(place, &next, sizeof next);
}

void mpispec_pmpi_find(void *const ours[]) {
#define PROFILING(NAME) find("PMPI_" #NAME, ours++, &mpispec_pmpi.NAME);
#include "job/Profiling.def"
#undef PROFILING
}
