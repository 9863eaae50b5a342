/* Arrays that mix requests of lanes and of the MPI library, null ones and inactive ones, in every
 * function that completes arrays. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum {
  SHORT_RECEIVE,
  LONG_RECEIVE,
  LONG_SEND,
  SHORT_SEND,
  OF_LIBRARY,
  SEND_OF_LIBRARY,
  NOTHING,
  AT_REST,
  AT_REST_IN_LIBRARY,
  STARTED,
  COLLECTIVE,
  GENERALISED,
  FROM_NOBODY,
  MANY
};
enum { LONG = 50000 };

static int rank, peer;
static MPI_Comm across; /* an intercommunicator: never adopted */
static int in[MANY][4], large_in[LONG], large_out[LONG];

static int query(void *state, MPI_Status *status) {
  (void)state;
  MPI_Status_set_elements(status, MPI_INT, 3);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = status->MPI_TAG = 7;
  return MPI_SUCCESS;
}
static int no_matter(void *state) { return (void)state, MPI_SUCCESS; }
static int nor_cancelled(void *state, int complete) { return (void)state, (void)complete, 0; }

static MPI_Request at_rest, at_rest_in_library, restarted;

static void make(MPI_Request requests[]) {
  static int out = 5;
  for (int i = 0; i < LONG; ++i)
    large_out[i] = rank * LONG + i;
  memset(in, 0, sizeof in);
  MPI_Irecv(in[0], 4, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[SHORT_RECEIVE]);
  MPI_Irecv(large_in, LONG, MPI_INT, peer, 2, MPI_COMM_WORLD, &requests[LONG_RECEIVE]);
  MPI_Irecv(in[1], 4, MPI_INT, 0, MPI_ANY_TAG, across, &requests[OF_LIBRARY]);
  requests[NOTHING] = MPI_REQUEST_NULL;
  MPI_Recv_init(in[2], 4, MPI_INT, peer, 99, MPI_COMM_WORLD, &at_rest);
  MPI_Recv_init(in[3], 4, MPI_INT, 0, 99, across, &at_rest_in_library);
  MPI_Recv_init(in[4], 4, MPI_INT, peer, 4, MPI_COMM_WORLD, &restarted);
  MPI_Start(&restarted);
  requests[AT_REST] = at_rest;
  requests[AT_REST_IN_LIBRARY] = at_rest_in_library;
  requests[STARTED] = restarted;
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[COLLECTIVE]);
  MPI_Grequest_start(query, no_matter, nor_cancelled, NULL, &requests[GENERALISED]);
  MPI_Irecv(in[5], 4, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[FROM_NOBODY]);
  MPI_Isend(&out, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &requests[SHORT_SEND]);
  MPI_Isend(large_out, LONG, MPI_INT, peer, 2, MPI_COMM_WORLD, &requests[LONG_SEND]);
  MPI_Isend(&out, 1, MPI_INT, 0, 3, across, &requests[SEND_OF_LIBRARY]);
  MPI_Send(&out, 1, MPI_INT, peer, 4, MPI_COMM_WORLD);
  MPI_Grequest_complete(requests[GENERALISED]);
}

static int completed[MANY];

/* Checks a receive's status as MPI defines it. A send's status holds only whether it was cancelled. */
static void note(const char *how, int i, const MPI_Status *status, const MPI_Request *request) {
  int count = -1, cancelled = -1;
  CHECK(i >= 0 && i < MANY && !completed[i]++);
  MPI_Get_count(status, MPI_INT, &count);
  MPI_Test_cancelled(status, &cancelled);
  CHECK(!cancelled);
  const int is_receive = i <= LONG_RECEIVE || i == OF_LIBRARY || i == STARTED || i == GENERALISED;
  /* (FROM_NOBODY: MPICH forgets to say so.) */
  const char *left = *request == MPI_REQUEST_NULL ? "null" : i == STARTED ? "kept" : "left";
  if (is_receive)
    tell("rank %d: %s: %d, %s, source %d tag %d count %d", rank, how, i, left, status->MPI_SOURCE,
         status->MPI_TAG, count);
  else
    tell("rank %d: %s: %d, %s", rank, how, i, left);
}

/* After all have been noted: the data, and what must not have been touched. */
static void check(const char *how, MPI_Request requests[], int with_resting) {
  for (int i = 0; i < MANY; ++i)
    if (i != NOTHING && i != AT_REST && i != AT_REST_IN_LIBRARY)
      CHECK(completed[i] == 1);
    else
      CHECK(completed[i] == with_resting);
  for (int i = 0; i < LONG; ++i)
    CHECK(large_in[i] == peer * LONG + i);
  CHECK(in[0][0] == 5 && in[1][0] == 5 && in[4][0] == 5);
  CHECK(requests[AT_REST] == at_rest && requests[AT_REST_IN_LIBRARY] == at_rest_in_library);
  CHECK(requests[STARTED] == restarted);
  MPI_Request_free(&at_rest);
  MPI_Request_free(&at_rest_in_library);
  MPI_Request_free(&restarted);
  memset(completed, 0, sizeof completed);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void all(int wait) {
  const char *how = wait ? "Waitall" : "Testall";
  MPI_Request requests[MANY];
  MPI_Status statuses[MANY];
  int flag = wait;
  make(requests);
  if (wait)
    MPI_Waitall(MANY, requests, statuses);
  while (!flag)
    MPI_Testall(MANY, requests, &flag, statuses);
  for (int i = 0; i < MANY; ++i)
    note(how, i, &statuses[i], &requests[i]);
  check(how, requests, 1);
}

static void any(int wait) {
  const char *how = wait ? "Waitany" : "Testany";
  MPI_Request requests[MANY];
  MPI_Status status;
  make(requests);
  for (int index = 0, flag = 1;;) {
    if (wait)
      MPI_Waitany(MANY, requests, &index, &status);
    else
      MPI_Testany(MANY, requests, &index, &flag, &status);
    if (!flag)
      continue;
    if (index == MPI_UNDEFINED)
      break;
    note(how, index, &status, &requests[index]);
  }
  check(how, requests, 0);
}

static void some(int wait) {
  const char *how = wait ? "Waitsome" : "Testsome";
  MPI_Request requests[MANY];
  MPI_Status statuses[MANY];
  int count, indices[MANY];
  make(requests);
  for (;;) {
    if (wait)
      MPI_Waitsome(MANY, requests, &count, indices, statuses);
    else
      MPI_Testsome(MANY, requests, &count, indices, statuses);
    if (count == MPI_UNDEFINED)
      break;
    CHECK(!wait || count > 0);
    for (int i = 0; i < count; ++i)
      note(how, indices[i], &statuses[i], &requests[indices[i]]);
  }
  check(how, requests, 0);
}

static int is_empty(const MPI_Status *status) {
  int count = -1, cancelled = -1;
  MPI_Get_count(status, MPI_INT, &count);
  MPI_Test_cancelled(status, &cancelled);
  return status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG && !count &&
         !cancelled;
}

/* No active request at all, and no request at all. */
static void nothing_active(int count) {
  MPI_Request requests[4] = {MPI_REQUEST_NULL, at_rest, MPI_REQUEST_NULL, at_rest_in_library};
  MPI_Status statuses[4];
  int index = 0, flag = 0, found = 0, indices[4];
  memset(statuses, 1, sizeof statuses);
  CHECK(!MPI_Waitall(count, requests, statuses));
  for (int i = 0; i < count; ++i)
    CHECK(is_empty(&statuses[i]));
  CHECK(!MPI_Testall(count, requests, &flag, statuses) && flag);
  memset(statuses, 1, sizeof statuses);
  CHECK(!MPI_Waitany(count, requests, &index, statuses));
  CHECK(index == MPI_UNDEFINED && is_empty(statuses));
  index = flag = 0; /* MPICH forgets the status there */
  CHECK(!MPI_Testany(count, requests, &index, &flag, statuses));
  CHECK(index == MPI_UNDEFINED && flag);
  CHECK(!MPI_Waitsome(count, requests, &found, indices, statuses) && found == MPI_UNDEFINED);
  CHECK(!MPI_Testsome(count, requests, &found, indices, statuses) && found == MPI_UNDEFINED);
  CHECK(!MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
}

/* Each of them alone, too. */
static void one_at_rest(MPI_Request request) {
  MPI_Request handle = request;
  MPI_Status status;
  int flag = 0;
  memset(&status, 1, sizeof status);
  CHECK(!MPI_Wait(&handle, &status) && is_empty(&status) && handle == request);
  memset(&status, 1, sizeof status);
  CHECK(!MPI_Test(&handle, &flag, &status) && flag && is_empty(&status) && handle == request);
  memset(&status, 1, sizeof status);
  CHECK(!MPI_Request_get_status(handle, &flag, &status) && flag && is_empty(&status));
}

/* If several requests are over, the first in the array ends, as in the library. The same holds if the array of an
 * earlier search was filled anew: from the front, behind its place, or in part. */
static void first_of_several(int wait) {
  enum { MOST = 8 };
  static const struct {
    int first, end, receives; /* filled anew: [first, end), which of them by bits */
    int found;
  } steps[] = {{0, MOST, 0, 0},    {0, 0, 0, 1},       {0, 2, 0, 0}, {2, MOST, 0x3c, 1},
               {0, MOST, 0x55, 0}, {0, 1, 0, 0},       {0, 1, 1, 0}, {0, 0, 0, 1},
               {1, 2, 2, 1},       {0, MOST, 0xff, 0}, {4, 5, 0, 1}, {0, 1, 0, 0},
               {2, 4, 0x8, 2},     {0, 0, 0, 3},       {0, 0, 0, 4}, {3, 4, 0, 3}};
  static int out = 3, got[MOST];
  MPI_Request requests[MOST];
  MPI_Status status;
  for (int i = 0; i < MOST; ++i)
    requests[i] = MPI_REQUEST_NULL;
  for (unsigned step = 0; step < sizeof steps / sizeof *steps; ++step) {
    int index = -1, flag = 1;
    for (int i = steps[step].first; i < steps[step].end; ++i) {
      MPI_Waitall(1, &requests[i], MPI_STATUSES_IGNORE);
      if (steps[step].receives >> i & 1) {
        MPI_Irecv(&got[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
        MPI_Send(&out, 1, MPI_INT, 0, i, MPI_COMM_SELF);
      } else {
        MPI_Isend(&out, 1, MPI_INT, 0, MOST, MPI_COMM_SELF, &requests[i]);
        MPI_Recv(&got[i], 1, MPI_INT, 0, MOST, MPI_COMM_SELF, MPI_STATUS_IGNORE);
      }
    }
    if (wait)
      MPI_Waitany(MOST, requests, &index, &status);
    else
      MPI_Testany(MOST, requests, &index, &flag, &status);
    CHECK(flag && index == steps[step].found);
    CHECK(requests[steps[step].found] == MPI_REQUEST_NULL);
  }
  MPI_Waitall(MOST, requests, MPI_STATUSES_IGNORE);
}

/* A place before the one found last gets a request of the MPI library, or of no call at all. The search finds it,
 * even while only receives that wait stand behind it. */
static void filled_before(int wait) {
  int first = 0, late = 0, index;
  static int out = 4;
  MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL}, spare;
  for (int how = 0; how < 2; ++how) {
    int flag = 0;
    /* (The first after a call on another communicator takes the long way.) */
    MPI_Irecv(&late, 1, MPI_INT, peer, 53, MPI_COMM_WORLD, &spare);
    MPI_Irecv(&first, 1, MPI_INT, peer, 51, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&late, 1, MPI_INT, peer, 52, MPI_COMM_WORLD, &requests[1]);
    MPI_Send(&out, 1, MPI_INT, peer, 51, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
    CHECK(index == 0);
    if (how == 0) {
      MPI_Irecv(&first, 1, MPI_INT, 0, 54, across, &requests[0]);
      MPI_Request sent;
      MPI_Isend(&out, 1, MPI_INT, 0, 54, across, &sent);
      while (!flag)
        MPI_Testany(3, requests, &index, &flag, MPI_STATUS_IGNORE);
      MPI_Wait(&sent, MPI_STATUS_IGNORE);
      MPI_Send(&out, 1, MPI_INT, peer, 53, MPI_COMM_WORLD);
      MPI_Wait(&spare, MPI_STATUS_IGNORE);
    } else {
      requests[0] = spare;
      MPI_Send(&out, 1, MPI_INT, peer, 53, MPI_COMM_WORLD);
      if (wait)
        MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
      else
        while (!flag)
          MPI_Testany(3, requests, &index, &flag, MPI_STATUS_IGNORE);
    }
    CHECK(index == 0 && requests[0] == MPI_REQUEST_NULL);
    MPI_Barrier(MPI_COMM_WORLD); /* else the peer's next message might be there as well */
    MPI_Send(&out, 1, MPI_INT, peer, 52, MPI_COMM_WORLD);
    MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
    CHECK(index == 1);
  }
}

/* The error of an empty status is MPI_SUCCESS (MPI-4.1, section 3.7.3). MPICH alone does not set it in
 * MPI_Testall. */
static void empty_statuses(void) {
  MPI_Request two[2];
  MPI_Status statuses[2];
  int flag = 0;
  MPI_Recv_init(in[2], 4, MPI_INT, peer, 98, MPI_COMM_WORLD, &two[0]);
  MPI_Send_init(in[3], 4, MPI_INT, peer, 98, MPI_COMM_WORLD, &two[1]);
  for (int wait = 0; wait < 2; ++wait) {
    for (int i = 0; i < 2; ++i)
      statuses[i].MPI_ERROR = statuses[i].MPI_TAG = 12345;
    wait ? MPI_Waitall(2, two, statuses) : MPI_Testall(2, two, &flag, statuses);
    for (int i = 0; i < 2; ++i)
      CHECK(statuses[i].MPI_TAG == MPI_ANY_TAG && (!wait || statuses[i].MPI_ERROR == MPI_SUCCESS));
  }
  CHECK(flag);
  MPI_Request_free(&two[0]);
  MPI_Request_free(&two[1]);
}

int main(int argc, char **argv) {
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  peer = rank ^ 1;
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, peer, 1, &across);
  for (int wait = 1; wait >= 0; --wait) {
    all(wait);
    any(wait);
    some(wait);
    first_of_several(wait);
    filled_before(wait);
  }
  MPI_Recv_init(in[2], 4, MPI_INT, peer, 99, MPI_COMM_WORLD, &at_rest);
  MPI_Recv_init(in[3], 4, MPI_INT, 0, 99, across, &at_rest_in_library);
  nothing_active(4);
  nothing_active(0);
  one_at_rest(MPI_REQUEST_NULL);
  one_at_rest(at_rest);
  one_at_rest(at_rest_in_library);
  MPI_Request_free(&at_rest);
  MPI_Request_free(&at_rest_in_library);
  empty_statuses();
  MPI_Comm_free(&across);
  MPI_Comm_free(&half);
  MPI_Finalize();
  if (rank == 0)
    tell("all completed");
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// Without lanes, Intel MPI's MPI_Testsome says that a persistent receive from MPI_PROC_NULL that rests has ended.
// RUN: %if intel %{ env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s %}
// RUN: %if !intel %{ %both -n 2 %t | FileCheck %s %}
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %both -n 2 %t | FileCheck %s %}
// CHECK-DAG: rank 1: Testsome: 9, kept, source 0 tag 4 count 1
// CHECK-DAG: all completed
