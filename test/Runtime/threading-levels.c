/* MPI_Query_thread and MPI_Is_thread_main at each level: MPI-4.0, 11.6.2. The main thread is the one that has called
 * MPI_Init_thread, which need not be the one that has started the process. Ranks of one job have different levels. */
#include "check.h"

#include <mpi.h>
#include <pthread.h>
#include <string.h>

enum { LEVELS = 4 };
static const int levels[LEVELS] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
static int number, provided;

static int is_main(void) {
  int flag = -1;
  MPI_Is_thread_main(&flag);
  return flag;
}

static int queried(void) {
  int level = -1;
  MPI_Query_thread(&level);
  return level;
}

/* Alone in MPI, as MPI_THREAD_SERIALIZED wants it: the main thread waits for the end of this one. */
static void *look_from_another(void *unused) {
  (void)unused;
  CHECK(is_main() == 0);
  CHECK(queried() == provided);
  return NULL;
}

/* A message around the ring, by a thread that may call MPI. */
static void *send_around(void *unused) {
  int rank, size, in = -1;
  (void)unused;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &in, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK(in == (rank + size - 1) % size);
  return NULL;
}

static void run_other(void *(*work)(void *)) {
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, work, NULL));
  pthread_join(thread, NULL);
}

static void *use_mpi(void *unused) {
  (void)unused;
  MPI_Init_thread(NULL, NULL, levels[number], &provided);
  CHECK(provided >= levels[number] && provided <= MPI_THREAD_MULTIPLE);
  CHECK(queried() == provided && is_main() == 1);
  send_around(NULL);
  if (levels[number] >= MPI_THREAD_SERIALIZED) {
    run_other(look_from_another);
    run_other(send_around);
  } else {
    send_around(NULL);
  }
  CHECK(queried() == provided && is_main() == 1);
  MPI_Finalize();
  return NULL;
}

/* threading-levels NUMBER [other]: with `other`, a thread that has not started the process is the main thread.
 * threading-levels init | tool: by MPI_Init with a level from the environment, or by a function of a tool, which does not
 * come to the runtime. */
int main(int argc, char **argv) {
  CHECK(argc > 1);
  if (!strcmp(argv[1], "init") || !strcmp(argv[1], "tool")) {
    if (argv[1][0] == 'i')
      MPI_Init(&argc, &argv);
    else
      PMPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CHECK(queried() == MPI_THREAD_MULTIPLE);
    run_other(send_around);
    MPI_Finalize();
    return passed();
  }
  number = atoi(argv[1]);
  CHECK(number >= 0 && number < LEVELS);
  if (argc > 2)
    run_other(use_mpi);
  else
    use_mpi(NULL);
  return passed();
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime -lpthread
// RUN: %mpirun -n 2 %t 0 | FileCheck %s
// RUN: %mpirun -n 2 %t 1 | FileCheck %s
// RUN: %mpirun -n 2 %t 2 | FileCheck %s
// RUN: %mpirun -n 2 %t 3 | FileCheck %s
// RUN: %mpirun -n 2 %t 3 other | FileCheck %s
// RUN: %mpirun -n 1 %t 0 : -n 1 %t 3 : -n 1 %t 2 | FileCheck %s
// RUN: env MPIR_CVAR_DEFAULT_THREAD_LEVEL=MPI_THREAD_MULTIPLE OMPI_MPI_THREAD_LEVEL=3 %mpirun -n 2 %t init | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_DEFAULT_THREAD_LEVEL=MPI_THREAD_MULTIPLE MPIR_CVAR_ODD_EVEN_CLIQUES=1 \
// RUN:   %mpirun -n 2 %t init | FileCheck %s %}
// RUN: %mpirun -n 2 %t tool | FileCheck %s
// CHECK: passed
// CHECK: passed
