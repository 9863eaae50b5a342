/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The queries of accelerators' libraries for the kind of memory at an address. */
#ifndef MPISPEC_RUNTIME_ACCELERATOR_QUERY_H
#define MPISPEC_RUNTIME_ACCELERATOR_QUERY_H

/* Finds a function of the library. Returns null if the library is not loaded. */
typedef void *mpispec_find_function(const char *name);

/* One family of libraries. */
struct mpispec_accelerator_family {
  const char *query;    /* its function for the kind of memory */
  const char *files[4]; /* how the names of its files begin; the first has the query */
  /* Nonzero if the byte is host memory. Called with any address. */
  int (*is_host)(mpispec_find_function *find, const void *address);
};

enum { MPISPEC_CUDA, MPISPEC_HIP, MPISPEC_LEVEL_ZERO, MPISPEC_ACCELERATOR_FAMILIES };
extern const struct mpispec_accelerator_family
    mpispec_accelerator_families[MPISPEC_ACCELERATOR_FAMILIES]
    __attribute__((visibility("hidden")));

#endif
