/* A type is freed while receives need it. Its end, and with it the delete function of its attributes, comes when
 * these receives are over, inside any call. The function calls MPI, and with several threads waits for another thread
 * of the same rank. */
#include "check.h"

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { WORDS = 100, WORD = 10 };

static int rank, size, deleted, with_threads;
static int takes_word = -1; /* the delete function does, with this tag */
static int words[2], had[WORDS]; /* received, by tag; and by number */
static atomic_int asked;

static void talk_to_self(void) {
  int in = -1, out = rank;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, 0, 4, MPI_COMM_SELF, &request);
  MPI_Request_free(&request);
  MPI_Send(&out, 1, MPI_INT, 0, 4, MPI_COMM_SELF);
  MPI_Sendrecv(&out, 1, MPI_INT, 0, 6, &in, 1, MPI_INT, 0, 6, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  CHECK(in == rank);
}

/* Even words have one tag, odd ones another. */
static void receive_word(int source, int tag) {
  int in = -1;
  MPI_Recv(&in, 1, MPI_INT, source, WORD + tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(in % 2 == tag && !had[in]);
  had[in] = 1;
  ++words[tag];
}

static int delete(MPI_Datatype type, int key, void *value, void *extra) {
  (void)type, (void)key, (void)value, (void)extra;
  talk_to_self();
  if (takes_word >= 0)
    receive_word((rank + 1) % size, takes_word);
  if (with_threads) {
    int in = -1;
    asked = 1;
    MPI_Recv(&in, 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    CHECK(in == 77);
  }
  ++deleted;
  return MPI_SUCCESS;
}

static void *answer(void *argument) {
  const int word = 77;
  while (!asked)
    ;
  MPI_Send(&word, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
  return argument;
}

/* A receive into every second integer, ended by `way`. */
static void receive(int way, int key) {
  MPI_Datatype type;
  MPI_Request requests[2];
  pthread_t thread;
  int in[20], out[10], flag = 0, index;
  for (int i = 0; i < 10; ++i)
    out[i] = rank * 100 + i;
  MPI_Type_vector(10, 1, 2, MPI_INT, &type);
  MPI_Type_set_attr(type, key, NULL);
  MPI_Type_commit(&type);
  deleted = asked = 0;
  if (with_threads)
    pthread_create(&thread, NULL, answer, NULL);
  MPI_Irecv(in, 1, type, (rank + 1) % size, 5, MPI_COMM_WORLD, &requests[0]);
  requests[1] = MPI_REQUEST_NULL;
  MPI_Type_free(&type);
  CHECK(type == MPI_DATATYPE_NULL && !deleted);
  MPI_Send(out, 10, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD);
  if (way == 0)
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  else if (way == 1)
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  else if (way == 2)
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  else if (way == 3)
    while (!flag)
      MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  else { /* by itself */
    MPI_Request_free(&requests[0]);
    while (!deleted)
      MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < 10; ++i)
    CHECK(in[2 * i] == (rank + 1) % size * 100 + i);
  CHECK(deleted == 1);
  if (with_threads)
    pthread_join(thread, NULL);
}

/* The words stand in the lane already. At a limit in the lane, a receive gives credit to the sender, and makes progress.
 * If the type ended there, its function would take the message that the receive has found. */
static void receive_words(int source, int key) {
  MPI_Datatype type;
  MPI_Request request;
  pthread_t thread;
  int in[20], out[10] = {0};
  for (int i = 0; i < WORDS; ++i)
    MPI_Send(&i, 1, MPI_INT, (rank + size - 1) % size, WORD + i % 2, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  deleted = asked = words[0] = words[1] = 0;
  memset(had, 0, sizeof had);
  if (with_threads)
    pthread_create(&thread, NULL, answer, NULL);
  MPI_Type_vector(10, 1, 2, MPI_INT, &type);
  MPI_Type_set_attr(type, key, NULL);
  MPI_Type_commit(&type);
  MPI_Irecv(in, 1, type, 0, 5, MPI_COMM_SELF, &request);
  MPI_Type_free(&type);
  MPI_Request_free(&request);
  MPI_Send(out, 10, MPI_INT, 0, 5, MPI_COMM_SELF);
  for (int i = 0; i < WORDS - 10; ++i) {
    takes_word = i % 2;
    receive_word(source, i % 2);
  }
  takes_word = -1;
  for (int tag = 0; tag < 2; ++tag)
    while (words[tag] < WORDS / 2)
      receive_word(source, tag);
  for (int flag; !deleted;)
    MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
  CHECK(deleted == 1);
  if (with_threads)
    pthread_join(thread, NULL);
}

int main(int argc, char **argv) {
  int key, provided;
  with_threads = argc > 1;
  MPI_Init_thread(&argc, &argv, with_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, delete, &key, NULL);
  for (int way = 0; way < 5; ++way)
    receive(way, key);
  for (int i = 0; i < 3; ++i) {
    receive_words((rank + 1) % size, key);
    receive_words(MPI_ANY_SOURCE, key);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    puts("all types went");
  MPI_Finalize();
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t threads | FileCheck %s
// CHECK: all types went
