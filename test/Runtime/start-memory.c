/* MPI_Init asks for the arena's first pages, because the first long message would wait for them. Where ranks share
 * processors, it does not: these pages take the time of other ranks, and many programs never send a long message. */
#include "check.h"

#include <mpi.h>
#include <string.h>

/* KiB of this process's own pages in segments. */
static long resident(void) {
  char line[512];
  int is_segment = 0;
  long total = 0, rss;
  FILE *file = fopen("/proc/self/smaps", "r");
  CHECK(file);
  while (fgets(line, sizeof line, file)) {
    if (strchr(line, '-') && strchr(line, '-') < strchr(line, ' '))
      is_segment = strstr(line, "/memfd:mpispec") != NULL;
    else if (is_segment && sscanf(line, "Rss: %ld", &rss) == 1)
      total += rss;
  }
  fclose(file);
  return total;
}

int main(int argc, char **argv) {
  enum { ARENA_WARM = 640 }; /* KiB */
  static char sent[1 << 20], received[1 << 20];
  int rank, size;
  MPI_Init(&argc, &argv);
  const long before = resident();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(before >= 4);
  tell(before >= ARENA_WARM ? "arena is populated" : "arena is not populated");
  memset(sent, rank + 1, sizeof sent);
  for (int i = 0; i < 4; ++i)
    MPI_Sendrecv(sent, sizeof sent, MPI_CHAR, (rank + 1) % size, 1, received, sizeof received, MPI_CHAR,
                 (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(received[0] == (rank + size - 1) % size + 1 && !memcmp(received, received + 1, sizeof received - 1));
  MPI_Finalize();
  return passed();
}

// UNSUPPORTED: sanitizer
// RUN: %mpicc -w %s -o %t %runtime
// RUN: %mpirun -n 2 taskset -c 0,1 %t | FileCheck %s --check-prefix=APART
// RUN: %mpirun -n 2 taskset -c 0 %t | FileCheck %s --check-prefix=SHARED
// APART-COUNT-2: arena is populated
// SHARED-NOT: arena is populated
// SHARED-COUNT-2: passed
