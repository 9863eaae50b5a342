/* Collective operations that move data, of equal and of different lengths. See stress-collective.h. */
#include "stress-collective.h"

#include <stdlib.h>

/* Pairs from one rank to another where counts differ. */
static int pairs_between(const struct plan *plan, int from, int to) {
  return (plan->seed + from + 2 * to) % 4 * plan->count / 2;
}

struct blocks {
  int counts[MAXIMUM_RANKS], places[MAXIMUM_RANKS], bytes[MAXIMUM_RANKS];
  MPI_Datatype types[MAXIMUM_RANKS];
};

/* Blocks for all ranks, in another order than theirs; `sent` by us, `from` one
 * rank, or received. */
static void lay_out(const struct plan *plan, struct blocks *blocks, int from, int to) {
  for (int i = 0; i < plan->size; ++i) {
    blocks->counts[i] = plan->elements * pairs_between(plan, from < 0 ? i : from, to < 0 ? i : to);
    blocks->places[i] = (plan->size - 1 - i) * (2 * plan->count + 1) * plan->elements;
    blocks->bytes[i] = blocks->places[i] * plan->words * (int)sizeof(int);
    blocks->types[i] = plan->pairs;
  }
}

static void move_each(const struct plan *plan, int kind, int *in, int *out) {
  const int rank = plan->rank, root = plan->root;
  struct blocks sent, got;
  lay_out(plan, &sent,
          kind == 8 || kind == 9 ? rank
          : kind == 6            ? root
                                 : -1,
          kind == 6 || kind == 8 || kind == 9 ? -1 : root);
  lay_out(plan, &got, -1, kind == 8 || kind == 9 ? rank : root);
  const int own = 2 * pairs_between(plan, rank, root);
  switch (kind) {
  case 5:
    MPI_Gatherv(in, own, MPI_INT, out, got.counts, got.places, plan->pairs, root, plan->comm);
    break;
  case 6:
    MPI_Scatterv(in, sent.counts, sent.places, plan->pairs, out,
                 2 * pairs_between(plan, root, rank), MPI_INT, root, plan->comm);
    break;
  case 7:
    MPI_Allgatherv(in, own, MPI_INT, out, got.counts, got.places, plan->pairs, plan->comm);
    break;
  case 8:
    MPI_Alltoallv(in, sent.counts, sent.places, plan->pairs, out, got.counts, got.places,
                  plan->pairs, plan->comm);
    break;
  default:
    MPI_Alltoallw(in, sent.counts, sent.bytes, sent.types, out, got.counts, got.bytes, got.types,
                  plan->comm);
  }
}

static void move_equal(const struct plan *plan, int kind, int *in, int *out) {
  const int count = plan->count, elements = plan->elements * count, root = plan->root;
  const int is_root = plan->rank == root;
  switch (kind) {
  case 0:
    CALL(plan->pointer, Bcast, is_root ? in : out, elements, plan->pairs, root, plan->comm);
    break;
  case 1:
    MPI_Gather(in, 2 * count, MPI_INT, is_root ? out : NULL, elements, plan->pairs, root,
               plan->comm);
    break;
  case 2:
    MPI_Scatter(in, elements, plan->pairs, out, 2 * count, MPI_INT, root, plan->comm);
    break;
  case 3:
    MPI_Allgather(in, 2 * count, MPI_INT, out, elements, plan->pairs, plan->comm);
    break;
  default:
    MPI_Alltoall(in, elements, plan->pairs, out, 2 * count, MPI_INT, plan->comm);
  }
}

enum { EQUAL_MOVES = 5 };

/* MPICH 4.0.2 does not allow types to differ among ranks when blocks of Allgatherv are long. */
static struct plan with_one_type(const struct plan *plan) {
  struct plan same = *plan;
  same.pairs = MPI_INT;
  same.words = 1;
  same.elements = 2;
  return same;
}

void carry_out_move(const struct plan *drawn, int kind) {
  const struct plan same = with_one_type(drawn), *plan = kind == 7 ? &same : drawn;
  const int words = plan->size * 3 * (2 * plan->count + 2);
  int *in = malloc((size_t)words * sizeof *in), *out = malloc((size_t)words * sizeof *out);
  for (int i = 0; i < words; ++i) {
    in[i] = (int)random_of((uint32_t)(i + 977 * plan->rank + 7919 * plan->seed));
    out[i] = -i;
  }
  (kind < EQUAL_MOVES ? move_equal : move_each)(plan, kind, in, out);
  note_bytes(out, words * (int)sizeof *out);
  free(in);
  free(out);
}
