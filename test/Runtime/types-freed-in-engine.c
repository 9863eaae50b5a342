/* Types that end within the library's progress engine, because they are freed while a receive from
 * another node needs them. Meanwhile another thread of the rank asks the engine, too: one of the
 * program, or the runtime's helper, which looks for a receive from any source. MPICH lets go of its
 * lock while it calls back for attributes: two threads were in the engine at once, and UCX ended the
 * job. The helper waited for the lock that it had itself. */
#include "check.h"

#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { ROUNDS = 1000, DATA = 1, WORD = 2, GO = 3 };

static atomic_int freed, heard; /* rounds in which rank 0 has freed its things; has had its word */

/* Returns a type that lanes know, because a message to self has used it. */
static MPI_Datatype make_type(int *out, int *in) {
  MPI_Datatype type;
  MPI_Type_vector(4, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Sendrecv(out, 1, type, 0, 0, in, 1, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  return type;
}

/* The data come while this thread makes a communicator, in which the library is asked for progress
 * without the runtime's lock. */
static void receive_and_free(void) {
  int out[8] = {0}, in[8] = {0}, go = 1;
  MPI_Comm made;
  MPI_Request request;
  MPI_Datatype type = make_type(out, in);
  MPI_Irecv(in, 1, type, 1, DATA, MPI_COMM_WORLD, &request);
  MPI_Type_free(&type);
  ++freed;
  MPI_Send(&go, 1, MPI_INT, 1, GO, MPI_COMM_WORLD);
  MPI_Comm_dup(MPI_COMM_WORLD, &made);
  MPI_Comm_free(&made);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < 4; ++i)
    CHECK(in[2 * i] == i);
}

/* While the other thread's data come, this one looks for its word. */
static void *hear_words(void *argument) {
  for (int i = 0, in; i < ROUNDS; ++i) {
    while (freed == i)
      sched_yield();
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, WORD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in == i);
    ++heard;
  }
  return argument;
}

static void receive_all(void) {
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, hear_words, NULL));
  for (int i = 0; i < ROUNDS; ++i) {
    receive_and_free();
    while (heard == i)
      sched_yield();
  }
  pthread_join(thread, NULL);
}

/* The helper looks for the word while this thread makes a communicator. */
static void receive_all_alone(void) {
  for (int i = 0, in; i < ROUNDS; ++i) {
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, WORD, MPI_COMM_WORLD, &request);
    receive_and_free();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(in == i);
  }
}

static void send_all(void) {
  const int out[4] = {0, 1, 2, 3};
  for (int i = 0, go; i < ROUNDS; ++i) {
    MPI_Comm made;
    MPI_Request request;
    MPI_Recv(&go, 1, MPI_INT, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Issend(out, 4, MPI_INT, 0, DATA, MPI_COMM_WORLD, &request);
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&made);
    MPI_Send(&i, 1, MPI_INT, 0, WORD, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  int provided, rank;
  const int is_alone = argc > 1;
  MPI_Init_thread(&argc, &argv, is_alone ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &provided);
  CHECK(is_alone || provided == MPI_THREAD_MULTIPLE);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank)
    send_all();
  else
    (is_alone ? receive_all_alone : receive_all)();
  MPI_Finalize();
  return passed();
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t alone | FileCheck %s
// DEFINE: %{nodes} = env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2
// RUN: %if nodes %{ %{nodes} %t | FileCheck %s && %{nodes} %t alone | FileCheck %s %}
// CHECK: passed
// CHECK: passed
