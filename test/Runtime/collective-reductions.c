/* Every reduction over all datatypes and operations, short and long, in place or not, with every root. The results
 * are those of plain MPI, and nothing is written beyond them. */
#include "collective-test.h"

static MPI_Comm comm = MPI_COMM_WORLD;
static int rank, size;
static char *in, *out;
static const struct type *type;
static MPI_Op op;
/* Plain MPI: MPICH 4.0.2 fails in some long reductions in place. (Intel MPI does not, and which of two zeros is its maximum
 * depends on it.) */
static int reference;

/* Results, and what stands behind them. */
static void note(uint64_t *digest, const void *buffer, int count) {
  digest_elements(digest, type, buffer, count);
  digest_bytes(digest, (const char *)buffer + (size_t)count * (size_t)type->extent, 8);
}

static void prepare(int count, int seed) {
  put_elements(type, in, count, rank, seed);
  memset(out, 0x55, ((size_t)count + 1) * (size_t)type->extent + 8);
}

/* In place, the receive buffer holds the data to be sent. Returns the argument for the send buffer. */
static void *prepare_in_place(int count, int seed) {
  prepare(count, seed);
  if (reference)
    return in;
  memcpy(out, in, (size_t)count * (size_t)type->extent);
  return MPI_IN_PLACE;
}

static void try_allreduce(uint64_t *digest, int count) {
  prepare(count, 1);
  MPI_Allreduce(in, out, count, type->handle, op, comm);
  note(digest, out, count);
  MPI_Allreduce(prepare_in_place(count, 2), out, count, type->handle, op, comm);
  note(digest, out, count);
}

static void try_reduce(uint64_t *digest, int count) {
  for (int root = count < 3000 ? 0 : size - 1; root < size; ++root) {
    prepare(count, 3 + root);
    MPI_Reduce(in, out, count, type->handle, op, root, comm);
    note(digest, out, count);
    const void *send = prepare_in_place(count, 20 + root);
    MPI_Reduce(rank == root ? send : in, rank == root ? out : NULL, count, type->handle, op, root,
               comm);
    if (rank == root)
      note(digest, out, count);
  }
}

static void try_scans(uint64_t *digest, int count) {
  prepare(count, 4);
  MPI_Scan(in, out, count, type->handle, op, comm);
  note(digest, out, count);
  MPI_Scan(prepare_in_place(count, 5), out, count, type->handle, op, comm);
  note(digest, out, count);
  prepare(count, 6);
  MPI_Exscan(in, out, count, type->handle, op, comm);
  if (rank)
    note(digest, out, count);
  MPI_Exscan(prepare_in_place(count, 7), out, count, type->handle, op, comm);
  if (rank)
    note(digest, out, count);
}

static void try_reduce_scatter_block(uint64_t *digest, int count) {
  prepare(count * size, 8);
  MPI_Reduce_scatter_block(in, out, count, type->handle, op, comm);
  note(digest, out, count);
  MPI_Reduce_scatter_block(prepare_in_place(count * size, 9), out, count, type->handle, op, comm);
  digest_elements(digest, type, out, count);
}

static void try_reduce_scatter(uint64_t *digest, int count) {
  int counts[64], total = 0;
  for (int i = 0; i < size; ++i)
    total += counts[i] = i % 3 == 1 ? 0 : count + i;
  prepare(total, 10);
  MPI_Reduce_scatter(in, out, counts, type->handle, op, comm);
  note(digest, out, counts[rank]);
  MPI_Reduce_scatter(prepare_in_place(total, 11), out, counts, type->handle, op, comm);
  digest_elements(digest, type, out, counts[rank]);
}

/* With NODES=k, ranks in an order in which those of each of k nodes follow each other. With EVERY,
 * all combinations also of more than two ranks. */
int main(int argc, char **argv) {
  static const int counts[] = {0, 1, 7, 150, 3000, 30000};
  static void (*const tries[])(uint64_t *, int) = {try_allreduce, try_reduce, try_scans,
                                                   try_reduce_scatter_block, try_reduce_scatter};
  MPI_Init(&argc, &argv);
#if defined MPICH_VERSION && !defined I_MPI_VERSION
  reference = !strcmp(getenv("MPISPEC_MODE"), "off");
#endif
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (getenv("NODES"))
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank % atoi(getenv("NODES")) * size + rank, &comm);
  MPI_Comm_rank(comm, &rank);
  in = malloc((size_t)40000 * 32 * (size_t)(size < 4 ? 4 : size));
  out = malloc((size_t)40000 * 32 * (size_t)(size < 4 ? 4 : size));
  for (int t = 0; t < TYPES; ++t)
    for (int o = 0; o < OPERATIONS; ++o) {
      uint64_t digest = 1;
      type = &types[t];
      op = operations[o].handle;
      if (!is_allowed(type, &operations[o]) ||
          (size > 2 && !getenv("EVERY") && (t * OPERATIONS + o) % (size < 5 ? 41 : 123) != size))
        continue;
      for (unsigned k = 0; k < sizeof tries / sizeof tries[0]; ++k)
        for (unsigned c = 0; c < sizeof counts / sizeof counts[0]; ++c)
          if (counts[c] < 3000 || (t + o + 3 * (int)k) % (counts[c] / 300) == 0)
            tries[k](&digest, counts[c]);
      printf("%d of %d: %s %s %016llx\n", rank, size, operations[o].name, type->name,
             (unsigned long long)digest);
    }
  MPI_Finalize();
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -I%tool -I%S -o %t %runtime
// RUN: %both -n 1 %t | FileCheck %s
// RUN: %both -n 2 %t | FileCheck %s
// RUN: %both -n 3 %t | FileCheck %s
// RUN: %if !quick || !sanitizer %{ %both -n 4 %t | FileCheck %s %}
// RUN: %if !quick %{ env LIMIT=100 %both -n 9 %t | FileCheck %s %}
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 LIMIT=100 %both -n 5 %t | FileCheck %s %}
// RUN: %if !quick || !sanitizer %{ env MPIR_CVAR_NUM_CLIQUES=3 LIMIT=100 %both -n 7 %t | FileCheck %s %}
// RUN: env MPIR_CVAR_NUM_CLIQUES=2 NODES=2 LIMIT=100 %both -n 4 %t | FileCheck %s
// CHECK: 0 of {{.*}} {{[0-9a-f]+$}}
// CHECK: exit 0
