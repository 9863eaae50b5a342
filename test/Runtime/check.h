/* The least that a test needs: a check that says where it failed, and a word when all went well. */
#ifndef MPISPEC_TEST_CHECK_H
#define MPISPEC_TEST_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(CONDITION)                                                                           \
  do {                                                                                             \
    if (!(CONDITION)) {                                                                            \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #CONDITION);                      \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

static inline int passed(void) {
  puts("passed");
  return 0;
}

#endif
