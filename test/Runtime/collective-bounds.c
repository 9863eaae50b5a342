/* MPI reads and writes nothing beyond the buffers that a call describes. Every buffer ends where an inaccessible page
 * begins, and begins behind one. */
#define _GNU_SOURCE
#include "check.h"

#include <mpi.h>
#include <string.h>
#include <sys/mman.h>

static int rank, size;

enum { ROOM = 1 << 22, PAGE = 4096 };

/* `bytes` bytes in front of (or, `behind`, after) a page of nobody's. */
static void *fence(char *room, size_t bytes, int behind) {
  const size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
  CHECK(whole + 2 * PAGE <= ROOM);
  CHECK(!mprotect(room, ROOM, PROT_READ | PROT_WRITE));
  CHECK(!mprotect(room, PAGE, PROT_NONE));
  CHECK(!mprotect(room + PAGE + whole, PAGE, PROT_NONE));
  char *buffer = room + PAGE + (behind ? 0 : whole - bytes);
  memset(buffer, 0, bytes);
  return buffer;
}

static char *rooms[2];

static void use(int count, int behind) {
  const size_t bytes = (size_t)count * sizeof(double), all = bytes * (size_t)size;
  double *in = fence(rooms[0], bytes, behind), *out = fence(rooms[1], bytes, behind);
  for (int i = 0; i < count; ++i)
    in[i] = rank + i;
  MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  CHECK(!count || out[count - 1] == size * (size - 1) / 2 + size * (count - 1));
  MPI_Reduce(in, out, count, MPI_DOUBLE, MPI_MAX, size - 1, MPI_COMM_WORLD);
  MPI_Scan(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(rank ? out : in, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  CHECK(!rank || !count || out[count - 1] == count - 1);
  out = fence(rooms[1], all, behind);
  MPI_Gather(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Allgather(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, MPI_COMM_WORLD);
  CHECK(!count || out[count * size - 1] == size - 1 + count - 1 || !rank);
  in = fence(rooms[0], all, behind);
  MPI_Alltoall(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Alltoall(MPI_IN_PLACE, count, MPI_DOUBLE, out, count, MPI_DOUBLE, MPI_COMM_WORLD);
  out = fence(rooms[1], bytes, behind);
  MPI_Scatter(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  static const int counts[] = {0, 1, 3, 6, 7, 100, 513, 1025, 1500, 5000, 8193, 20000};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 2; ++i)
    rooms[i] = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; ++i)
    for (int behind = 0; behind < 2; ++behind)
      use(counts[i], behind);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w %include %s -I%S -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 6 %t | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t | FileCheck %s %}
// CHECK: passed
