/* Messages whose two sides are of different random types: in every mode, every way that bytes
 * travel, longer and shorter than what is received. Each byte around is looked at, and counts are
 * the MPI library's. */
#include "check.h"
#include "random-types.h"

#include <mpi.h>
#include <string.h>

enum { MEMORY = 8 << 20, MIDDLE = MEMORY / 2, MOST_INTS = 60000 };
static unsigned char sent[MEMORY], received[MEMORY], expected[MEMORY];
static int packed[2 * MOST_INTS + 4000];
static int rank;

/* Nobody may receive what overlaps. */
static int overlaps(MPI_Datatype type, int size) {
  enum { AROUND = 2 * MOST_SPAN };
  int position = 0, bytes = 0;
  memset(expected + MIDDLE - AROUND, 0, 2 * AROUND);
  memset(packed, 0xff, (size_t)size);
  MPI_Unpack(packed, size, &position, expected + MIDDLE, 1, type, MPI_COMM_SELF);
  for (int i = -AROUND; i < AROUND; ++i)
    bytes += expected[MIDDLE + i] != 0;
  return bytes != size;
}

/* A type of integers only, with elements that do not overlap. */
static MPI_Datatype random_ints(int *size) {
  MPI_Aint lower, true_extent, extent;
  for (;;) {
    MPI_Datatype type = random_type(1 + below(4), 1);
    MPI_Type_size(type, size);
    MPI_Type_get_true_extent(type, &lower, &true_extent);
    MPI_Type_get_extent(type, &lower, &extent);
    MPI_Type_commit(&type);
    const int fits = *size && *size < 12000 && extent >= true_extent && !overlaps(type, *size);
    *size /= (int)sizeof(int);
    if (fits && extent * MOST_INTS / *size < MIDDLE / 2)
      return type;
    MPI_Type_free(&type);
  }
}

struct exchange {
  int out_size, in_size, out_count, in_count; /* sizes in integers */
  MPI_Datatype out, in;
};

/* About as many integers on both sides: the receive has room for them, mostly. */
static struct exchange random_exchange(void) {
  static const int lengths[] = {1, 8, 12, 60, 240, 300, 3000, 12000, 20000, 50000};
  struct exchange e;
  const int length = 1 + below(lengths[below(10)]);
  e.out = random_ints(&e.out_size);
  e.in = random_ints(&e.in_size);
  e.out_count = 1 + length / e.out_size;
  e.in_count = (e.out_count * e.out_size + e.in_size - 1) / e.in_size;
  if (below(12) == 0)
    e.in_count = e.in_count * 3 / 4; /* truncated */
  return e;
}

static void start(const struct exchange *e, int mode, MPI_Request *request) {
  static int (*const starts[])(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                               MPI_Request *) = {MPI_Isend, MPI_Issend, MPI_Ibsend};
  starts[mode](sent + MIDDLE, e->out_count, e->out, 1, 3, MPI_COMM_WORLD, request);
}

static void send(const struct exchange *e, int mode) {
  static int (*const sends[])(const void *, int, MPI_Datatype, int, int,
                              MPI_Comm) = {MPI_Send, MPI_Ssend, MPI_Bsend};
  MPI_Request request;
  if (below(2)) {
    sends[mode](sent + MIDDLE, e->out_count, e->out, 1, 3, MPI_COMM_WORLD);
    return;
  }
  start(e, mode, &request);
  if (!below(4))
    usleep(1000); /* the receiver may not wait for us */
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* The result of the MPI library's own functions. */
static void expect(const struct exchange *e) {
  const int room = e->in_count * e->in_size, bytes = 4 * e->out_count * e->out_size;
  int position = 0;
  memset(expected, 0xee, sizeof expected);
  memset(packed, 0xee, sizeof packed);
  /* Bytes that are not received stay as they were. */
  MPI_Pack(expected + MIDDLE, e->in_count, e->in, packed, sizeof packed, &position, MPI_COMM_SELF);
  unsigned char *part = malloc((size_t)bytes + 1);
  position = 0;
  MPI_Pack(sent + MIDDLE, e->out_count, e->out, part, bytes, &position, MPI_COMM_SELF);
  memcpy(packed, part, (size_t)(bytes < 4 * room ? bytes : 4 * room));
  free(part);
  position = 0;
  MPI_Unpack(packed, 4 * room, &position, expected + MIDDLE, e->in_count, e->in, MPI_COMM_SELF);
}

static void receive(const struct exchange *e, int i) {
  MPI_Status status;
  MPI_Request request;
  int whole, elements, error;
  memset(received, 0xee, sizeof received);
  if (below(2)) {
    error = MPI_Recv(received + MIDDLE, e->in_count, e->in, 0, 3, MPI_COMM_WORLD, &status);
  } else {
    MPI_Irecv(received + MIDDLE, e->in_count, e->in, below(2) ? 0 : MPI_ANY_SOURCE, 3,
              MPI_COMM_WORLD, &request);
    error = MPI_Wait(&request, &status);
  }
  MPI_Error_class(error, &error);
  MPI_Get_count(&status, e->in, &whole);
  MPI_Get_elements(&status, MPI_INT, &elements);
  if (error)
    tell("%d: truncated %d", i, error == MPI_ERR_TRUNCATE);
  else
    tell("%d: count %d, elements %d", i, whole, elements);
  expect(e);
  if (!error) /* MPI leaves open what a truncated message leaves behind */
    CHECK(!memcmp(received, expected, sizeof received));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Buffer_attach(malloc(MEMORY), MEMORY);
  const int first = argc > 2 ? atoi(argv[2]) : 0, tries = argc > 1 ? atoi(argv[1]) : 100;
  for (int i = 0; i < MEMORY; ++i)
    sent[i] = (unsigned char)(i * 2654435761u >> 13);
  for (int i = first; i < first + tries; ++i) {
    random_state = (unsigned)i * 7919;
    struct exchange e = random_exchange();
    random_state += (unsigned)rank;
    if (rank == 0)
      send(&e, below(3));
    if (rank == 1)
      receive(&e, i);
    MPI_Type_free(&e.in);
    MPI_Type_free(&e.out);
  }
  MPI_Finalize();
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// Without lanes, Intel MPI takes one of the messages that are too long for one without bytes.
// RUN: %if intel %{ env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s %}
// RUN: %if !intel %{ %both -n 2 %t | FileCheck %s %}
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 MPISPEC_MODE=lanes %mpirun -n 2 %t 20 | FileCheck %s %}
// RUN: %if !sanitizer %{ %mpicc -fPIC -shared %tool/refuse.c -o %t.refuse.so && \
// RUN:   env MPISPEC_MODE=lanes %mpirun -n 2 -env LD_PRELOAD %t.refuse.so \
// RUN:     -env REFUSE readv-later %t | FileCheck %s %}
// CHECK-DAG: 17: count {{[0-9]+}}, elements {{[0-9]+}}
