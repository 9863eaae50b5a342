/* See memory.h. */
#include "job/memory.h"

#include <stdio.h>
#include <stdlib.h>

void *mpispec_must_have(void *memory) {
  if (memory)
    return memory;
  fprintf(stderr, "mpispec: out of memory\n");
  abort();
}
