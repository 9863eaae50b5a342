/* A message to oneself goes straight to the receive that is posted for it, and is there when the send returns. It
 * does not if other messages come before it. If no receive is posted yet, a long one waits in the sender's buffer,
 * unless the sender waits. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { LARGEST = 300000 };
static const int sizes[] = {1025, 2000, 8192, 8193, 65536, 65537, LARGEST};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static int rank, size;
static unsigned char in[LARGEST + 1], other[LARGEST + 1], out[LARGEST];
static MPI_Request request, second, sent;
static MPI_Status status;

static void fill(int salt) {
  for (int i = 0; i < LARGEST; ++i)
    out[i] = (unsigned char)(rank + salt * 7 + i + (i >> 8));
  memset(in, 0xee, sizeof in);
  memset(other, 0xee, sizeof other);
}

static int has_come(const unsigned char *where, int bytes) {
  return !memcmp(where, out, (size_t)bytes) && where[bytes] == 0xee;
}

static void check_status(int bytes, int tag) {
  int count;
  MPI_Get_count(&status, MPI_BYTE, &count);
  CHECK(count == bytes && status.MPI_SOURCE == rank && status.MPI_TAG == tag);
}

/* Whatever is sent, and however the receive names it. */
static void posted_first(int bytes) {
  typedef int function(const void *, int, MPI_Datatype, int, int, MPI_Comm);
  function *const modes[] = {MPI_Send, MPI_Ssend, MPI_Rsend};
  for (int mode = 0; mode < 3; ++mode)
    for (int wild = 0; wild < 4; ++wild) {
      fill(mode + wild);
      MPI_Irecv(in, LARGEST, MPI_BYTE, wild & 1 ? MPI_ANY_SOURCE : rank, wild & 2 ? MPI_ANY_TAG : 7,
                MPI_COMM_WORLD, &request);
      modes[mode](out, bytes, MPI_BYTE, rank, 7, MPI_COMM_WORLD);
      CHECK(has_come(in, bytes));
      MPI_Wait(&request, &status);
      check_status(bytes, 7);
    }
  fill(9);
  MPI_Irecv(in, bytes, MPI_BYTE, rank, 7, MPI_COMM_WORLD, &request);
  MPI_Isend(out, bytes, MPI_BYTE, rank, 7, MPI_COMM_WORLD, &sent);
  CHECK(has_come(in, bytes));
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  MPI_Wait(&request, &status);
  check_status(bytes, 7);
}

/* Into every other byte of the buffer. */
static void into_a_typemap(int bytes) {
  const int elements = bytes / 2 > LARGEST / 4 ? LARGEST / 4 : bytes / 2;
  MPI_Datatype strided;
  MPI_Type_vector(elements, 1, 2, MPI_BYTE, &strided);
  MPI_Type_commit(&strided);
  fill(1);
  MPI_Irecv(in, 1, strided, rank, 7, MPI_COMM_WORLD, &request);
  MPI_Send(out, elements, MPI_BYTE, rank, 7, MPI_COMM_WORLD);
  MPI_Wait(&request, &status);
  check_status(elements, 7);
  for (int i = 0; i < elements; ++i)
    CHECK(in[2 * i] == out[i] && (i + 1 == elements || in[2 * i + 1] == 0xee));
  MPI_Type_free(&strided);
}

/* Short ones lie in the lane when the long one comes: each gets its own, in the order of sending. */
static void behind_others(int bytes) {
  fill(2);
  MPI_Send(out, 8, MPI_BYTE, rank, 7, MPI_COMM_WORLD);
  MPI_Send(out, 9, MPI_BYTE, rank, 8, MPI_COMM_WORLD);
  MPI_Irecv(other, bytes, MPI_BYTE, rank, 7, MPI_COMM_WORLD, &second);
  MPI_Irecv(in, bytes, MPI_BYTE, rank, 7, MPI_COMM_WORLD, &request);
  MPI_Send(out, bytes, MPI_BYTE, rank, 7, MPI_COMM_WORLD);
  CHECK(has_come(other, 8) && has_come(in, bytes));
  MPI_Wait(&second, &status);
  check_status(8, 7);
  MPI_Wait(&request, &status);
  check_status(bytes, 7);
  MPI_Recv(in, bytes, MPI_BYTE, rank, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  check_status(9, 8);
}

/* The receive that waits wants another tag. */
static void another_waits(int bytes) {
  fill(3);
  MPI_Irecv(in, bytes, MPI_BYTE, rank, 7, MPI_COMM_WORLD, &request);
  MPI_Isend(out, bytes, MPI_BYTE, rank, 8, MPI_COMM_WORLD, &sent);
  CHECK(in[0] == 0xee);
  MPI_Recv(other, bytes, MPI_BYTE, rank, 8, MPI_COMM_WORLD, &status);
  CHECK(has_come(other, bytes) && in[0] == 0xee);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  MPI_Send(out, bytes, MPI_BYTE, rank, 7, MPI_COMM_WORLD);
  MPI_Wait(&request, &status);
  CHECK(has_come(in, bytes));
}

/* A message that is too long is truncated, and the receive returns the error. */
static void too_long(int bytes) {
  int class;
  fill(4);
  MPI_Irecv(in, 1000, MPI_BYTE, rank, 7, MPI_COMM_WORLD, &request);
  MPI_Send(out, bytes, MPI_BYTE, rank, 7, MPI_COMM_WORLD);
  MPI_Error_class(MPI_Wait(&request, &status), &class);
  CHECK(class == MPI_ERR_TRUNCATE && has_come(in, 1000));
}

/* One that is not waited for stays in the sender's buffer. A blocking one must not. */
static void sent_first(int bytes) {
  int over;
  fill(5);
  MPI_Isend(out, bytes, MPI_BYTE, rank, 7, MPI_COMM_WORLD, &sent);
  MPI_Test(&sent, &over, MPI_STATUS_IGNORE);
  CHECK(over == (bytes <= 65536));
  MPI_Recv(in, bytes, MPI_BYTE, rank, 7, MPI_COMM_WORLD, &status);
  CHECK(has_come(in, bytes));
  check_status(bytes, 7);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  if (bytes > 65536)
    return; /* longer ones find no room: such a program is unsafe */
  fill(6);
  MPI_Send(out, bytes, MPI_BYTE, rank, 7, MPI_COMM_WORLD);
  MPI_Recv(in, bytes, MPI_BYTE, rank, 7, MPI_COMM_WORLD, &status);
  CHECK(has_come(in, bytes));
}

static void persistent(int bytes) {
  MPI_Request both[2];
  MPI_Recv_init(in, bytes, MPI_BYTE, rank, 7, MPI_COMM_WORLD, &both[0]);
  MPI_Send_init(out, bytes, MPI_BYTE, rank, 7, MPI_COMM_WORLD, &both[1]);
  for (int round = 0; round < 3; ++round) {
    fill(round);
    MPI_Startall(2, both);
    CHECK(has_come(in, bytes));
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
}

/* With one buffer for both nothing is to be done, unless another message comes first. */
static void replaced(int bytes) {
  fill(7);
  memcpy(in, out, (size_t)bytes);
  MPI_Sendrecv_replace(in, bytes, MPI_BYTE, rank, 7, rank, 7, MPI_COMM_WORLD, &status);
  CHECK(has_come(in, bytes));
  check_status(bytes, 7);
  MPI_Send(out + 1, 100, MPI_BYTE, rank, 7, MPI_COMM_WORLD);
  MPI_Sendrecv_replace(in, 100, MPI_BYTE, rank, 7, rank, 7, MPI_COMM_WORLD, &status);
  CHECK(!memcmp(in, out + 1, 100) && !memcmp(in + 100, out + 100, (size_t)bytes - 100));
  check_status(100, 7);
  MPI_Recv(in, 100, MPI_BYTE, rank, 7, MPI_COMM_WORLD, &status); /* the call that was replaced */
  CHECK(!memcmp(in, out, 100));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int i = 0; i < SIZES; ++i) {
    posted_first(sizes[i]);
    into_a_typemap(sizes[i]);
    behind_others(sizes[i]);
    another_waits(sizes[i]);
    too_long(sizes[i]);
    sent_first(sizes[i]);
    persistent(sizes[i]);
    replaced(sizes[i]);
  }
  MPI_Finalize();
  tell("rank %d of %d did", rank, size);
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 1 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// CHECK: rank 0 of {{[12]}} did
