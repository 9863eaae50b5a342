/* Windows of requests, completed by Wait and Waitall, with and without statuses, null requests and
 * messages of other operations among them. */
#include "expect.h"

enum { window = 16 };

static void windows(int rank, int size) {
  int left = (rank + size - 1) % size, right = (rank + 1) % size, i, count;
  int sent[window], got[window];
  MPI_Request requests[2 * window];
  MPI_Status statuses[2 * window];
  for (i = 0; i < window; i++) {
    sent[i] = 100 * rank + i;
    MPI_Irecv(&got[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]);
  }
  for (i = 0; i < window; i++) /* in the other order of tags */
    MPI_Isend(&sent[window - 1 - i], 1, MPI_INT, right, window - 1 - i, MPI_COMM_WORLD,
              &requests[window + i]);
  MPI_Waitall(2 * window, requests, statuses);
  for (i = 0; i < window; i++) {
    MPI_Get_count(&statuses[i], MPI_INT, &count);
    EXPECT(got[i] == 100 * left + i && count == 1);
    EXPECT(statuses[i].MPI_SOURCE == left && statuses[i].MPI_TAG == i);
    EXPECT(requests[i] == MPI_REQUEST_NULL && requests[window + i] == MPI_REQUEST_NULL);
  }
  MPI_Waitall(2 * window, requests, MPI_STATUSES_IGNORE); /* null requests: nothing to do */
  MPI_Waitall(0, requests, MPI_STATUSES_IGNORE);
}

static void mixed(int rank, int size) {
  int left = (rank + size - 1) % size, right = (rank + 1) % size, sum = 0, got = -1, one = 1;
  MPI_Request requests[4];
  MPI_Irecv(&got, 1, MPI_INT, left, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  requests[2] = MPI_REQUEST_NULL;
  MPI_Issend(&rank, 1, MPI_INT, right, 5, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  EXPECT(got == left && sum == size);
}

static void persistent(int rank, int size) {
  int left = (rank + size - 1) % size, right = (rank + 1) % size, out, in, i;
  MPI_Request pair[2];
  MPI_Send_init(&out, 1, MPI_INT, right, 6, MPI_COMM_WORLD, &pair[0]);
  MPI_Recv_init(&in, 1, MPI_INT, left, 6, MPI_COMM_WORLD, &pair[1]);
  for (i = 0; i < 100; i++) {
    out = 1000 * rank + i;
    MPI_Startall(2, pair);
    MPI_Wait(&pair[1], MPI_STATUS_IGNORE);
    MPI_Wait(&pair[0], MPI_STATUS_IGNORE);
    EXPECT(in == 1000 * left + i);
  }
  MPI_Request_free(&pair[0]);
  MPI_Request_free(&pair[1]);
}

/* A receive by probing first, one matched, and a synchronous send whose request is
 * waited for last. */
static void probed(int rank, int size) {
  int left = (rank + size - 1) % size, right = (rank + 1) % size, n, word[4] = {rank, 1, 2, 3};
  int got[4] = {-1, -1, -1, -1};
  MPI_Request request;
  MPI_Status status;
  MPI_Message message;
  MPI_Issend(word, 4, MPI_INT, right, 9, MPI_COMM_WORLD, &request);
  MPI_Probe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &n);
  MPI_Recv(got, n, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(n == 4 && got[0] == left && got[3] == 3);
  MPI_Isend(word, 1, MPI_INT, right, 10, MPI_COMM_WORLD, &request);
  MPI_Mprobe(MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, &message, &status);
  MPI_Mrecv(got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&request, &status);
  EXPECT(got[0] == left);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  windows(rank, size);
  mixed(rank, size);
  persistent(rank, size);
  probed(rank, size);
  return expect_finish();
}

// RUN: sh %inputs/same-both-ways.sh %mpispec %t "1 2 4" mpicc -O2 -I %inputs %s
// RUN: %behind clang-22 sh %inputs/same-both-ways.sh %mpispec %t "2" mpicc -O2 -I %inputs %s
