/* For programs with Inputs/refuse.c preloaded. */
#ifndef MPISPEC_TEST_REFUSE_H
#define MPISPEC_TEST_REFUSE_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* With fault-one: which memory of other processes the system refuses to this process from now on. */
static void refuse(uint64_t begin, uint64_t length) {
  char text[32];
  snprintf(text, sizeof text, "%llu", (unsigned long long)begin);
  setenv("REFUSE_BEGIN", text, 1);
  snprintf(text, sizeof text, "%llu", (unsigned long long)(begin + length));
  setenv("REFUSE_END", text, 1);
}

/* The number of reads and writes of other processes' memory of which this process was refused a part. */
static inline unsigned refused_so_far(void) {
  const unsigned *number = dlsym(dlopen(NULL, RTLD_LAZY), "refused_copies");
  return number ? *number : 0;
}

#endif
