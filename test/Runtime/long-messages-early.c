/* A standard send of a long message is complete when all its bytes are in the pipe, even before there is a receive.
 * The message then does not change with the program's buffer, and a rank may leave before the receiver has read. A
 * synchronous send waits for the receive. */
#include "long-message.h"
#include "p2p/rendezvous.h"

enum { BYTES = 128 * KIB, ROUNDS = 40, WAIT = 20000 };

static unsigned char bytes[BYTES];

static void fill(int seed) {
  for (int i = 0; i < BYTES; ++i)
    bytes[i] = (unsigned char)(seed * 31 + i * 7 + (i >> 9));
}

static void check(int seed, int length) {
  for (int i = 0; i < length; ++i)
    CHECK(bytes[i] == (unsigned char)(seed * 31 + i * 7 + (i >> 9)));
}

static void overwrite(void) { memset(bytes, 0xee, sizeof bytes); }

/* The receiver comes late, so that the buffer has other bytes by then. Every third receive is too short. */
static void standard_sends(void) {
  for (int i = 0; i < ROUNDS; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
      fill(i);
      MPI_Send(bytes, BYTES, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
      overwrite();
    } else {
      usleep(WAIT / 10);
      MPI_Status status;
      int room = i % 3 ? BYTES : BYTES / 2 + 5, length;
      overwrite();
      MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
      const int error = MPI_Recv(bytes, room, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &status);
      MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
      CHECK((error == MPI_SUCCESS) == (room == BYTES));
      MPI_Get_count(&status, MPI_BYTE, &length);
      CHECK(error || length == BYTES);
      check(i, room);
    }
  }
}

/* Several under way, in order, by requests that the sender has freed or waits for. */
static void nonblocking_sends(void) {
  static unsigned char window[4][BYTES];
  MPI_Request requests[4];
  for (int i = 0; i < ROUNDS; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    for (int j = 0; j < 4; ++j) {
      fill(i + j);
      memcpy(window[j], bytes, BYTES);
      if (rank == 0)
        MPI_Isend(window[j], BYTES, MPI_BYTE, 1, 2, MPI_COMM_WORLD, &requests[j]);
    }
    if (rank == 0)
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    memset(window, 0xee, sizeof window);
    for (int j = 0; rank == 1 && j < 4; ++j) {
      MPI_Recv(bytes, BYTES, MPI_BYTE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check(i + j, BYTES);
    }
  }
}

/* Returns whether a send of that mode was over before its receive was there. */
static int is_over_early(int is_synchronous) {
  MPI_Request request;
  int done = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    if (is_synchronous)
      MPI_Issend(bytes, BYTES, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &request);
    else
      MPI_Isend(bytes, BYTES, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 1000 && !done; ++i)
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_BYTE, 1, 4, MPI_COMM_WORLD);
    if (!done)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(NULL, 0, MPI_BYTE, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(bytes, BYTES, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return done;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  long_messages_begin();
  standard_sends();
  nonblocking_sends();
  const int early = is_over_early(0), synchronous_early = is_over_early(1);
  CHECK(!synchronous_early);
  /* The last one: its receiver reads after the sender has entered MPI_Finalize. */
  if (rank == 0) {
    fill(1);
    MPI_Send(bytes, BYTES, MPI_BYTE, 1, 5, MPI_COMM_WORLD);
    overwrite();
  } else {
    usleep(WAIT);
    MPI_Recv(bytes, BYTES, MPI_BYTE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(1, BYTES);
  }
  MPI_Finalize();
  long_messages_end();
  if (rank == 0)
    tell("passed, %s", early ? "early" : "late");
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// DEFINE: %{long} = env MPISPEC_MODE=lanes MPISPEC_LONG_MESSAGES
// RUN: %{long}=pipe %mpirun -n 2 %t | FileCheck %s --check-prefix=PIPE
// RUN: %{long}=shared %mpirun -n 2 %t | FileCheck %s --check-prefix=SHARED
// PIPE: passed, early
// SHARED: passed, late
