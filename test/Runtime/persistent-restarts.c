/* Persistent requests are restarted a hundred thousand times: same requests, nothing grows. Rows of them are started
 * and completed in all ways. A start takes more steps behind a receive from any source, behind kept messages, or beyond
 * the limit of a lane. Requests of the MPI library are in some rows. After a restart, no truncation or cancellation of
 * the earlier round is left. */
#include "check.h"

#include <mpi.h>
#include <string.h>

static void restart(int peer, int rounds) {
  int in = -1, out;
  MPI_Request requests[2];
  MPI_Recv_init(&in, 1, MPI_INT, peer, 4, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(&out, 1, MPI_INT, peer, 4, MPI_COMM_WORLD, &requests[1]);
  const MPI_Request first = requests[0], second = requests[1];
  for (out = 0; out < rounds; ++out) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(in == out && requests[0] == first && requests[1] == second);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  CHECK(requests[0] == MPI_REQUEST_NULL);
}

enum { ROW = 300, LENGTHS = 6 };
static const int lengths[LENGTHS] = {0, 1, 2, 12, 13, 20}; /* ints: a cell has 48 bytes */
static int out[ROW][20], in[ROW][20];
static MPI_Request sends[ROW], receives[ROW];
static MPI_Status statuses[ROW];

static void check_row(int rank, int round) {
  for (int i = 0, count; i < ROW; ++i) {
    MPI_Get_count(&statuses[i], MPI_INT, &count);
    CHECK(count == lengths[i % LENGTHS] && statuses[i].MPI_SOURCE == (rank ^ 1) &&
          statuses[i].MPI_TAG == i % 3);
    for (int k = 0; k < 20; ++k)
      CHECK(in[i][k] == (k < count ? round + i + k : -1));
  }
}

static void complete(int round) {
  int done = 0, some, index, flag;
  static int indices[ROW];
  static MPI_Status few[ROW];
  switch (round % 4) {
  case 0:
    MPI_Waitall(ROW, sends, statuses);
    for (int i = 0, cancelled; i < ROW; ++i) {
      MPI_Test_cancelled(&statuses[i], &cancelled);
      CHECK(!cancelled);
    }
    MPI_Waitall(ROW, receives, statuses);
    break;
  case 1:
    for (int i = 0; i < ROW; ++i) {
      MPI_Wait(&sends[i], MPI_STATUS_IGNORE);
      MPI_Wait(&receives[i], &statuses[i]);
    }
    break;
  case 2:
    for (; done < ROW; ++done)
      MPI_Waitany(ROW, sends, &index, MPI_STATUS_IGNORE);
    for (done = 0; done < ROW; done += some) {
      MPI_Waitsome(ROW, receives, &some, indices, few);
      for (int i = 0; i < some; ++i)
        statuses[indices[i]] = few[i];
    }
    break;
  default:
    for (flag = 0; !flag;)
      MPI_Testall(ROW, sends, &flag, MPI_STATUSES_IGNORE);
    for (flag = 0; !flag;)
      MPI_Testall(ROW, receives, &flag, statuses);
  }
  MPI_Waitany(ROW, sends, &index, &few[0]); /* all are at rest */
  CHECK(index == MPI_UNDEFINED);
}

static void rows(int rank) {
  const int peer = rank ^ 1;
  for (int i = 0; i < ROW; ++i) {
    MPI_Send_init(out[i], lengths[i % LENGTHS], MPI_INT, peer, i % 3, MPI_COMM_WORLD, &sends[i]);
    MPI_Recv_init(in[i], 20, MPI_INT, peer, i % 3, MPI_COMM_WORLD, &receives[i]);
  }
  for (int round = 0; round < 40; ++round) {
    memset(in, -1, sizeof in);
    for (int i = 0; i < ROW; ++i)
      for (int k = 0; k < 20; ++k)
        out[i][k] = round + i + k;
    if (round / 4 % 2) {
      MPI_Startall(ROW, sends);
      MPI_Startall(ROW, receives);
    } else {
      for (int i = 0; i < ROW; ++i)
        MPI_Start(&receives[i]);
      MPI_Startall(ROW, sends);
    }
    complete(round);
    check_row(rank, round);
  }
  for (int i = 0; i < ROW; ++i) {
    MPI_Request_free(&sends[i]);
    MPI_Request_free(&receives[i]);
  }
}

/* Receives started behind one from any source get what that leaves; behind messages that are kept,
 * those first. */
static void in_line(int rank) {
  int values[4] = {-1, -1, -1, -1}, of[4] = {1, 2, 3, 4};
  MPI_Request any, row[3];
  for (int i = 0; i < 3; ++i)
    MPI_Recv_init(&values[i], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &row[i]);
  for (int round = 0; round < 3; ++round) {
    if (rank == 1 && round != 1)
      MPI_Irecv(&values[3], 1, MPI_INT, MPI_ANY_SOURCE, round ? 6 : 5, MPI_COMM_WORLD, &any);
    if (rank == 1 && round != 1)
      MPI_Startall(3, row);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < 4; ++i)
      MPI_Send(&of[i], 1, MPI_INT, 1, i == 3 && round ? 6 : 5, MPI_COMM_WORLD);
    if (rank == 1 && round == 1) {
      MPI_Recv(&values[3], 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* keeps others */
      MPI_Startall(3, row);
    }
    if (rank == 1) {
      MPI_Waitall(3, row, MPI_STATUSES_IGNORE);
      if (round != 1)
        MPI_Wait(&any, MPI_STATUS_IGNORE);
      const int first = round == 0;
      CHECK(values[0] == 1 + first && values[1] == 2 + first && values[2] == 3 + first);
      CHECK(values[3] == (round ? 4 : 1));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (int i = 0; i < 3; ++i)
    MPI_Request_free(&row[i]);
}

/* The outcome of a request ends with its completion. */
static void anew(int rank) {
  int value[2], cancelled, count, of[2] = {7, 8};
  MPI_Request receive;
  MPI_Status status;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* MPICH calls it between nodes */
  MPI_Recv_init(value, 1, MPI_INT, 0, 5, comm, &receive);
  for (int round = 0; round < 4; ++round) {
    if (rank == 1) {
      MPI_Start(&receive);
      if (round == 1)
        MPI_Cancel(&receive);
    }
    MPI_Barrier(comm);
    if (rank == 0 && round != 1)
      MPI_Send(of, 1 + (round == 2), MPI_INT, 1, 5, comm);
    if (rank == 1) {
      const int error = MPI_Wait(&receive, &status);
      MPI_Test_cancelled(&status, &cancelled);
      MPI_Get_count(&status, MPI_INT, &count);
      CHECK((error != MPI_SUCCESS) == (round == 2) && cancelled == (round == 1));
      CHECK(round == 1 || round == 2 || (value[0] == 7 && count == 1));
    }
    MPI_Barrier(comm);
  }
  MPI_Request_free(&receive);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free(&comm);
}

/* Requests of another library's stand between ours. */
static void among_others(int rank) {
  MPI_Request row[4];
  int values[4] = {0}, of[4] = {1, 2, 3, 4};
  for (int i = 0; i < 4; ++i)
    if (i % 2)
      MPI_Recv_init(&values[i], 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &row[i]);
    else if (rank == 0)
      MPI_Send_init(&of[i], 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &row[i]);
    else
      MPI_Recv_init(&values[i], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &row[i]);
  for (int round = 0; round < 3; ++round) {
    MPI_Startall(4, row);
    MPI_Waitall(4, row, MPI_STATUSES_IGNORE);
    CHECK(rank == 0 || (values[0] == 1 && values[2] == 3 && !values[1]));
  }
  for (int i = 0; i < 4; ++i)
    MPI_Request_free(&row[i]);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  restart(rank, 100000); /* to oneself: a busy machine takes turns slowly */
  restart(rank ^ 1, 1000);
  rows(rank);
  in_line(rank);
  anew(rank);
  among_others(rank);
  MPI_Finalize();
  if (rank == 0)
    puts("restarted");
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t | FileCheck %s %}
// CHECK: restarted
