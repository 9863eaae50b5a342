/* The least that a test needs: a check that says where it failed, and a word when all went well. */
#ifndef MPISPEC_TEST_CHECK_H
#define MPISPEC_TEST_CHECK_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CHECK(CONDITION)                                                                           \
  do {                                                                                             \
    if (!(CONDITION)) {                                                                            \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #CONDITION);                      \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

/* Prints a line in one piece, whole among those of other ranks. */
__attribute__((format(printf, 1, 2))) static inline void tell(const char *format, ...) {
  char line[1000];
  va_list rest;
  va_start(rest, format);
  const int length = vsnprintf(line, sizeof line - 1, format, rest);
  va_end(rest);
  line[length] = '\n';
  CHECK(write(STDOUT_FILENO, line, (size_t)length + 1) == length + 1);
}

static inline int passed(void) {
  tell("passed");
  return 0;
}

#endif
