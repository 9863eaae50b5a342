/* Every operation that moves data: blocks of equal and of different lengths, short and long, in place or not, with
 * every root. Senders and receivers describe the same bytes by different types. The results are the same as with
 * plain MPI, and nothing is written beyond them. */
#include "collective-test.h"

enum { MOST = 9 * 70000 * 4 };
static MPI_Comm comm = MPI_COMM_WORLD;
static int rank, size, stride; /* stride: between the roots that are tried */
static int *in, *out, used; /* used: the elements of both for the operation that is tried */
static uint64_t digest;
static MPI_Datatype pair, spread, apart; /* two ints: 8 bytes, 12 with a gap, 16 with two */
/* MPI_Allgather of Intel MPI 2021.18 loses a rank's own block if its receive type has another extent
 * than that of rank 0. */
#ifdef I_MPI_VERSION
enum { TYPES_DIFFER = 0 };
#else
enum { TYPES_DIFFER = 1 };
#endif
static int reference; /* plain MPI, where nothing is done in place: MPICH 4.0.2 fails at times */

static void prepare(int seed) {
  for (int i = 0; i < used; ++i) {
    in[i] = (int)random_of((uint32_t)(i + rank * 977 + seed * 7919));
    out[i] = -i;
  }
}

static void note(int count) { digest_bytes(&digest, out, (count + 4) * (int)sizeof(int)); }

static void try_bcast(int count) {
  for (int root = 0; root < size; root += stride) {
    prepare(root);
    if (rank == root)
      memcpy(out, in, (size_t)count * 8);
    MPI_Bcast(out, rank % 2 ? count : 2 * count, rank % 2 ? pair : MPI_INT, root, comm);
    note(2 * count);
    prepare(root + 20);
    MPI_Bcast(rank == root ? in : out, rank % 3 ? count : 2 * count, rank % 3 ? apart : MPI_INT,
              root, comm);
    note(4 * count);
  }
}

static void try_gather(int count) {
  for (int root = 0; root < size; root += stride) {
    prepare(root);
    MPI_Gather(in, 2 * count, MPI_INT, out, count, root % 2 ? pair : spread, root, comm);
    note(3 * count * size);
    prepare(root + 20);
    if (!reference && rank == root)
      memcpy(out + 2 * count * rank, in, (size_t)count * 8);
    MPI_Gather(rank == root && !reference ? MPI_IN_PLACE : in, count, pair,
               rank == root ? out : NULL, 2 * count, MPI_INT, root, comm);
    note(2 * count * size);
  }
}

static void try_scatter(int count) {
  for (int root = 0; root < size; root += stride) {
    prepare(root);
    MPI_Scatter(in, count, root % 2 ? pair : spread, out, 2 * count, MPI_INT, root, comm);
    note(2 * count);
    prepare(root + 20);
    MPI_Scatter(in, 2 * count, MPI_INT, rank == root ? MPI_IN_PLACE : out, count, apart, root,
                comm);
    note(rank == root ? 0 : 4 * count);
  }
}

static void try_allgather(int count) {
  prepare(1);
  MPI_Allgather(in, 2 * count, MPI_INT, out, count, TYPES_DIFFER && rank % 2 ? pair : spread,
                comm);
  note(3 * count * size);
  prepare(2);
  if (!reference)
    memcpy(out + 2 * count * rank, in, (size_t)count * 8);
  MPI_Allgather(reference ? in : MPI_IN_PLACE, TYPES_DIFFER ? count : 2 * count,
                TYPES_DIFFER ? pair : MPI_INT, out, 2 * count, MPI_INT, comm);
  note(2 * count * size);
}

static void try_alltoall(int count) {
  prepare(1);
  MPI_Alltoall(in, 2 * count, MPI_INT, out, count, rank % 2 ? pair : spread, comm);
  note(3 * count * size);
  prepare(2);
  if (!reference)
    memcpy(out, in, (size_t)(2 * count * size) * 4);
  MPI_Alltoall(reference ? in : MPI_IN_PLACE, count, pair, out, count, pair, comm);
  note(2 * count * size);
}

/* Elements from one rank to another: none, few or many, and places apart. */
static int length(int from, int to, int count) { return (from + 2 * to) % 4 * count / 2; }

static void try_gatherv(int count) {
  int counts[16], places[16];
  for (int root = 0; root < size; root += stride) {
    for (int i = 0; i < size; ++i) {
      counts[i] = length(i, root, count);
      places[i] = (size - 1 - i) * (2 * count + 1);
    }
    prepare(root);
    MPI_Gatherv(in, 2 * counts[rank], MPI_INT, out, rank == root ? counts : NULL,
                rank == root ? places : NULL, root % 2 ? pair : spread, root, comm);
    note(3 * size * (2 * count + 1));
    prepare(root + 20);
    MPI_Scatterv(in, rank == root ? counts : NULL, rank == root ? places : NULL,
                 root % 2 ? pair : apart, out, 2 * counts[rank], MPI_INT, root, comm);
    note(4 * count);
  }
}

/* MPICH 4.0.2 does not allow types to differ among ranks when blocks are long. */
static void try_allgatherv(int count) {
  const MPI_Datatype type = rank % 2 && count < 1000 ? pair : spread;
  int counts[16], places[16];
  for (int i = 0; i < size; ++i) {
    counts[i] = length(i, 1, count);
    places[i] = (size - 1 - i) * (2 * count + 1);
  }
  prepare(1);
  MPI_Allgatherv(in, 2 * counts[rank], MPI_INT, out, counts, places, type, comm);
  note(3 * size * (2 * count + 1));
  prepare(2);
  if (!reference)
    memcpy(out + 2 * places[rank], in, (size_t)counts[rank] * 8);
  MPI_Allgatherv(reference ? in : MPI_IN_PLACE, counts[rank], pair, out, counts, places, pair,
                 comm);
  note(2 * size * (2 * count + 1));
}

static void try_alltoallv(int count) {
  int sent[16], received[16], out_places[16], in_places[16], bytes[16], more_bytes[16];
  MPI_Datatype types[16], others[16];
  for (int i = 0; i < size; ++i) {
    sent[i] = length(rank, i, count);
    received[i] = length(i, rank, count);
    out_places[i] = (size - 1 - i) * (2 * count + 1);
    in_places[i] = i * (2 * count + 1);
    bytes[i] = 12 * in_places[i];
    more_bytes[i] = 12 * out_places[i];
    types[i] = i % 2 ? pair : spread;
    others[i] = (i + rank) % 3 ? spread : pair;
  }
  prepare(1);
  MPI_Alltoallv(in, sent, out_places, pair, out, received, in_places, rank % 2 ? pair : spread,
                comm);
  note(3 * size * (2 * count + 1));
  prepare(2);
  MPI_Alltoallw(in, sent, bytes, types, out, received, more_bytes, others, comm);
  note(3 * size * (2 * count + 1));
  for (int i = 0; i < size; ++i)
    received[i] = sent[i] = length(rank < i ? rank : i, rank < i ? i : rank, count);
  prepare(3);
  if (!reference)
    memcpy(out, in, (size_t)(2 * size * (2 * count + 1)) * 4);
  else
    for (int i = 0; i < size * (2 * count + 1) * 2; ++i)
      out[i] = in[i];
  MPI_Alltoallv(reference ? in : MPI_IN_PLACE, sent, in_places, pair, out, received, in_places,
                pair, comm);
  note(2 * size * (2 * count + 1));
}

static void make_types(void) {
  MPI_Datatype vector;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_vector(2, 1, 2, MPI_INT, &spread);
  MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
  MPI_Type_create_resized(vector, 0, 16, &apart);
  MPI_Type_free(&vector);
  MPI_Type_commit(&pair);
  MPI_Type_commit(&apart);
  MPI_Type_commit(&spread);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*body)(int);
  } tries[] = {{"bcast", try_bcast},           {"gather", try_gather},
               {"scatter", try_scatter},       {"allgather", try_allgather},
               {"alltoall", try_alltoall},     {"gatherv", try_gatherv},
               {"allgatherv", try_allgatherv}, {"alltoallv", try_alltoallv}};
  static const int counts[] = {0, 1, 3, 40, 700, 9000};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  reference = !strcmp(getenv("MPISPEC_MODE"), "off");
  stride = size > 4 ? 4 : 1;
  in = malloc(MOST);
  out = malloc(MOST);
  make_types();
  for (unsigned t = 0; t < sizeof tries / sizeof tries[0]; ++t)
    for (unsigned c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
      if (size > 4 && counts[c] == 9000 && t % 3)
        continue;
      used = 4 * size * (2 * counts[c] + 1) + 64;
      digest = 1;
      tries[t].body(counts[c]);
      MPI_Barrier(comm);
      printf("%d of %d: %s %d %016llx\n", rank, size, tries[t].name, counts[c],
             (unsigned long long)digest);
    }
  MPI_Type_free(&pair);
  MPI_Type_free(&spread);
  MPI_Type_free(&apart);
  MPI_Finalize();
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -I%tool -I%S -o %t %runtime
// RUN: %both -n 1 %t | FileCheck %s
// RUN: %both -n 2 %t | FileCheck %s
// With three ranks or more, Intel MPI alone fails in an MPI_Allgather from MPI_INT to a vector of as many.
// RUN: %if !intel %{ %both -n 3 %t | FileCheck %s %}
// RUN: %if !intel && (!quick || !sanitizer) %{ %both -n 4 %t | FileCheck %s %}
// RUN: %if !intel && (!quick || !sanitizer) %{ env LIMIT=100 %both -n 7 %t | FileCheck %s %}
// RUN: %if !intel %{ env MPIR_CVAR_NUM_CLIQUES=2 LIMIT=100 %both -n 5 %t | FileCheck %s %}
// CHECK: {{[0-9]}}: bcast 9000 {{[0-9a-f]+$}}
// CHECK: exit 0
