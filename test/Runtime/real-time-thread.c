/* Under MPI_THREAD_MULTIPLE, a real-time thread and a normal one share a processor. The real-time
 * thread often finds the lock with the other, and must let it go on. Without that, the kernel ends
 * each wait only after a second, by its limit for real-time threads. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

enum { ROUNDS = 200, MESSAGES = 8 };

static MPI_Comm communicators[2];
static _Atomic int is_over;

static void send_to_self(MPI_Comm communicator) {
  int sent = 1, received;
  MPI_Request request;
  MPI_Isend(&sent, 1, MPI_INT, 0, 1, communicator, &request);
  MPI_Recv(&received, 1, MPI_INT, 0, 1, communicator, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void *keep_calling(void *unused) {
  while (!is_over)
    send_to_self(communicators[0]);
  return unused;
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  for (int i = 0; i < 2; ++i)
    MPI_Comm_dup(MPI_COMM_SELF, &communicators[i]);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  pthread_t other;
  pthread_create(&other, NULL, keep_calling, NULL);
  const struct sched_param urgent = {.sched_priority = 1}, normal = {0};
  if (sched_setscheduler(0, SCHED_FIFO, &urgent))
    fprintf(stderr, "this process may not have real-time threads\n");
  for (int round = 0; round < ROUNDS; ++round) {
    usleep(700);
    for (int i = 0; i < MESSAGES; ++i)
      send_to_self(communicators[1]);
  }
  sched_setscheduler(0, SCHED_OTHER, &normal);
  is_over = 1;
  pthread_join(other, NULL);
  puts("passed");
  return MPI_Finalize();
}

// RUN: %mpicc -w %s -o %t %runtime -lpthread
// RUN: timeout 40 %mpirun -n 1 %t | FileCheck %s
// CHECK: passed
