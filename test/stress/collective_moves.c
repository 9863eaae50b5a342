/* Collective operations that move data, of equal and of different lengths. See stress-collective.h. */
#include "stress-collective.h"

#include <stdlib.h>

/* Pairs from one rank to another where counts differ. In place, each of two ranks sends the other as much. */
static int pairs_between(const struct plan *plan, int from, int to) {
  return (plan->seed + from + (plan->in_place ? to : 2 * to)) % 4 * plan->count / 2;
}

/* Elements in memory, at an offset in integers. */
struct part {
  int *data;
  int at, count;
  MPI_Datatype type;
};

/* Copies a part of this rank, as a call that is not in place does. */
static void copy(struct part from, struct part to) {
  int bytes, packed = 0, unpacked = 0;
  MPI_Pack_size(from.count, from.type, MPI_COMM_SELF, &bytes);
  char *room = malloc((size_t)bytes + 1);
  MPI_Pack(from.data + from.at, from.count, from.type, room, bytes, &packed, MPI_COMM_SELF);
  MPI_Unpack(room, packed, &unpacked, to.data + to.at, to.count, to.type, MPI_COMM_SELF);
  free(room);
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
  const int rank = plan->rank, root = plan->root, in_place = works_in_place(plan);
  struct blocks sent, got;
  lay_out(plan, &sent,
          kind == 8 || kind == 9 ? rank
          : kind == 6            ? root
                                 : -1,
          kind == 6 || kind == 8 || kind == 9 ? -1 : root);
  lay_out(plan, &got, -1, kind == 8 || kind == 9 ? rank : root);
  const int own = 2 * pairs_between(plan, rank, root), given = 2 * pairs_between(plan, root, rank);
  const struct part mine = {in, 0, own, MPI_INT},
                    my_block = {out, got.places[rank] * plan->words, got.counts[rank], plan->pairs};
  const int is_root_in_place = in_place && rank == root;
  const void *send = in;
  switch (kind) {
  case 5:
    if (is_root_in_place)
      copy(mine, my_block), send = MPI_IN_PLACE;
    MPI_Gatherv(send, own, MPI_INT, out, got.counts, got.places, plan->pairs, root, plan->comm);
    break;
  case 6:
    MPI_Scatterv(in, sent.counts, sent.places, plan->pairs, is_root_in_place ? MPI_IN_PLACE : out, given, MPI_INT,
                 root, plan->comm);
    if (is_root_in_place)
      copy((struct part){in, sent.places[rank] * plan->words, sent.counts[rank], plan->pairs},
           (struct part){out, 0, given, MPI_INT});
    break;
  case 7:
    if (in_place)
      copy(mine, my_block), send = MPI_IN_PLACE;
    MPI_Allgatherv(send, own, MPI_INT, out, got.counts, got.places, plan->pairs, plan->comm);
    break;
  default:
    for (int i = 0; i < plan->size && in_place; ++i)
      copy((struct part){in, sent.places[i] * plan->words, sent.counts[i], plan->pairs},
           (struct part){out, got.places[i] * plan->words, got.counts[i], plan->pairs});
    send = in_place ? MPI_IN_PLACE : in;
    if (kind == 8)
      MPI_Alltoallv(send, sent.counts, sent.places, plan->pairs, out, got.counts, got.places, plan->pairs, plan->comm);
    else
      MPI_Alltoallw(send, sent.counts, sent.bytes, sent.types, out, got.counts, got.bytes, got.types, plan->comm);
  }
}

static void move_equal(const struct plan *plan, int kind, int *in, int *out) {
  const int count = plan->count, elements = plan->elements * count, root = plan->root;
  const int rank = plan->rank, is_root = rank == root, in_place = works_in_place(plan);
  const int at = rank * elements * plan->words, is_root_in_place = in_place && is_root;
  const struct part mine = {in, 0, 2 * count, MPI_INT}, my_block = {out, at, elements, plan->pairs};
  const void *send = in;
  switch (kind) {
  case 0:
    CALL(plan->pointer, Bcast, is_root ? in : out, elements, plan->pairs, root, plan->comm);
    break;
  case 1:
    if (is_root_in_place)
      copy(mine, my_block), send = MPI_IN_PLACE;
    MPI_Gather(send, 2 * count, MPI_INT, is_root ? out : NULL, elements, plan->pairs, root, plan->comm);
    break;
  case 2:
    MPI_Scatter(in, elements, plan->pairs, is_root_in_place ? MPI_IN_PLACE : out, 2 * count, MPI_INT, root,
                plan->comm);
    if (is_root_in_place)
      copy((struct part){in, at, elements, plan->pairs}, (struct part){out, 0, 2 * count, MPI_INT});
    break;
  case 3:
    if (in_place)
      copy(mine, my_block), send = MPI_IN_PLACE;
    MPI_Allgather(send, 2 * count, MPI_INT, out, elements, plan->pairs, plan->comm);
    break;
  default:
    for (int i = 0; i < plan->size && in_place; ++i)
      copy((struct part){in, i * elements * plan->words, elements, plan->pairs},
           (struct part){out, i * 2 * count, 2 * count, MPI_INT});
    MPI_Alltoall(in_place ? MPI_IN_PLACE : in, elements, plan->pairs, out, 2 * count, MPI_INT, plan->comm);
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
