/* A thread waits in the MPI library, for a request of the library, and is the only one that has called MPI. Meanwhile
 * another thread posts a receive and calls MPI no more. Its message arrives all the same: the helper makes progress. */
// LABEL: core
#include "check.h"

#include <mpi.h>
#include <pthread.h>
#include <string.h>

enum { LONG = 1 << 20 };
static int rank;
static char data[LONG];
static MPI_Comm of_thread;

static void *receive(void *request) {
  usleep(20 * 1000); /* the first thread is in the library by then */
  MPI_Irecv(data, LONG, MPI_CHAR, 1, 1, of_thread, request);
  return NULL;
}

static void wait_in_library(int function) {
  MPI_Request request;
  int index, count;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  if (function == 0)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  else if (function == 1)
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  else if (function == 2)
    MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
  else
    MPI_Waitsome(1, &request, &count, &index, MPI_STATUSES_IGNORE);
}

static void receive_meanwhile(int function) {
  MPI_Request request;
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, receive, &request));
  wait_in_library(function);
  CHECK(!pthread_join(thread, NULL));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(data[0] == 'a' + function && data[LONG - 1] == 'a' + function);
}

/* The message must have arrived before the receiver's wait can end. */
static void send_first(int function) {
  memset(data, 'a' + function, LONG);
  MPI_Ssend(data, LONG, MPI_CHAR, 0, 1, of_thread);
  wait_in_library(function);
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &of_thread);
  CHECK(argc == 2);
  if (rank)
    send_first(atoi(argv[1]));
  else
    receive_meanwhile(atoi(argv[1]));
  MPI_Comm_free(&of_thread);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// RUN: %mpicc %include -I%S %s -o %t %runtime -lpthread
// RUN: for function in 0 1 2 3; do %mpirun -n 2 %t $function | FileCheck %s || exit 1; done
// CHECK: passed
