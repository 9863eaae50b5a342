/* Programs that end only if receives go on while their rank is elsewhere. */
#include "check.h"

#include <mpi.h>
#include <string.h>

static int rank, size;
static char in[1 << 21], out[1 << 21];

/* A synchronous send against a receive whose rank sits in a collective. */
static void receive_in_barrier(int bytes, int source) {
  MPI_Request request;
  memset(out, bytes & 0x7f, (size_t)bytes);
  if (rank == 1)
    MPI_Irecv(in, bytes, MPI_BYTE, source, 1, MPI_COMM_WORLD, &request);
  if (rank == 0)
    MPI_Ssend(out, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(!bytes || in[bytes - 1] == (char)(bytes & 0x7f));
  }
}

/* The same while a window and a communicator are made. */
static void receive_in_constructors(void) {
  MPI_Request request;
  MPI_Comm copy;
  MPI_Win window;
  if (rank == 1)
    MPI_Irecv(in, 1 << 20, MPI_BYTE, 0, 2, MPI_COMM_WORLD, &request);
  if (rank == 0)
    MPI_Ssend(out, 1 << 20, MPI_BYTE, 1, 2, MPI_COMM_WORLD);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (rank == 1)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 1)
    MPI_Irecv(in, 8, MPI_BYTE, 0, 3, copy, &request);
  if (rank == 0)
    MPI_Ssend(out, 8, MPI_BYTE, 1, 3, copy);
  MPI_Win_create(in, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  if (rank == 1)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&copy);
}

/* A ring of blocking long sends, receives posted. */
static void ring(void) {
  MPI_Request request;
  MPI_Irecv(in, 1 << 20, MPI_BYTE, (rank + size - 1) % size, 4, MPI_COMM_WORLD, &request);
  MPI_Send(out, 1 << 20, MPI_BYTE, (rank + 1) % size, 4, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Long sends to all, completed in another order than they are received in. */
static void fan(void) {
  enum { MANY = 24 };
  MPI_Request requests[MANY];
  if (rank == 0) {
    for (int i = 0; i < MANY; ++i)
      MPI_Isend(out, 200000 + i, MPI_BYTE, 1 + i % (size - 1), i, MPI_COMM_WORLD, &requests[i]);
    for (int i = MANY - 1; i >= 0; --i)
      MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  } else {
    for (int i = MANY - 1; i >= 0; --i)
      if (1 + i % (size - 1) == rank)
        MPI_Recv(in, 1 << 20, MPI_BYTE, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/* Sends that only their own unfinished peers could unblock: to a rank that itself sends. */
static void crossing(void) {
  const int peer = rank ^ 1;
  MPI_Request requests[2];
  if (peer >= size)
    return;
  MPI_Issend(out, 1 << 20, MPI_BYTE, peer, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(in, 1 << 20, MPI_BYTE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[1]);
  int done = 0;
  while (!done)
    MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
}

/* Receives read the memory of a sender that does not come back to MPI before they are over. Their turn has come, or
 * others are before them. */
static void away(const char *file, int all) {
  enum { MANY = 5, BYTES = 300000 };
  MPI_Request requests[MANY];
  if (rank == 0) {
    remove(file);
    for (int i = 0; i < MANY; ++i)
      MPI_Isend(out + i, BYTES, MPI_BYTE, 1, 8, MPI_COMM_WORLD, &requests[i]);
    while (access(file, F_OK))
      usleep(1000);
  } else {
    for (int i = 0; i < MANY; ++i)
      MPI_Irecv(in + i * BYTES, BYTES, MPI_BYTE, 0, 8, MPI_COMM_WORLD, &requests[i]);
  }
  if (rank == 0 || all)
    MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
  else
    for (int i = MANY - 1; i >= 0; --i)
      MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  if (rank == 1) {
    for (int i = 0; i < MANY; ++i)
      CHECK(!memcmp(in + i * BYTES, out + i, BYTES));
    fclose(fopen(file, "w"));
  }
}

/* While rank 0 waits at a lane, its long send to another node must go on, or nobody ever ends. */
static void across(void) {
  MPI_Request request;
  int word = 0;
  if (size < 3)
    return;
  if (rank == 0) {
    MPI_Isend(out, 1 << 20, MPI_BYTE, 1, 6, MPI_COMM_WORLD, &request);
    MPI_Recv(&word, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(in, 1 << 20, MPI_BYTE, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&word, 1, MPI_INT, 2, 7, MPI_COMM_WORLD);
  } else if (rank == 2) {
    MPI_Recv(&word, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&word, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int sizes[] = {0, 8, 1000, 5000, 100000, 2000000};
  for (int i = 0; i < 6; ++i) {
    receive_in_barrier(sizes[i], 0);
    receive_in_barrier(sizes[i], MPI_ANY_SOURCE);
  }
  receive_in_constructors();
  ring();
  fan();
  crossing();
  across();
  for (int i = 0; i < 4 && size == 2; ++i) {
    char file[200];
    snprintf(file, sizeof file, "%s.%d", argv[1], i);
    memset(out, i + 1, 100000);
    MPI_Barrier(MPI_COMM_WORLD);
    away(file, i % 2);
  }
  /* A message that nobody reads must not keep anybody (between nodes, it does keep MPICH). */
  if (rank == 0)
    MPI_Send(out, 50000, MPI_BYTE, size > 3 ? 2 : 1, 99, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0)
    puts("all came through");
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t %t.came | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t | FileCheck %s %}
// CHECK: all came through
