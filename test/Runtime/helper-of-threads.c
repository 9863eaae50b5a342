/* The helper thread under MPI_THREAD_MULTIPLE. It does not exist in a program that calls MPI from one thread and has
 * no operation pending in the library's functions: each wake would cost a switch of the processor. It receives a
 * message for one thread while another thread is in such a function, whether the receiving thread has called MPI
 * before ("known") or begins while the other one is there. */
#include "check.h"

#include <dirent.h>
#include <mpi.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { LONG = 200000 };
static int rank, is_known;
static pthread_barrier_t both;
static char in[LONG], out[LONG];

static int threads_of_process(void) {
  int threads = 0;
  DIR *tasks = opendir("/proc/self/task");
  CHECK(tasks);
  for (const struct dirent *entry; (entry = readdir(tasks));)
    threads += entry->d_name[0] != '.';
  closedir(tasks);
  return threads;
}

static void call_library(void) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_free(&copy);
}

/* This thread is in no call while its receive is pending, and the main thread is in MPI_Comm_dup. */
static void *receive(void *unused) {
  MPI_Request request;
  int flag;
  if (is_known)
    MPI_Iprobe(1, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  pthread_barrier_wait(&both);
  usleep(50 * 1000);
  MPI_Irecv(in, LONG, MPI_CHAR, 1, 2, MPI_COMM_WORLD, &request);
  pthread_barrier_wait(&both);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(in[0] == 'x' && in[LONG - 1] == 'x');
  return unused;
}

int main(int argc, char **argv) {
  int level;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  CHECK(level == MPI_THREAD_MULTIPLE);
  is_known = argc > 1 && !strcmp(argv[1], "known");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int before = threads_of_process();
  for (int i = 0; i < 10; ++i)
    call_library();
  CHECK(threads_of_process() == before);
  if (rank == 0) {
    CHECK(!pthread_barrier_init(&both, NULL, 2));
    CHECK(!pthread_create(&thread, NULL, receive, NULL));
    pthread_barrier_wait(&both);
    call_library();
    pthread_barrier_wait(&both);
    CHECK(!pthread_join(thread, NULL));
  } else {
    memset(out, 'x', sizeof out);
    MPI_Ssend(out, LONG, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
    call_library();
  }
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc %include -I%S %s -o %t %runtime -lpthread
// RUN: for word in known new; do %mpirun -n 2 %t $word | FileCheck %s || exit 1; done
// RUN: for word in known new; do %mpirun -n 2 taskset -c 0 %t $word | FileCheck %s || exit 1; done
// CHECK: passed
