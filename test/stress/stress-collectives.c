/* Collective operations of all kinds, one after the other, on all communicators, with messages and
 * nonblocking collectives under way around them. See stress-collective.h. */
#include "stress-collective.h"

#include <stdlib.h>

enum { UNDER_WAY = 8 };
static _Thread_local MPI_Datatype pair, spread;

volatile struct pointers pointers = {MPI_Barrier, MPI_Bcast, MPI_Reduce, MPI_Allreduce};

void note_bytes(const void *bytes, int count) {
  uint64_t digest = 1;
  digest_bytes(&digest, bytes, count);
  note((int64_t)digest);
}

/* --- nonblocking forms -------------------------------------------------------------------------*/

struct begun {
  int in[64 * MAXIMUM_RANKS], out[64 * MAXIMUM_RANKS];
};

static void begin(const struct plan *plan, struct begun *begun, MPI_Request *request) {
  const int count = plan->count % 64;
  for (int i = 0; i < 64 * MAXIMUM_RANKS; ++i) {
    begun->in[i] = (int)(random_of((uint32_t)(i + 64 * plan->rank + plan->seed)) % 1000);
    begun->out[i] = -1;
  }
  switch (plan->seed % 6) {
  case 0:
    MPI_Ibarrier(plan->comm, request);
    break;
  case 1:
    MPI_Ibcast(plan->rank == plan->root ? begun->in : begun->out, count, MPI_INT, plan->root,
               plan->comm, request);
    break;
  case 2:
    MPI_Iallreduce(begun->in, begun->out, count, MPI_INT, MPI_SUM, plan->comm, request);
    break;
  case 3:
    MPI_Ialltoall(begun->in, count, MPI_INT, begun->out, count, MPI_INT, plan->comm, request);
    break;
  case 4:
    MPI_Ireduce(begun->in, begun->out, count, MPI_INT, MPI_MAX, plan->root, plan->comm, request);
    break;
  default:
    MPI_Iallgather(begun->in, count, MPI_INT, begun->out, count, MPI_INT, plan->comm, request);
  }
}

/* --- the phase ---------------------------------------------------------------------------------*/

static void draw_operation(struct plan *plan) {
  int operation;
  do {
    plan->type = &types[draw(TYPES)];
    operation = draw(OPERATIONS);
  } while (!is_allowed(plan->type, &operations[operation]));
  plan->op = operations[operation].handle;
}

int works_in_place(const struct plan *plan) {
#ifdef MPICH_VERSION
  const char *mode = getenv("MPISPEC_MODE");
  if (mode && !strcmp(mode, "off"))
    return 0;
#endif
  return plan->in_place;
}

static int draw_count(void) {
  static const int most[] = {2, 8, 7, 150, 3000, 30000, 130000};
  const int count = draw(most[draw(draw(3) ? 4 : 7)]);
  return count * 32 > largest_message ? largest_message / 32 : count;
}

static void draw_plan(struct plan *plan) {
  const int c = draw(MAXIMUM_COMMUNICATORS), way = draw(3), words = draw(3);
  *plan = (struct plan){.comm = world.communicators[c],
                        .rank = world.ranks[c],
                        .size = world.sizes[c],
                        .root = draw(world.sizes[c]),
                        .count = draw_count(),
                        .seed = draw(10000),
                        .in_place = draw(2),
                        .late = draw(4) ? -1 : draw(world.sizes[c]),
                        .delay = draw(100) * 1e-6,
                        .pointer = way == 2 || (way == 1 && world.rank % 2)};
  const int chosen = (words + world.rank) % 3;
  plan->pairs = chosen == 0 ? MPI_INT : chosen == 1 ? pair : spread;
  plan->words = chosen == 0 ? 1 : chosen == 1 ? 2 : 3;
  plan->elements = chosen == 0 ? 2 : 1;
  draw_operation(plan);
}

static void carry_out(const struct plan *plan, int what, int kind) {
  if (plan->rank < 0)
    return;
  for (const double end = MPI_Wtime() + plan->delay; plan->rank == plan->late && MPI_Wtime() < end;)
    ;
  if (what < 4)
    carry_out_reduction(plan, kind % REDUCTIONS);
  else if (what < 8)
    carry_out_move(plan, kind % MOVES);
  else if (what == 8)
    CALL(plan->pointer, Barrier, plan->comm);
  else
    reduce_matrices(plan);
}

/* A message to the right on the base, not to be complete before the phase's end. */
static void send_around(int tag, int *in, int *out, int ints, MPI_Request requests[2]) {
  const int right = (world.rank + 1) % world.size,
            left = (world.rank + world.size - 1) % world.size;
  for (int i = 0; i < ints; ++i)
    out[i] = world.rank + tag + i;
  MPI_Irecv(in, ints, MPI_INT, draw(2) ? left : MPI_ANY_SOURCE, tag, BASE, &requests[0]);
  if (draw(2))
    MPI_Issend(out, ints, MPI_INT, right, tag, BASE, &requests[1]);
  else
    MPI_Isend(out, ints, MPI_INT, right, tag, BASE, &requests[1]);
}

void phase_collectives(void) {
  enum { MESSAGE = 40000 };
  const int messages = draw(3), rounds = 1 + draw(20), begun_count = draw(UNDER_WAY);
  const int ints = 1 + draw(draw(2) ? 20 : MESSAGE - 1);
  int *words = malloc(4 * (size_t)MESSAGE * sizeof *words);
  struct begun *begun = malloc(UNDER_WAY * sizeof *begun);
  MPI_Request requests[4 + UNDER_WAY];
  MPI_Status statuses[4 + UNDER_WAY];
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_vector(2, 1, 2, MPI_INT, &spread);
  MPI_Type_commit(&pair);
  MPI_Type_commit(&spread);
  for (int i = 0; i < 4 + UNDER_WAY; ++i)
    requests[i] = MPI_REQUEST_NULL;
  memset(begun, 0, UNDER_WAY * sizeof *begun);
  for (int i = 0; i < messages; ++i)
    send_around(i, words + 2 * i * MESSAGE, words + (2 * i + 1) * MESSAGE, ints, &requests[2 * i]);
  for (int i = 0; i < rounds || i < begun_count; ++i) {
    struct plan plan;
    draw_plan(&plan);
    if (i < begun_count && plan.rank >= 0)
      begin(&plan, &begun[i], &requests[4 + i]);
    draw_plan(&plan);
    const int what = draw(10), kind = draw(60);
    if (i < rounds)
      carry_out(&plan, what, kind);
  }
  complete(4 + UNDER_WAY, requests, statuses, (enum completion)draw(COMPLETIONS));
  for (int i = 0; i < messages; ++i)
    require(words[2 * i * MESSAGE + ints - 1] ==
                (world.rank + world.size - 1) % world.size + i + ints - 1,
            "message beside collectives", NULL);
  for (int i = 0; i < begun_count; ++i)
    note_bytes(begun[i].out, sizeof begun[i].out);
  MPI_Type_free(&pair);
  MPI_Type_free(&spread);
  free(words);
  free(begun);
}
