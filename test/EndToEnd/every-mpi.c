// One program, built by mpispec with the compiler wrapper of each MPI library that has a runtime. It gets the runtime
// for this library, with lanes open, and the library's own statuses and requests. The same program preloaded gets the
// same runtime, whichever is named, and the doctor names it. Each library's programs are in %build/mpi/<name>, by
// their plain names.
//
// RUN: rm -rf %t && mkdir %t && cd %t && ls %build/mpi >names && grep . names
// RUN: for name in $(cat names); do export PATH=%build/mpi/$name:$PATH && \
// RUN:   mpispec mpicc -O2 %s -o $name && mpicc -O2 %s -o plain-$name && \
// RUN:   MPISPEC_VERBOSE=1 %mpirun -n 2 ./$name >out-$name 2>&1 && FileCheck %s <out-$name && \
// RUN:   MPISPEC_MODE=off %mpirun -n 2 ./$name >off-$name 2>&1 && FileCheck --check-prefix=OFF %s <off-$name && \
// RUN:   env MPISPEC_VERBOSE=1 LD_PRELOAD=%build/lib/libmpispec.so %mpirun -n 2 ./plain-$name >pre-$name 2>&1 && \
// RUN:   FileCheck %s <pre-$name && mpispec doctor >doctor-$name && \
// RUN:   tr -d '\n' <doctor-$name | grep "mpispec/$name/libmpispec" || exit 1; done
//
// CHECK-DAG: mpispec: lanes are open
// CHECK-DAG: 0: right
// CHECK-DAG: 1: right
// OFF-NOT: mpispec
// OFF-DAG: 0: right
// OFF-DAG: 1: right
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, wrong;

static void expect(int condition, const char *what) {
  if (condition)
    return;
  fprintf(stderr, "%d: %s\n", rank, what);
  wrong = 1;
}

// Every kind of completion, with and without statuses.
static void completions(int other) {
  MPI_Request requests[6];
  MPI_Status statuses[6], status;
  double out[6], in[6] = {0};
  int index, flag, count, indices[6], done = 0;
  for (int i = 0; i < 6; ++i) {
    out[i] = 10 * rank + i;
    MPI_Irecv(&in[i], 1, MPI_DOUBLE, other, i, MPI_COMM_WORLD, &requests[i]);
  }
  for (int i = 0; i < 6; ++i)
    MPI_Send(&out[i], 1, MPI_DOUBLE, other, i, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], &status);
  expect(status.MPI_SOURCE == other && status.MPI_TAG == 0 && requests[0] == MPI_REQUEST_NULL, "Wait");
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  expect(count == 1, "Get_count");
  MPI_Get_elements(&status, MPI_BYTE, &count);
  MPI_Test_cancelled(&status, &flag);
  expect(count == 8 && !flag, "Get_elements");
  MPI_Waitany(6, requests, &index, MPI_STATUS_IGNORE);
  expect(index >= 1 && index < 6 && requests[index] == MPI_REQUEST_NULL, "Waitany");
  MPI_Waitsome(6, requests, &count, indices, statuses);
  for (int i = 0; i < count; ++i)
    expect(statuses[i].MPI_TAG == indices[i], "Waitsome");
  for (flag = 0; !flag;)
    MPI_Testall(6, requests, &flag, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 6; ++i)
    expect(in[i] == 10 * other + i, "value"), done += requests[i] == MPI_REQUEST_NULL;
  expect(done == 6, "all null");
  MPI_Testany(6, requests, &index, &flag, &status);
  expect(flag && index == MPI_UNDEFINED && status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG,
         "Testany of none");
}

// Persistent, synchronous and long ones; wildcards, probes, a derived type, MPI_PROC_NULL.
static void others(int other) {
  MPI_Request requests[2];
  MPI_Status statuses[2], status;
  MPI_Datatype column;
  MPI_Message message;
  const int length = 100000;
  int *out = malloc(length * sizeof *out), *in = malloc(length * sizeof *in), flag, count;
  double matrix[16], got[4] = {0};
  for (int i = 0; i < length; ++i)
    out[i] = rank + i;
  MPI_Recv_init(in, length, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Ssend_init(out, length, MPI_INT, other, 9, MPI_COMM_WORLD, &requests[1]);
  for (int round = 0; round < 3; ++round) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, statuses);
    MPI_Get_count(&statuses[0], MPI_INT, &count);
    expect(statuses[0].MPI_SOURCE == other && statuses[0].MPI_TAG == 9 && count == length, "persistent");
    expect(in[length - 1] == other + length - 1, "long");
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);

  for (int i = 0; i < 16; ++i)
    matrix[i] = i;
  MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Isend(&matrix[1], 1, column, other, 5, MPI_COMM_WORLD, &requests[0]);
  for (flag = 0; !flag;)
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
  expect(status.MPI_TAG == 5, "Iprobe");
  MPI_Mprobe(other, 5, MPI_COMM_WORLD, &message, &status);
  MPI_Mrecv(got, 4, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
  expect(message == MPI_MESSAGE_NULL && got[3] == 13, "Mrecv of a column");
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Type_free(&column);

  MPI_Irecv(got, 4, MPI_DOUBLE, other, 77, MPI_COMM_WORLD, &requests[0]);
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], &status);
  MPI_Test_cancelled(&status, &flag);
  expect(flag, "Cancel");
  MPI_Sendrecv(out, 1, MPI_INT, MPI_PROC_NULL, 1, in, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
  expect(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG, "PROC_NULL");
  free(out);
  free(in);
}

static void collectives(int size) {
  MPI_Comm copy;
  double mine = rank + 1, sum = 0, root = rank, all[8];
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, copy);
  expect(sum == size * (size + 1) / 2, "Allreduce");
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  expect(mine == size, "in place");
  MPI_Bcast(&root, 1, MPI_DOUBLE, 1, copy);
  expect(root == 1, "Bcast");
  MPI_Allgather(&root, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, copy);
  MPI_Barrier(copy);
  MPI_Comm_free(&copy);
}

int main(int argc, char **argv) {
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < 50; ++round) {
    completions(1 - rank);
    others(1 - rank);
    collectives(size);
  }
  MPI_Finalize();
  printf("%d: %s\n", rank, wrong ? "wrong" : "right");
  return wrong;
}
