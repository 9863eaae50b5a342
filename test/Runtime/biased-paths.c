/* The short paths of calls that acquire a lock with a bias (runtime/progress/biased_lock.h). Messages of all sizes must
 * keep their order, also behind a full lane, and with gaps, wildcards and changing communicators. A message that is too
 * long is an error of its own receive only. A probe must not see a message for which a receive is posted, and must make
 * progress with other messages. A second thread may call meanwhile. */
#include "check.h"

#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 100000, FLOOD = 3000, TAGS = 8, ROUNDS = 200 };

static int rank, peer;
static unsigned char bytes[LONGEST];

static void fill(int length, int number) {
  for (int i = 0; i < length; ++i)
    bytes[i] = (unsigned char)(number + i);
}

static void check_filled(int length, int number) {
  int right = 1;
  for (int i = 0; i < length; ++i)
    right &= bytes[i] == (unsigned char)(number + i);
  CHECK(right);
}

static void receive(int length, int number, int tag) {
  MPI_Status status;
  int count;
  memset(bytes, 0, sizeof bytes);
  MPI_Recv(bytes, LONGEST, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_BYTE, &count);
  CHECK(count == length);
  check_filled(length, number);
}

/* Sizes on both sides of each limit: a cell, cells, a block that is filled in steps, a rendezvous. */
static void keep_order(int nonblocking) {
  static const int lengths[] = {0, 8, 48, 49, 1000, 4096, 4097, 16384, 16385, 65536, 65537, LONGEST};
  const int sizes = sizeof lengths / sizeof lengths[0];
  for (int i = 0; i < ROUNDS; ++i) {
    const int length = lengths[i * 7 % sizes];
    MPI_Request request;
    if (rank) {
      receive(length, i, 1);
      continue;
    }
    fill(length, i);
    if (nonblocking)
      MPI_Isend(bytes, length, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
    else
      MPI_Send(bytes, length, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    if (nonblocking)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

/* More messages than the lane has cells, none of which is received before the last has been sent. */
static void flood(int length) {
  for (int i = 0; i < FLOOD && !rank; ++i) {
    fill(length, i);
    MPI_Send(bytes, length, MPI_BYTE, 1, 2, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < FLOOD && rank; ++i)
    receive(length, i, 2);
}

/* Elements with gaps, on two communicators in turn. The receiver names source and tag, or neither, or probes first. */
static void change_communicators(void) {
  enum { GAPS = 4 };
  MPI_Comm comms[2]; /* which no other thread uses */
  MPI_Datatype gaps;
  MPI_Status status;
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Type_vector(GAPS, 1, 3, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  for (int i = 0; i < ROUNDS; ++i) {
    int numbers[3 * GAPS], right = 1;
    for (int k = 0; k < 3 * GAPS; ++k)
      numbers[k] = rank ? -1 : 1000 * i + k;
    if (!rank) {
      MPI_Send(numbers, 1, gaps, 1, i % 5, comms[i % 2]);
      continue;
    }
    const int wild = i % 3 == 1;
    if (i % 3 == 2) {
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i % 2], &status);
      CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == i % 5);
    }
    MPI_Recv(numbers, 1, gaps, wild ? MPI_ANY_SOURCE : 0, wild ? MPI_ANY_TAG : i % 5, comms[i % 2], &status);
    CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == i % 5);
    for (int k = 0; k < 3 * GAPS; ++k)
      right &= numbers[k] == (k % 3 ? -1 : 1000 * i + k);
    CHECK(right);
  }
  MPI_Type_free(&gaps);
  MPI_Comm_free(&comms[0]);
  MPI_Comm_free(&comms[1]);
}

/* Each message is longer than its receive, in a cell, in cells, in a block and by a rendezvous. The next one fits. */
static void truncate_some(void) {
  static const int lengths[] = {40, 48, 49, 200, 5000, LONGEST};
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; ++i) {
    const int length = lengths[i];
    int class = MPI_SUCCESS;
    if (!rank) {
      fill(length, length);
      MPI_Send(bytes, length, MPI_BYTE, 1, 10, MPI_COMM_WORLD);
      MPI_Send(bytes, length, MPI_BYTE, 1, 10, MPI_COMM_WORLD);
      continue;
    }
    bytes[length - 1] = 77;
    MPI_Error_class(MPI_Recv(bytes, length - 1, MPI_BYTE, 0, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE), &class);
    CHECK(class == MPI_ERR_TRUNCATE && bytes[length - 1] == 77);
    receive(length, length, 10);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Messages of this rank to itself, whose receives are posted before, completed by MPI_Wait or MPI_Test. */
static void talk_to_oneself(void) {
  for (int i = 0; i < ROUNDS; ++i) {
    int number = -1, flag = 0;
    MPI_Request request;
    MPI_Irecv(&number, 1, MPI_INT, rank, 11, MPI_COMM_WORLD, &request);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
    MPI_Send(&i, 1, MPI_INT, rank, 11, MPI_COMM_WORLD);
    while (i % 2 && !flag)
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    if (i % 2 == 0)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(number == i && request == MPI_REQUEST_NULL);
  }
}

/* Receives in the array complete in another order, and null requests are among them. */
static void wait_for_any(void) {
  MPI_Request requests[2 * TAGS];
  int numbers[TAGS], index, seen = 0;
  for (int i = 0; i < TAGS; ++i) {
    requests[2 * i] = MPI_REQUEST_NULL;
    MPI_Irecv(&numbers[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &requests[2 * i + 1]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = TAGS; i-- > 0;) {
    const int number = 100 * rank + i;
    MPI_Send(&number, 1, MPI_INT, peer, i, MPI_COMM_WORLD);
  }
  for (int i = 0; i < TAGS; ++i) {
    MPI_Status status;
    CHECK(!MPI_Waitany(2 * TAGS, requests, &index, &status));
    CHECK(index % 2 == 1 && requests[index] == MPI_REQUEST_NULL && status.MPI_TAG == index / 2);
    CHECK(numbers[index / 2] == 100 * peer + index / 2);
    seen |= 1 << index / 2;
  }
  CHECK(seen == (1 << TAGS) - 1);
  CHECK(!MPI_Waitany(2 * TAGS, requests, &index, MPI_STATUS_IGNORE) && index == MPI_UNDEFINED);
}

static int probes(int tag) {
  int flag = -1;
  MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  CHECK(flag == 0 || flag == 1);
  return flag;
}

/* The message for the posted receive comes first, and is in the lane while rank 1 probes. */
static void probe_behind_posted(void) {
  int first = 0, second = 0, flag = 0;
  MPI_Request request;
  MPI_Status status;
  if (!rank) {
    MPI_Recv(&first, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&first, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
    MPI_Send(&first, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    return;
  }
  MPI_Irecv(&first, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
  MPI_Send(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
  while (!flag) {
    CHECK(!probes(4));
    MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
  }
  CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == 5);
  MPI_Recv(&second, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(first == 1 && second == 1);
}

/* Rank 0 sends tag 7 after a long message that needs the receiver. */
static void probe_with_progress(void) {
  enum { LONG = 3 << 20 };
  char *large = calloc(LONG, 1);
  MPI_Request request;
  if (!rank) {
    MPI_Ssend(large, LONG, MPI_CHAR, 1, 6, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  } else {
    int number;
    MPI_Irecv(large, LONG, MPI_CHAR, 0, 6, MPI_COMM_WORLD, &request);
    while (!probes(7))
      ;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Recv(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  free(large);
}

static void *pass_to_and_fro(void *unused) {
  int number = 0;
  for (int i = 0; i < ROUNDS; ++i) {
    if (!rank)
      MPI_Send(&i, 1, MPI_INT, peer, 8, MPI_COMM_WORLD);
    MPI_Recv(&number, 1, MPI_INT, peer, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(number == i);
    if (rank)
      MPI_Send(&i, 1, MPI_INT, peer, 8, MPI_COMM_WORLD);
  }
  return unused;
}

#if MPI_VERSION >= 4
/* The receive of a pair holds a type that the program has freed. MPI_Waitany tests the pair, and with it ends the
 * type, whose callback runs without the lock. Another thread takes the lock meanwhile, and again afterwards. */
static _Atomic int is_in_callback, calls, stops;

static void *call_often(void *unused) {
  while (!is_in_callback && !stops)
    usleep(100);
  while (!stops) {
    probes(31);
    ++calls;
  }
  return unused;
}

static void await_calls(int more) {
  const int wanted = calls + more;
  while (calls < wanted)
    usleep(100);
}

static int delete_attribute(MPI_Datatype type, int key, void *value, void *state) {
  is_in_callback = 1;
  for (int i = 0; i < 2000 && calls < 2; ++i) /* the MPI library may let no other thread in meanwhile */
    usleep(100);
  return MPI_SUCCESS;
}

static void wait_beside_a_pair(void) {
  enum { LONG = 32 << 20 }; /* so long that the send cannot be complete before its receive */
  char *large = calloc(LONG, 1);
  int pair[4] = {0}, simple = 0, index, key;
  MPI_Request requests[2];
  MPI_Datatype type;
  pthread_t other;
  if (rank) {
    MPI_Send(pair, 2, MPI_INT, 0, 32, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, 0, 33, MPI_COMM_WORLD);
    MPI_Recv(&simple, 1, MPI_INT, 0, 34, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(large, LONG, MPI_CHAR, 0, 32, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(large);
    return;
  }
  pthread_create(&other, NULL, call_often, NULL);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, delete_attribute, &key, NULL);
  MPI_Type_vector(2, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Type_set_attr(type, key, NULL);
  MPI_Isendrecv(large, LONG, MPI_CHAR, 1, 32, pair, 1, type, 1, 32, MPI_COMM_WORLD, &requests[0]);
  MPI_Type_free(&type);
  MPI_Irecv(&simple, 1, MPI_INT, 1, 33, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < ROUNDS; ++i) { /* both messages come, and the lock gets its bias */
    probes(35);
    usleep(200);
  }
  const int error = MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  CHECK(!error && index == 1 && simple == 1);
  if (is_in_callback)
    await_calls(3); /* without a call of this thread */
  stops = 1;
  pthread_join(other, NULL);
  MPI_Send(&simple, 1, MPI_INT, 1, 34, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Type_free_keyval(&key);
  free(large);
}
#else
static void wait_beside_a_pair(void) {}
#endif

static void beside_another_thread(void) {
  pthread_t other;
  pthread_create(&other, NULL, pass_to_and_fro, NULL);
  for (int i = 0; i < ROUNDS; ++i)
    CHECK(!probes(9));
  keep_order(0);
  change_communicators();
  talk_to_oneself();
  wait_for_any();
  pthread_join(other, NULL);
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  peer = 1 - rank;
  keep_order(0);
  keep_order(1);
  flood(8);
  flood(1000);
  flood(5000);
  change_communicators();
  truncate_some();
  talk_to_oneself();
  for (int i = 0; i < 3; ++i)
    wait_for_any();
  probe_behind_posted();
  probe_with_progress();
  if (argc > 1 && !strcmp(argv[1], "multiple"))
    wait_beside_a_pair();
  if (argc > 1)
    beside_another_thread();
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime -lpthread
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t multiple | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 taskset -c 0 %t multiple | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 taskset -c 0 %t | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t threads | FileCheck %s %}
// CHECK: passed
