/* A blocking receive while other receives are posted for messages from the same peer. It gets its
 * message without being posted, if no posted receive fits and no message is in the unexpected
 * queue (p2p/decoded_recv.c). Otherwise the order of MPI 4.0, section 3.5, decides: the receive
 * that was posted first gets the message. */
#include "check.h"

#include <mpi.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { MANY = 12, STREAM = 5000, LONGEST = 300000 };

/* When a message comes: when its receive is called, while the receive polls, or after its polls. */
enum { SOON, MEANWHILE, LATE, WAYS };

static int rank, peer;
static unsigned char out[LONGEST], in[LONGEST];

static void fill(int bytes, int seed) {
  for (int i = 0; i < bytes; ++i)
    out[i] = (unsigned char)(seed + 7 * i);
}

static int is_filled(const unsigned char *bytes, int count, int seed) {
  for (int i = 0; i < count; ++i)
    if (bytes[i] != (unsigned char)(seed + 7 * i))
      return 0;
  return 1;
}

static void delay(int way) {
  if (way == LATE)
    usleep(300);
  const double start = MPI_Wtime();
  while (way == MEANWHILE && MPI_Wtime() - start < 3e-6)
    ;
}

static void send(int bytes, int seed, int tag, int way) {
  fill(bytes, seed);
  delay(way);
  MPI_Send(out, bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD);
}

static void receive(int bytes, int seed, int tag) {
  MPI_Status status;
  int count;
  memset(in, 0, (size_t)bytes);
  MPI_Recv(in, LONGEST, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_BYTE, &count);
  CHECK(count == bytes && status.MPI_TAG == tag && status.MPI_SOURCE == peer);
  CHECK(is_filled(in, bytes, seed));
}

static void synchronise(void) {
  int word = 0;
  MPI_Sendrecv_replace(&word, 1, MPI_INT, peer, 999, peer, 999, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Messages of all lengths, one by one and as a stream, past receives of other tags. */
static void pass(int posted) {
  static const int sizes[] = {0, 1, 8, 56, 100, 256, 300, 4000, 20000, 70000, LONGEST};
  MPI_Request requests[MANY];
  int words[MANY];
  for (int i = 0; rank == 1 && i < posted; ++i)
    MPI_Irecv(&words[i], 1, MPI_INT, peer, 100 + i, MPI_COMM_WORLD, &requests[i]);
  synchronise();
  for (int way = 0; way < WAYS; ++way)
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
      if (rank == 0)
        send(sizes[i], (int)i, 5, way);
      else
        receive(sizes[i], (int)i, 5);
      synchronise();
    }
  for (int i = 0; i < STREAM; ++i)
    if (rank == 0)
      send(i % 300, i, 6, SOON);
    else
      receive(i % 300, i, 6);
  /* Gaps between the elements, and the others in the reverse order of posting, with a message of
   * this receive after each. */
  MPI_Datatype column;
  MPI_Type_vector(3, 1, 2, MPI_INT, &column);
  MPI_Type_commit(&column);
  for (int i = posted - 1; i >= 0; --i) {
    int matrix[6] = {i, -1, i + 1, -1, i + 2, -1};
    if (rank == 0) {
      delay(i % WAYS);
      MPI_Send(&i, 1, MPI_INT, peer, 100 + i, MPI_COMM_WORLD);
      MPI_Send(matrix, 1, column, peer, 5, MPI_COMM_WORLD);
    } else {
      int got[6] = {-2, -2, -2, -2, -2, -2};
      MPI_Recv(got, 1, column, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(got[0] == i && got[1] == -2 && got[2] == i + 1 && got[3] == -2 && got[4] == i + 2);
    }
  }
  MPI_Type_free(&column);
  if (rank == 1)
    MPI_Waitall(posted, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; rank == 1 && i < posted; ++i)
    CHECK(words[i] == i);
}

/* The receive of tag 5 from `source` is posted first, and therefore gets the first message. */
static void keep_order(int source, int tag, int way) {
  int first = -1, second = -1, other = -1, words[] = {1, 2, 3};
  MPI_Request requests[2];
  synchronise();
  if (rank == 0) {
    delay(way == SOON ? LATE : way); /* after the receives are posted */
    MPI_Send(&words[0], 1, MPI_INT, peer, 5, MPI_COMM_WORLD);
    MPI_Send(&words[1], 1, MPI_INT, peer, 5, MPI_COMM_WORLD);
    MPI_Send(&words[2], 1, MPI_INT, peer, 8, MPI_COMM_WORLD);
    return;
  }
  MPI_Irecv(&other, 1, MPI_INT, peer, 8, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&first, 1, MPI_INT, source, tag, MPI_COMM_WORLD, &requests[1]);
  if (way == SOON)
    usleep(2000);
  MPI_Recv(&second, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(first == 1 && second == 2 && other == 3);
}

/* A message in the unexpected queue comes before those in the lane. */
static void take_unexpected(void) {
  int words[] = {1, 2, 3}, got[3] = {0};
  MPI_Request request;
  if (rank == 0) {
    for (int i = 0; i < 3; ++i)
      MPI_Send(&words[i], 1, MPI_INT, peer, i == 1 ? 8 : 5, MPI_COMM_WORLD);
    synchronise();
    return;
  }
  MPI_Recv(&got[1], 1, MPI_INT, peer, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Irecv(&got[0], 1, MPI_INT, peer, 9, MPI_COMM_WORLD, &request);
  MPI_Recv(&got[2], 1, MPI_INT, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(got[1] == 2 && got[2] == 1);
  MPI_Recv(&got[2], 1, MPI_INT, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(got[2] == 3);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  synchronise();
}

static void cut(void) {
  char word[8];
  int other, class;
  MPI_Request request;
  synchronise();
  if (rank == 0) {
    send(9, 0, 5, MEANWHILE);
    MPI_Send(&rank, 1, MPI_INT, peer, 8, MPI_COMM_WORLD);
    return;
  }
  MPI_Irecv(&other, 1, MPI_INT, peer, 8, MPI_COMM_WORLD, &request);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Recv(word, 8, MPI_BYTE, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE), &class);
  CHECK(class == MPI_ERR_TRUNCATE);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(other == 0);
}

/* --- a blocked thread --------------------------------------------------------------------------*/

static MPI_Comm apart;

static void *be_blocked(void *unused) {
  int word = -1;
  MPI_Recv(&word, 1, MPI_INT, peer, 5, apart, MPI_STATUS_IGNORE);
  CHECK(word == 77);
  return unused;
}

static void beside_blocked(void) {
  const int word = 77;
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, be_blocked, NULL));
  for (int i = 0; i < STREAM; ++i) {
    if (rank == 0)
      send(i % 300, i, 5, i % 10 ? SOON : i / 10 % WAYS);
    receive(i % 300, i, 5);
    if (rank == 1)
      send(i % 300, i, 5, SOON);
    if (i == STREAM / 2)
      MPI_Send(&word, 1, MPI_INT, peer, 5, apart);
  }
  CHECK(!pthread_join(thread, NULL));
}

int main(int argc, char **argv) {
  int provided;
  const int is_multiple = argc > 1 && !strcmp(argv[1], "multiple");
  MPI_Init_thread(&argc, &argv, is_multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &apart);
  peer = 1 - rank;
  pass(0);
  pass(1);
  pass(3);
  pass(MANY);
  for (int i = 0; i < 30; ++i) {
    keep_order(peer, 5, i % WAYS);
    keep_order(peer, MPI_ANY_TAG, i % WAYS);
    keep_order(MPI_ANY_SOURCE, 5, i % WAYS);
    keep_order(MPI_ANY_SOURCE, MPI_ANY_TAG, i % WAYS);
  }
  take_unexpected();
  cut();
  if (is_multiple)
    beside_blocked();
  MPI_Comm_free(&apart);
  MPI_Finalize();
  return passed();
}
// LABEL: core
// RUN: %mpicc -w %include -I%S %s -o %t %runtime -lpthread
// RUN: %mpirun -n 2 %t single | FileCheck %s
// RUN: %mpirun -n 2 %t multiple | FileCheck %s
// RUN: env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t multiple | FileCheck %s
// RUN: %mpirun -n 2 taskset -c 0 %t multiple | FileCheck %s
// CHECK: passed
