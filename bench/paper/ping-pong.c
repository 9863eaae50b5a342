/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ping-pong.c - a message there and back, in the paper's categories: the arguments of the call that
 * are known when the program is compiled.
 *
 *   generic       none
 *   node          CommNode static: peer, tag and communicator; count and datatype are not known
 *   size          CommSize static: count and datatype; peer, tag and communicator are not known
 *   both          all
 *   derived       generic, with a vector of doubles with gaps
 *   derived-node  CommNode static, with the same vector
 *   varying       generic, with another tag each time, so that a cache of arguments never has the
 *                 call
 *   handoff       without MPI: bytes through memory that both ranks map, with one flag each way
 *
 * Prints "category-bytes nanoseconds" for one way, the best of several repetitions.
 *
 *   ping-pong [milliseconds per repetition [category...]] */
#include "measure.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = MEASURE_LARGEST, TAGS = 30000 };

/* Arguments that the compiler must not know are in an object of external linkage. */
struct arguments {
  int rank, peer, tag, count;
  MPI_Datatype datatype, vector;
  MPI_Comm comm;
} arguments;
static char *out, *in;

/* Text, not functions: each category's calls are call sites of their own. A fact holds for a site
 * only if it holds for all copies of the site. */
#define PING(COUNT, DATATYPE, PEER, TAG, COMM)                                                     \
  for (int i = 0; i < rounds; ++i) {                                                               \
    MPI_Send(out, COUNT, DATATYPE, PEER, TAG, COMM);                                               \
    MPI_Recv(in, COUNT, DATATYPE, PEER, TAG, COMM, MPI_STATUS_IGNORE);                             \
  }
#define PONG(COUNT, DATATYPE, PEER, TAG, COMM)                                                     \
  for (int i = 0; i < rounds; ++i) {                                                               \
    MPI_Recv(in, COUNT, DATATYPE, PEER, TAG, COMM, MPI_STATUS_IGNORE);                             \
    MPI_Send(out, COUNT, DATATYPE, PEER, TAG, COMM);                                               \
  }

static void generic(int rounds, int bytes) {
  const struct arguments a = arguments;
  (void)bytes;
  if (a.rank == 0) {
    PING(a.count, a.datatype, a.peer, a.tag, a.comm)
  } else {
    PONG(a.count, a.datatype, a.peer, a.tag, a.comm)
  }
}

static void node(int rounds, int bytes) {
  const struct arguments a = arguments;
  int rank;
  (void)bytes;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    PING(a.count, a.datatype, 1, 5, MPI_COMM_WORLD)
  } else {
    PONG(a.count, a.datatype, 0, 5, MPI_COMM_WORLD)
  }
}

#define SIZE_CASE(BYTES)                                                                           \
  case BYTES:                                                                                      \
    if (a.rank == 0) {                                                                             \
      PING(BYTES / 8, MPI_DOUBLE, a.peer, a.tag, a.comm)                                           \
    } else {                                                                                       \
      PONG(BYTES / 8, MPI_DOUBLE, a.peer, a.tag, a.comm)                                           \
    }                                                                                              \
    break;
static void size(int rounds, int bytes) {
  const struct arguments a = arguments;
  switch (bytes) { MEASURE_SIZES(SIZE_CASE) }
}

#define FIRST_CASE(BYTES)                                                                          \
  case BYTES:                                                                                      \
    PING(BYTES / 8, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD)                                              \
    break;
#define SECOND_CASE(BYTES)                                                                         \
  case BYTES:                                                                                      \
    PONG(BYTES / 8, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD)                                              \
    break;
static void both(int rounds, int bytes) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    switch (bytes) { MEASURE_SIZES(FIRST_CASE) }
  else
    switch (bytes) { MEASURE_SIZES(SECOND_CASE) }
}

static void derived(int rounds, int bytes) {
  const struct arguments a = arguments;
  (void)bytes;
  if (a.rank == 0) {
    PING(1, a.vector, a.peer, a.tag, a.comm)
  } else {
    PONG(1, a.vector, a.peer, a.tag, a.comm)
  }
}

static void derived_node(int rounds, int bytes) {
  const struct arguments a = arguments;
  int rank;
  (void)bytes;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    PING(1, a.vector, 1, 5, MPI_COMM_WORLD)
  } else {
    PONG(1, a.vector, 0, 5, MPI_COMM_WORLD)
  }
}

static void varying(int rounds, int bytes) {
  const struct arguments a = arguments;
  (void)bytes;
  if (a.rank == 0) {
    PING(a.count, a.datatype, a.peer, i % TAGS, a.comm)
  } else {
    PONG(a.count, a.datatype, a.peer, i % TAGS, a.comm)
  }
}

/* A flag and the bytes behind it, one each way; the flags far apart, because processors fetch
 * neighbouring lines together. Up to 56 bytes travel in the flag's own line. */
struct mailbox {
  _Alignas(4096) _Atomic int flag;
  char bytes[LARGEST];
};
static struct mailbox *boxes;

static void put(struct mailbox *box, int flag, int bytes) {
  memcpy(box->bytes, out, (size_t)bytes);
  atomic_store_explicit(&box->flag, flag, memory_order_release);
}

static void get(struct mailbox *box, int flag, int bytes) {
  while (atomic_load_explicit(&box->flag, memory_order_acquire) != flag)
    __builtin_ia32_pause();
  memcpy(in, box->bytes, (size_t)bytes);
}

static void handoff(int rounds, int bytes) {
  static int flag;
  for (int i = 0; i < rounds; ++i) {
    ++flag;
    if (arguments.rank == 0)
      put(&boxes[0], flag, bytes);
    get(&boxes[!arguments.rank], flag, bytes);
    if (arguments.rank == 1)
      put(&boxes[1], flag, bytes);
  }
}

static const struct category {
  const char *name;
  void (*body)(int rounds, int bytes);
} categories[] = {
    {"handoff", handoff}, {"generic", generic}, {"node", node},
    {"size", size},       {"both", both},       {"derived-node", derived_node},
    {"derived", derived}, {"varying", varying},
};

static int wanted(const char *name, int argc, char **argv) {
  for (int i = 2; i < argc; ++i)
    if (strcmp(argv[i], name) == 0)
      return 1;
  return argc <= 2;
}

static void measure_all(int bytes, int argc, char **argv) {
  const int derived_bytes = bytes ? bytes : 8;
  arguments.count = bytes / 8;
  MPI_Type_vector(derived_bytes / 8, 1, 2, MPI_DOUBLE, &arguments.vector);
  MPI_Type_commit(&arguments.vector);
  for (unsigned i = 0; i < sizeof categories / sizeof *categories; ++i) {
    const struct category *category = &categories[i];
    if (!wanted(category->name, argc, argv))
      continue;
    if (bytes == 0 && strncmp(category->name, "derived", 7) == 0)
      continue;
    measure_tell(category->name, bytes, measure_best(category->body, bytes) / 2);
  }
  MPI_Type_free(&arguments.vector);
}

int main(int argc, char **argv) {
  static const int sizes[] = {
#define ITEM(BYTES) BYTES,
      MEASURE_SIZES(ITEM)};
  measure_begin(&argc, &argv, argc > 1 ? atof(argv[1]) : 10);
  MPI_Comm_rank(MPI_COMM_WORLD, &arguments.rank);
  arguments.peer = !arguments.rank;
  arguments.tag = 5;
  arguments.datatype = MPI_DOUBLE;
  arguments.comm = MPI_COMM_WORLD;
  out = calloc(2, LARGEST); /* a vector with gaps spans twice its bytes */
  in = calloc(2, LARGEST);
  memset(out, 1, 2 * LARGEST);
  memset(in, 2, 2 * LARGEST);
  boxes = measure_shared(2 * sizeof *boxes);
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    measure_all(sizes[i], argc, argv);
  free(in);
  free(out);
  measure_end();
  return 0;
}
