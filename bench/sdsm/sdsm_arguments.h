/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sdsm_arguments.h - the options that the programs of bench/sdsm share.
 *
 *   --page BYTES  --cache BYTES  --threads N  --second-mapping  --awake  --probe
 *   --size NX NY NZ  --steps N  --block N  --verify   (the stencils) */
#ifndef SDSM_ARGUMENTS_H
#define SDSM_ARGUMENTS_H

#include "sdsm.h"

struct arguments {
  struct sdsm_options sdsm;
  size_t size[3]; /* points along z, y, x */
  int steps;
  int block; /* time steps of a time block */
  bool verify;
};

/* Starts MPI and reads the options from argv[first] on. Ends the job with the usage if they are
 * wrong. */
struct arguments arguments_begin(int argc, char **argv, int first, const char *words);

/* Prints the usage, with `words` before the options, and ends the job. */
_Noreturn void arguments_usage(const char *program, const char *words);

#endif
