/* Calls that test an operation of the MPI library make progress with the runtime's messages, and the reverse. In each case, one
 * side ends only after the other has made progress. */
#include "check.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank;

/* Rank 1 sends before it completes the window's epoch, and waits until the message is received. */
static void window(void) {
  int word = 0, flag = 0, *memory;
  const int peer = 1 - rank;
  MPI_Win win;
  MPI_Group all, other;
  MPI_Request request;
  MPI_Win_allocate(sizeof word, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &peer, &other);
  if (rank == 0) {
    MPI_Irecv(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    MPI_Win_post(other, 0, win);
    while (!flag)
      MPI_Win_test(win, &flag);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(word == 7);
  } else {
    word = 7;
    MPI_Ssend(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Win_start(other, 0, win);
    MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
  }
  MPI_Group_free(&all);
  MPI_Group_free(&other);
  MPI_Win_free(&win);
}

/* Rank 0 waits for a word in its window. Rank 1 sets it after a long message, whose receive needs rank 0. Over MPICH 4.0.2
 * the program hangs, plain or not: its MPI_Win_sync makes no progress, which the accumulate needs. */
#ifdef OPEN_MPI
static void word(void) {
  enum { BYTES = 1 << 21 };
  int set = 1, *memory;
  char *bytes = calloc(BYTES, 1);
  MPI_Win win;
  MPI_Request request;
  MPI_Win_allocate(sizeof set, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_lock_all(0, win);
  *memory = 0;
  MPI_Win_sync(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Irecv(bytes, BYTES, MPI_BYTE, 1, 6, MPI_COMM_WORLD, &request);
    while (!*(volatile int *)memory)
      MPI_Win_sync(win);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(bytes[BYTES - 1] == 3);
  } else {
    memset(bytes, 3, BYTES);
    MPI_Send(bytes, BYTES, MPI_BYTE, 0, 6, MPI_COMM_WORLD);
    MPI_Accumulate(&set, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  free(bytes);
}
#endif

/* The same with a partitioned receive. */
static void partition(void) {
#if MPI_VERSION >= 4
  double data[4] = {0};
  int word = 0, flag = 0;
  MPI_Request parts, request;
  if (rank == 0) {
    MPI_Precv_init(data, 2, 2, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &parts);
    MPI_Start(&parts);
    MPI_Irecv(&word, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
    while (!flag)
      MPI_Parrived(parts, 0, &flag);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(word == 8);
  } else {
    word = 8;
    MPI_Psend_init(data, 2, 2, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &parts);
    MPI_Start(&parts);
    MPI_Ssend(&word, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    MPI_Pready(0, parts);
    MPI_Pready(1, parts);
  }
  MPI_Wait(&parts, MPI_STATUS_IGNORE);
  MPI_Request_free(&parts);
#endif
}

/* Rank 1 sends when its part of the file is written, in which rank 0 must take part. `last` is the place of the file's
 * request in the array. */
static void file(const char *name, int how, int last) {
  enum { INTS = 40000 };
  static int data[INTS];
  int word = 0, flag = 0;
  MPI_File file;
  MPI_Datatype blocks;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
  MPI_Type_vector(INTS / 4, 4, 8, MPI_INT, &blocks);
  MPI_Type_commit(&blocks);
  MPI_File_set_view(file, 16 * rank, MPI_INT, blocks, "native", MPI_INFO_NULL);
  if (rank == 0)
    MPI_Irecv(&word, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &requests[!last]);
  MPI_File_iwrite_all(file, data, INTS, MPI_INT, &requests[last]);
  if (rank == 0) {
    if (how == 0)
      MPI_Waitall(2, requests, statuses);
    while (how == 1 && !flag)
      MPI_Testall(2, requests, &flag, statuses);
#if MPI_VERSION * 10 + MPI_SUBVERSION >= 41
    while (how == 2 && !flag)
      MPI_Request_get_status_all(2, requests, &flag, statuses);
#endif
    if (how == 2)
      MPI_Waitall(2, requests, statuses);
    CHECK(word == how + 5 && statuses[!last].MPI_TAG == 4);
    CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
  } else {
    word = how + 5;
    MPI_Wait(&requests[last], MPI_STATUS_IGNORE);
    MPI_Send(&word, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
  }
  MPI_Type_free(&blocks);
  MPI_File_close(&file);
}

/* --- generalized requests ----------------------------------------------------------------------*/

static int query(void *fails, MPI_Status *status) {
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
  return fails ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int release(void *freed) {
  (void)freed;
  return MPI_SUCCESS;
}

static int cancel(void *unused, int complete) {
  (void)unused, (void)complete;
  return MPI_SUCCESS;
}

/* One of the library's requests is complete, another one fails, and the message has not come. MPI_Testall may report the failure
 * at once or at the end. The other requests stay usable. */
static void failing(void) {
  int word = 0, flag = 0;
  MPI_Request requests[3];
  MPI_Status statuses[3];
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) {
    MPI_Irecv(&word, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Grequest_start(query, release, cancel, NULL, &requests[1]);
    MPI_Grequest_start(query, release, cancel, requests, &requests[2]);
    MPI_Grequest_complete(requests[1]);
    MPI_Grequest_complete(requests[2]);
    int failures = 0;
    for (int i = 0; i < 100000 && !failures; ++i)
      failures += MPI_Testall(3, requests, &flag, statuses) != MPI_SUCCESS;
    MPI_Barrier(MPI_COMM_WORLD);
    while (!flag) {
      const int error = MPI_Testall(3, requests, &flag, statuses);
      failures += error != MPI_SUCCESS;
      flag |= error != MPI_SUCCESS && requests[0] == MPI_REQUEST_NULL;
    }
    CHECK(failures > 0 && word == 9);
    for (int i = 0; i < 3; ++i)
      if (requests[i] != MPI_REQUEST_NULL)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  } else {
    word = 9;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv) {
  int provided;
  const int is_multiple = argc > 2;
  MPI_Init_thread(&argc, &argv, is_multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  window();
#ifdef OPEN_MPI
  word();
#endif
  partition();
  for (int how = 0; how < 6; ++how)
    file(argv[1], how % 3, how / 3);
  failing();
  MPI_Finalize();
  if (rank == 0)
    tell("both went on");
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// Plain Open MPI 5 hangs in this program.
// RUN: %if openmpi5 %{ env MPISPEC_MODE=lanes %mpirun -n 2 %t %t.file | FileCheck %s %} %else %{ %both -n 2 %t %t.file | FileCheck %s %}
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t %t.file multiple | FileCheck %s
// CHECK: both went on
