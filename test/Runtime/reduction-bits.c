/* Floating-point reductions give the bits that the MPI library gives. Each operation is made twice, by MPI_* and by
 * PMPI_*, and the results are compared bit for bit. It is repeated until the runtime has found the library's order
 * and does the work itself. Operations that it still leaves to the library have the same result anyway.
 *
 *   reduction-bits <types> <counts> [roots]
 *
 * `types` are letters of the table below, `counts` numbers between commas. */
#include "check.h"

#include <complex.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 100000 };
static int rank, size;
static MPI_Comm communicator;

struct pair_of_double {
  double value;
  int index;
};

/* Which operations a type has. */
enum { SUMS = 1, EXTREMES = 2, PLACES = 4 };
static const struct type {
  char letter;
  const MPI_Datatype datatype;
  int extent, number; /* bytes of an element, and of each number that it is made of */
  int operations;
} types[] = {{'f', MPI_FLOAT, 4, 4, SUMS | EXTREMES},
             {'d', MPI_DOUBLE, 8, 8, SUMS | EXTREMES},
             {'l', MPI_LONG_DOUBLE, 16, 16, SUMS | EXTREMES},
             {'c', MPI_C_FLOAT_COMPLEX, 8, 4, SUMS},
             {'z', MPI_C_DOUBLE_COMPLEX, 16, 8, SUMS},
             {'w', MPI_C_LONG_DOUBLE_COMPLEX, 32, 16, SUMS},
             {'p', MPI_DOUBLE_INT, sizeof(struct pair_of_double), 8, PLACES},
             {'r', MPI_2REAL, 8, 4, PLACES}};

/* --- data --------------------------------------------------------------------------------------*/

static int repeats = 7; /* calls of each kind; without expected orders, trials begin at the 11th */
static uint64_t state;
static uint64_t draw(void) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return state >> 20;
}

/* Zeros of both signs, and NaNs that differ by rank, sign and place: `special` says how often. */
static long double value(int special) {
  const uint64_t bits = draw();
  const long double magnitude = 1 + (long double)(bits % 1000003) / 1000003;
  if (bits >> 30 & special)
    return (bits & 1 ? -1 : 1) * magnitude * (long double)(1 << bits % 3) / 2;
  return bits & 1 ? -0.0L : 0.0L;
}

static void store(const struct type *type, int special, unsigned char *to) {
  const long double number = value(special);
  const float as_float = (float)number;
  const double as_double = (double)number;
  const uint64_t choice = draw() % 9;
  const uint32_t float_nan = 0x7fc00000u | (uint32_t)(choice & 1) << 31 | (uint32_t)rank;
  const uint64_t double_nan =
      UINT64_C(0x7ff8) << 48 | (choice & 1) << 63 | (uint64_t)rank;
  const int is_nan = special == 1 && choice < 2;
  if (type->number == 4)
    memcpy(to, is_nan ? (const void *)&float_nan : &as_float, 4);
  else if (type->number == 8)
    memcpy(to, is_nan ? (const void *)&double_nan : &as_double, 8);
  else
    memcpy(to, &number, 10);
}

static _Alignas(64) unsigned char given[32 * MOST], mine[32 * MOST], theirs[32 * MOST];

/* A vector of this rank's; the same is asked for twice. */
static void prepare(const struct type *type, int count, int special) {
  memset(given, 0, (size_t)count * (size_t)type->extent);
  for (int i = 0; i < count; ++i) {
    unsigned char *element = given + (ptrdiff_t)i * type->extent;
    for (int at = 0; at + type->number <= type->extent; at += type->number)
      if (type->datatype != MPI_DOUBLE_INT || !at)
        store(type, special, element + at);
    const int index = (int)(draw() % 5);
    if (type->datatype == MPI_DOUBLE_INT)
      memcpy(element + 8, &index, sizeof index);
  }
}

static const char *name_of(MPI_Op op) {
  return op == MPI_SUM    ? "MPI_SUM"
         : op == MPI_PROD ? "MPI_PROD"
         : op == MPI_MAX  ? "MPI_MAX"
         : op == MPI_MIN  ? "MPI_MIN"
                          : "MPI_MAXLOC or MINLOC";
}

static void compare(const struct type *type, const char *what, MPI_Op op, int count) {
  if (!memcmp(mine, theirs, (size_t)count * (size_t)type->extent))
    return; /* the bytes between the numbers are the same, too */
  for (int i = 0; i < count * type->extent; i += type->number) {
    const int length = type->number == 16 ? 10
                       : type->datatype == MPI_DOUBLE_INT && i % type->extent ? 4 : type->number;
    if (!memcmp(mine + i, theirs + i, (size_t)length))
      continue;
    tell("%s of %d, type %c, %s, rank %d of %d: element %d differs", what, count, type->letter,
         name_of(op), rank, size, i / type->extent);
    CHECK(!"the same bits");
  }
}

/* --- operations --------------------------------------------------------------------------------*/

/* Both ways of making one call, into results that were filled alike. */
#define BOTH(WHAT, LENGTH, GOT, CALL)                                                              \
  do {                                                                                             \
    memset(mine, 7, (size_t)(LENGTH) * (size_t)type->extent);                                      \
    memset(theirs, 7, (size_t)(LENGTH) * (size_t)type->extent);                                    \
    unsigned char *result = mine;                                                                  \
    MPI_##CALL;                                                                                    \
    result = theirs;                                                                               \
    PMPI_##CALL;                                                                                   \
    compare(type, WHAT, op, GOT);                                                                  \
  } while (0)

#define BOTH_IN_PLACE(WHAT, LENGTH, GOT, CALL)                                                     \
  do {                                                                                             \
    memcpy(mine, given, (size_t)(LENGTH) * (size_t)type->extent);                                  \
    memcpy(theirs, given, (size_t)(LENGTH) * (size_t)type->extent);                                \
    unsigned char *result = mine;                                                                  \
    MPI_##CALL;                                                                                    \
    result = theirs;                                                                               \
    PMPI_##CALL;                                                                                   \
    compare(type, WHAT, op, GOT);                                                                  \
  } while (0)

static void reduce_to(const struct type *type, MPI_Op op, int count, int root) {
  const MPI_Datatype datatype = type->datatype;
  BOTH("Reduce", count, rank == root ? count : 0,
       Reduce(given, result, count, datatype, op, root, communicator));
  if (root && count * type->extent > 2048)
    return; /* MPICH 4.0.2 crashes */
  BOTH_IN_PLACE("Reduce in place", count, rank == root ? count : 0,
                Reduce(rank == root ? MPI_IN_PLACE : given, rank == root ? result : NULL, count,
                       datatype, op, root, communicator));
}

static void scatter(const struct type *type, MPI_Op op, int count) {
  const MPI_Datatype datatype = type->datatype;
  const int block = count / size;
  int counts[64];
  for (int i = 0; i < size; ++i)
    counts[i] = block ? (i % 3) * block / 2 : 1;
  BOTH("Reduce_scatter", count, counts[rank],
       Reduce_scatter(given, result, counts, datatype, op, communicator));
  BOTH_IN_PLACE("Reduce_scatter in place", count, counts[rank],
                Reduce_scatter(MPI_IN_PLACE, result, counts, datatype, op, communicator));
  if (block)
    BOTH("Reduce_scatter_block", count, block,
         Reduce_scatter_block(given, result, block, datatype, op, communicator));
}

static void all(const struct type *type, MPI_Op op, int count, int roots) {
  const MPI_Datatype datatype = type->datatype;
  BOTH("Allreduce", count, count, Allreduce(given, result, count, datatype, op, communicator));
  BOTH_IN_PLACE("Allreduce in place", count, count,
                Allreduce(MPI_IN_PLACE, result, count, datatype, op, communicator));
  BOTH("Scan", count, count, Scan(given, result, count, datatype, op, communicator));
  BOTH("Exscan", count, rank ? count : 0,
       Exscan(given, result, count, datatype, op, communicator));
  for (int root = 0; root < size; root += roots ? 1 : size - 1 + (size == 1))
    reduce_to(type, op, count, root);
  if (count >= size)
    scatter(type, op, count);
}

/* Two operations over the same vectors, of which every repetition has its own. */
static void try_operations(const struct type *type, MPI_Op first, MPI_Op second, int count, int roots, int special) {
  for (int i = 0; i < repeats; ++i) {
    prepare(type, count, special);
    all(type, first, count, roots);
    all(type, second, count, roots);
  }
}

static void try_type(const struct type *type, int count, int roots) {
  if (type->operations & SUMS)
    try_operations(type, MPI_SUM, MPI_PROD, count, roots, 7);
  if (type->operations & EXTREMES)
    try_operations(type, MPI_MAX, MPI_MIN, count, roots, 1);
  if (type->operations & PLACES)
    try_operations(type, MPI_MAXLOC, MPI_MINLOC, count, roots, 1);
}

/* --- communicators -----------------------------------------------------------------------------*/

/* All ranks; all in reverse; every second one. */
static void make_communicator(const char *which) {
  const int half = !strcmp(which, "half");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!strcmp(which, "world"))
    communicator = MPI_COMM_WORLD;
  else
    MPI_Comm_split(MPI_COMM_WORLD, half ? rank % 2 : 0, -rank, &communicator);
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *which = argc > 3 ? argv[3] : "world";
  make_communicator(which);
  state = (uint64_t)rank * 977 + 5;
  if (getenv("REPEATS"))
    repeats = atoi(getenv("REPEATS"));
  for (const char *counts = argv[2]; *counts; counts += strcspn(counts, ","), counts += *counts == ',')
    for (unsigned t = 0; t < sizeof types / sizeof types[0]; ++t)
      if (strchr(argv[1], types[t].letter))
        try_type(&types[t], atoi(counts), argc > 4);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// Where ranks outnumber cores plain MPICH needs to be told to give way.
// RUN: %mpicc -w %include %s -I%S -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t fdlczwpr 1,7,300,3000 | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t dz 100000 | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t fdlczwpr 1,300 world roots | FileCheck %s
// RUN: %if !quick %{ env MPISPEC_MODE=lanes %mpirun -n 3 %t d 100000 | FileCheck %s %}
// RUN: env MPISPEC_MODE=lanes %mpirun -n 4 %t dc 2,256,257,1000 world roots | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 4 %t z 3,20000 | FileCheck %s
// RUN: for ranks in 2 5; do env MPISPEC_MODE=lanes %mpirun -n $ranks taskset -c 0 %t dp 1,300 world roots | FileCheck %s || exit 1; done
// RUN: %if !quick %{ env MPISPEC_MODE=lanes %mpirun -n 6 %t fz 1,2000 half | FileCheck %s %}
// RUN: env MPISPEC_MODE=lanes %mpirun -n 5 %t fp 1,600 world roots | FileCheck %s
// RUN: %if !quick %{ env MPISPEC_MODE=lanes %mpirun -n 7 %t dl 5,2000 reverse | FileCheck %s %}
// RUN: env MPISPEC_MODE=lanes %mpirun -n 8 %t d 1,1000 | FileCheck %s
// RUN: %if !quick %{ env MPISPEC_MODE=lanes %mpirun -n 9 %t d 1,300 | FileCheck %s %}
// RUN: %if nodes %{ env REPEATS=12 MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t dl 1,300 world roots | FileCheck %s %}
// RUN: %if nodes && !quick %{ env REPEATS=12 MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 7 %t f 1,300 reverse | FileCheck %s %}
// RUN: env REPEATS=12 MPISPEC_MODE=lanes MPIR_CVAR_NUM_CLIQUES=3 %mpirun -n %if quick %{ 5 %} %else %{ 8 %} %t z 3 world roots | FileCheck %s
// A setting without effect, because of which MPICH's orders are not expected.
// DEFINE: %{tried} = env REPEATS=12 MPISPEC_MODE=lanes MPIR_CVAR_REDUCE_SHORT_MSG_SIZE=2048
// RUN: %{tried} %mpirun -n 4 %t dp 1,300 | FileCheck %s
// RUN: %{tried} %mpirun -n %if quick %{ 5 %} %else %{ 7 %} %t f 5,2000 reverse | FileCheck %s
// The second time with the file of what was found; then it is another on some ranks.
// RUN: rm -rf %t.d
// RUN: for i in 1 2; do %{tried} MPISPEC_CACHE=%t.d %mpirun -n 6 %t fz 1,600 half > %t.out && FileCheck %s < %t.out || exit 1; done
// RUN: %{tried} MPISPEC_CACHE=%t.d %mpirun -n 4 %t fz 1,600 half : -n 2 env MPISPEC_CACHE=%t.e %t fz 1,600 half | FileCheck %s
// CHECK: passed
