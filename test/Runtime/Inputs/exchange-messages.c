/* Each rank sends three megabytes to the next one, in three ways, and checks the received bytes. Prints "right". A
 * first argument names a library to load before MPI_Init, a second one after. The program must run whatever is
 * missing or refused. */
#include "../check.h"

#include <dlfcn.h>
#include <mpi.h>
#include <string.h>

/* Short messages by other functions. */
static void talk(int rank, int size) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  int out = rank, in[2] = {-1, -1};
  MPI_Request requests[2];
  MPI_Irecv(&in[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(in[0] == left);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank)
    MPI_Recv(&in[1], 1, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(&out, 1, MPI_INT, right, 2, MPI_COMM_WORLD);
  if (!rank)
    MPI_Recv(&in[1], 1, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(in[1] == left);
}

int main(int argc, char **argv) {
  int rank, size;
  if (argc > 1 && *argv[1])
    CHECK(dlopen(argv[1], RTLD_NOW | RTLD_LOCAL));
  MPI_Init(&argc, &argv);
  if (argc > 2)
    CHECK(dlopen(argv[2], RTLD_NOW | RTLD_LOCAL));
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int bytes = 3000000, left = (rank + size - 1) % size;
  unsigned char *in = malloc(3000000), *out = malloc(3000000);
  for (int round = 0; round < 3; ++round) {
    MPI_Request request;
    for (int i = 0; i < bytes; ++i)
      out[i] = (unsigned char)(i * 7 + rank + round + (i >> 9));
    memset(in, 0, 3000000);
    MPI_Irecv(in, bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, &request);
    if (round == 1)
      MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(out, bytes, MPI_BYTE, (rank + 1) % size, 0, MPI_COMM_WORLD);
    if (round == 2)
      MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < bytes; ++i)
      CHECK(in[i] == (unsigned char)(i * 7 + left + round + (i >> 9)));
  }
  if (size > 1) /* a rank that sends to itself must receive first */
    talk(rank, size);
  if (rank == 0)
    puts("right");
  MPI_Finalize();
  return 0;
}
