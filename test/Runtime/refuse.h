/* For Inputs/refuse.c with fault-one: which memory of other processes the system refuses to this process from now on. */
#ifndef MPISPEC_TEST_REFUSE_H
#define MPISPEC_TEST_REFUSE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void refuse(uint64_t begin, uint64_t length) {
  char text[32];
  snprintf(text, sizeof text, "%llu", (unsigned long long)begin);
  setenv("REFUSE_BEGIN", text, 1);
  snprintf(text, sizeof text, "%llu", (unsigned long long)(begin + length));
  setenv("REFUSE_END", text, 1);
}

#endif
