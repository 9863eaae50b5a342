/* Ranks that share a processor send messages of up to 4 MiB in blocks, if two copies cost less than the system calls,
 * and up to 512 KiB if they are more than 16. Such a send is complete at once. Longer messages and those beyond the
 * limit of lent bytes wait for their receive. So do messages of more than 64 KiB where each rank has a processor, or
 * where the system calls cost less. The arguments are the numbers of messages of 1 MiB and of 512 KiB that are complete
 * before they are received. */
#include "check.h"
#include "p2p/block.h"
#include "p2p/traffic.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { MIB = 1 << 20, LONGEST = 4 * MIB, MOST = 12 };
static unsigned char out[MOST][LONGEST + 1], in[LONGEST + 2];
static int rank;

static void fill(unsigned char *bytes, int length, int seed) {
  for (int i = 0; i < length; ++i)
    bytes[i] = (unsigned char)(i * 7 + i / 251 + seed);
}

/* Rank 0 begins `count` sends, while rank 1 receives nothing. Returns how many were complete. */
static int send_ahead(int count, int length) {
  MPI_Request requests[MOST];
  int complete = 0;
  for (int k = 0; k < count; ++k) {
    fill(out[k], length, k);
    const size_t before = mpispec_rendezvous_under_way;
    MPI_Isend(out[k], length, MPI_BYTE, 1, k, MPI_COMM_WORLD, &requests[k]);
    if (mpispec_rendezvous_under_way == before) {
      ++complete;
      memset(out[k], 0, (size_t)length); /* the buffer is free */
    }
  }
  MPI_Send(NULL, 0, MPI_BYTE, 1, MOST, MPI_COMM_WORLD);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  return complete;
}

static void receive_late(int count, int length) {
  MPI_Recv(NULL, 0, MPI_BYTE, 0, MOST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int k = count - 1; k >= 0; --k) { /* the last one first */
    MPI_Status status;
    int received;
    memset(in, 0xee, (size_t)length + 1);
    MPI_Recv(in, length + 1, MPI_BYTE, 0, k, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &received);
    CHECK(received == length && in[length] == 0xee);
    for (int i = 0; i < length; ++i)
      CHECK(in[i] == (unsigned char)(i * 7 + i / 251 + k));
  }
}

static void try(int count, int length, int expected) {
  if (rank == 0) {
    const int complete = send_ahead(count, length);
    if (complete != expected)
      tell("%d of %d messages of %d B, not %d", complete, count, length, expected);
    CHECK(complete == expected);
  } else if (rank == 1) {
    receive_late(count, length);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* A truncated message in a block frees the block, and the next one is whole. */
static void truncated(void) {
  if (rank == 0) {
    fill(out[0], MIB, 3);
    MPI_Send(out[0], MIB, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Send(out[0], MIB, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
  } else if (rank == 1) {
    int class;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    memset(in, 0xee, sizeof in);
    const int error = MPI_Recv(in, 1000, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Error_class(error, &class);
    CHECK(class == MPI_ERR_TRUNCATE && in[1000] == 0xee);
    MPI_Recv(in, MIB, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < MIB; ++i)
      CHECK(in[i] == (unsigned char)(i * 7 + i / 251 + 3));
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK(argc == 3);
  const int at_once = atoi(argv[1]), halves_at_once = atoi(argv[2]);
  for (int round = 0; round < 3; ++round) { /* returned blocks are lent again */
    try(MOST, MIB, at_once);
    try(MOST, MIB - 4096, at_once);
    try(MOST, MIB / 2, halves_at_once);
    try(2, LONGEST, at_once / 4);
    try(2, LONGEST + 1, 0);
    try(MOST, 64 * 1024, MOST);
  }
  truncated();
  MPI_Finalize();
  if (rank == 0)
    passed();
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// DEFINE: %{run} = env MPISPEC_MODE=lanes MPISPEC_CACHE=off
// RUN: %{run} MPISPEC_LONG_MESSAGES=pipe %mpirun -n 2 taskset -c 0 %t 4 8 | FileCheck %s
// RUN: %{run} MPISPEC_LONG_MESSAGES=pipe %mpirun -n 17 taskset -c 0 %t 0 8 | FileCheck %s
// RUN: %{run} MPISPEC_LONG_MESSAGES=shared %mpirun -n 2 taskset -c 0 %t 0 0 | FileCheck %s
// RUN: %{run} MPISPEC_LONG_MESSAGES=pipe %mpirun -n 2 taskset -c 0,1 %t 0 0 | FileCheck %s
// CHECK: passed
