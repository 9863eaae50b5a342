/* Collective operations whose datatypes, operations and sizes are constants, as templates like
 * them; some ranks make the same calls by a pointer. Each rank knows the result. See stress-collective.h.
 */
#include "stress-collective.h"

/* A row each: datatype, its C type, elements. 48 bytes travel in one cell, more do not. */
#define EACH_SHAPE(DO)                                                                             \
  DO(0, MPI_DOUBLE, double, 1)                                                                     \
  DO(1, MPI_DOUBLE, double, 6)                                                                     \
  DO(2, MPI_DOUBLE, double, 7)                                                                     \
  DO(3, MPI_INT, int, 1)                                                                           \
  DO(4, MPI_INT, int, 3)                                                                           \
  DO(5, MPI_FLOAT, float, 2)                                                                       \
  DO(6, MPI_LONG, long, 1)                                                                         \
  DO(7, MPI_UNSIGNED_CHAR, unsigned char, 5)                                                       \
  DO(8, MPI_UNSIGNED, unsigned, 2)                                                                 \
  DO(9, MPI_SHORT, short, 4)
enum { SHAPES = 10 };

/* The data of a rank: 1, 2 or 3. */
static int part(int rank, int i, int seed) { return 1 + (rank * 7 + i * 5 + seed) % 3; }

enum { SUM, MAX, MIN, PROD, WAYS };

static int expected(int size, int i, int seed, int way) {
  int result = part(0, i, seed);
  for (int rank = 1; rank < size; ++rank) {
    const int other = part(rank, i, seed);
    result = way == SUM                                       ? result + other
             : way == PROD                                    ? result * other
             : (way == MAX ? other > result : other < result) ? other
                                                              : result;
  }
  return result;
}

#define EACH_WAY(DO, ...)                                                                          \
  DO(SUM, __VA_ARGS__) DO(MAX, __VA_ARGS__) DO(MIN, __VA_ARGS__) DO(PROD, __VA_ARGS__)

#define CHECK_ALL(TYPE, COUNT)                                                                     \
  for (int i = 0; i < COUNT; ++i)                                                                  \
  require(out[i] == (TYPE)expected(size, i, seed, way), "constant reduction", NULL)

#define ONE_ALLREDUCE(WAY, COUNT, DATATYPE)                                                        \
  if (way == WAY)                                                                                  \
    CALL(pointer, Allreduce, in_place ? MPI_IN_PLACE : in, out, COUNT, DATATYPE, MPI_##WAY, comm);
#define ALLREDUCE(INDEX, DATATYPE, TYPE, COUNT)                                                    \
  if (shape == INDEX) {                                                                            \
    TYPE in[COUNT], out[COUNT];                                                                    \
    for (int i = 0; i < COUNT; ++i)                                                                \
      in[i] = out[i] = (TYPE)part(rank, i, seed);                                                  \
    EACH_WAY(ONE_ALLREDUCE, COUNT, DATATYPE)                                                       \
    CHECK_ALL(TYPE, COUNT);                                                                        \
  }
static void allreduce(int shape, int way, int pointer, int in_place, int seed, MPI_Comm comm,
                      int rank, int size) {
  EACH_SHAPE(ALLREDUCE)
}

/* The same on MPI_COMM_WORLD by name, in doubles. */
static void allreduce_on_world(int way, int pointer, int in_place, int seed, int rank, int size) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const int shape = 0;
  ALLREDUCE(0, MPI_DOUBLE, double, 1)
}

#define ONE_REDUCE(WAY, COUNT, DATATYPE)                                                           \
  if (way == WAY)                                                                                  \
    CALL(pointer, Reduce, in_place &&rank == root ? MPI_IN_PLACE : in, out, COUNT, DATATYPE,       \
         MPI_##WAY, root, comm);
#define REDUCE(INDEX, DATATYPE, TYPE, COUNT)                                                       \
  if (shape == INDEX) {                                                                            \
    TYPE in[COUNT], out[COUNT];                                                                    \
    for (int i = 0; i < COUNT; ++i)                                                                \
      in[i] = out[i] = (TYPE)part(rank, i, seed);                                                  \
    EACH_WAY(ONE_REDUCE, COUNT, DATATYPE)                                                          \
    if (rank == root)                                                                              \
      CHECK_ALL(TYPE, COUNT);                                                                      \
  }
static void reduce(int shape, int way, int pointer, int in_place, int seed, int root, MPI_Comm comm,
                   int rank, int size){EACH_SHAPE(REDUCE)}

#define BCAST(INDEX, DATATYPE, TYPE, COUNT)                                                        \
  if (shape == INDEX) {                                                                            \
    TYPE out[COUNT + 1] = {0};                                                                     \
    for (int i = 0; rank == root && i < COUNT; ++i)                                                \
      out[i] = (TYPE)part(root, i, seed);                                                          \
    CALL(pointer, Bcast, out, COUNT, DATATYPE, root, comm);                                        \
    for (int i = 0; i < COUNT; ++i)                                                                \
      require(out[i] == (TYPE)part(root, i, seed) && !out[COUNT], "constant broadcast", NULL);     \
  }
static void bcast(int shape, int pointer, int seed, int root, MPI_Comm comm, int rank) {
  EACH_SHAPE(BCAST)
}

void phase_constant_collectives(void) {
  const int rounds = draw(60), same = draw(3);
  int c = 0;
  for (int i = 0; i < rounds; ++i) {
    c = same && i % 20 ? c : draw(MAXIMUM_COMMUNICATORS);
    const int what = draw(10), shape = draw(SHAPES), way = draw(WAYS), calls = draw(3),
              in_place = draw(2), seed = draw(100), root = draw(world.sizes[c]),
              again = draw(8) ? 1 : draw(20);
    const int pointer = calls == 2 || (calls == 1 && world.rank % 2), rank = world.ranks[c],
              size = world.sizes[c];
    const MPI_Comm comm = world.communicators[c];
    note(what * 100 + shape);
    for (int k = 0; k < again && rank >= 0; ++k)
      if (what < 4)
        allreduce(shape, way, pointer, in_place, seed + k, comm, rank, size);
      else if (what < 6)
        reduce(shape, way, pointer, in_place, seed + k, root, comm, rank, size);
      else if (what < 8)
        bcast(shape, pointer, seed + k, (root + k % 2) % size, comm, rank);
      else if (what == 8)
        CALL(pointer, Barrier, comm);
      else if (comm == MPI_COMM_WORLD)
        allreduce_on_world(way, pointer, in_place, seed + k, rank, size);
  }
}
