/* Communicators: made in all ways, in place of others, and freed while in use. See stress.h. */
#include "stress.h"

/* Some ranks of the base in another order: members - 1 down to 0. */
static MPI_Group some_group(int members) {
  MPI_Group all, some;
  int range[1][3] = {{members - 1, 0, -1}};
  MPI_Comm_group(BASE, &all);
  MPI_Group_range_incl(all, 1, range, &some);
  MPI_Group_free(&all);
  return some;
}

/* A ring as a graph, and each rank's neighbours in it. */
static void make_graph(int distributed, int reorder, MPI_Comm *made) {
  int index[MAXIMUM_RANKS], edges[2 * MAXIMUM_RANKS], neighbours[2];
  for (int i = 0; i < world.size; ++i) {
    index[i] = 2 * i + 2;
    edges[2 * i] = (i + 1) % world.size;
    edges[2 * i + 1] = (i + world.size - 1) % world.size;
  }
  neighbours[0] = edges[2 * world.rank];
  neighbours[1] = edges[2 * world.rank + 1];
  if (distributed)
    MPI_Dist_graph_create_adjacent(BASE, 2, neighbours, MPI_UNWEIGHTED, 2, neighbours,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, reorder, made);
  else
    MPI_Graph_create(BASE, world.size, index, edges, reorder, made);
}

/* The two halves of the base merged again: not adopted, so the MPI library's from end to end. */
static void make_merged(MPI_Comm *made) {
  MPI_Comm half, both;
  const int upper = world.rank >= world.size / 2;
  if (world.size < 2) {
    MPI_Comm_dup(BASE, made);
    return;
  }
  MPI_Comm_split(BASE, upper, 0, &half);
  MPI_Intercomm_create(half, 0, BASE, upper ? 0 : world.size / 2, 77, &both);
  MPI_Intercomm_merge(both, upper, made);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

static void make_copy(int kind, MPI_Comm *made) {
  MPI_Request request;
  if (kind == 0)
    MPI_Comm_dup(BASE, made);
  else if (kind == 1)
    MPI_Comm_dup_with_info(BASE, MPI_INFO_NULL, made);
  else {
    MPI_Comm_idup(BASE, made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void make_grid(int reorder, int part, MPI_Comm *made) {
  int periodic = 1, keep = 1;
  MPI_Comm grid;
  MPI_Cart_create(BASE, 1, &world.size, &periodic, reorder, &grid);
  if (part) {
    MPI_Cart_sub(grid, &keep, made);
    MPI_Comm_free(&grid);
  } else {
    *made = grid;
  }
}

/* A communicator of all ranks. */
static void make_whole(int kind, int odd, MPI_Comm *made) {
  switch (kind) {
  case 0:
  case 1:
  case 2:
    make_copy(kind, made);
    return;
  case 3:
    make_grid(odd, 0, made);
    return;
  case 4:
    make_grid(odd, 1, made);
    return;
  case 5:
  case 6:
    make_graph(kind == 6, odd, made);
    return;
  case 7:
    make_merged(made);
    return;
  default:
    MPI_Comm_split_type(BASE, MPI_COMM_TYPE_SHARED, world.rank, MPI_INFO_NULL, made);
    int size;
    MPI_Comm_size(*made, &size);
    if (size == world.size)
      return;
    MPI_Comm_free(made); /* several nodes: which ranks is not known to all */
    MPI_Comm_dup(BASE, made);
  }
}

/* A communicator of some ranks. */
static void make_part(int kind, int members, MPI_Comm *made) {
  *made = MPI_COMM_NULL;
  if (kind == 0) {
    MPI_Comm_split(BASE, world.rank < members ? 1 : MPI_UNDEFINED, -world.rank, made);
    return;
  }
  MPI_Group some = some_group(members);
  if (kind == 1)
    MPI_Comm_create(BASE, some, made);
  else if (world.rank < members)
    MPI_Comm_create_group(BASE, some, 5, made);
  MPI_Group_free(&some);
}

void make_communicator(int c) {
  const int whole = draw(2), kind = draw(whole ? 9 : 3), odd = draw(2),
            members = 1 + draw(world.size);
  MPI_Comm *made = &world.communicators[c];
  if (whole)
    make_whole(kind, odd, made);
  else
    make_part(kind, members, made);
  world.sizes[c] = whole ? world.size : members;
  world.ranks[c] = -1;
  if (*made != MPI_COMM_NULL) {
    int size;
    watch_errors(*made);
    MPI_Comm_rank(*made, &world.ranks[c]);
    MPI_Comm_size(*made, &size);
    require(size == world.sizes[c], "size of a communicator", NULL);
  }
  note(world.ranks[c]);
}

void free_communicator(int c) {
  if (world.communicators[c] != MPI_COMM_NULL)
    MPI_Comm_free(&world.communicators[c]);
}

/* Frees a communicator and makes another in its place. */
void phase_communicators(void) {
  const int c = 1 + draw(MAXIMUM_COMMUNICATORS - 1);
  free_communicator(c);
  make_communicator(c);
}

/* A communicator is freed while its messages are under way, and its handle may come back. */
void phase_freed_communicator(void) {
  enum { ROUNDS = 4 };
  const int left = (world.rank + world.size - 1) % world.size,
            right = (world.rank + 1) % world.size, ints = 1 + draw(draw(2) ? 10 : 30000),
            synchronous = draw(2), late = draw(2), kind = draw(3);
  static _Thread_local int in[ROUNDS][30000], out[ROUNDS][30000];
  MPI_Request requests[2 * ROUNDS];
  MPI_Status statuses[2 * ROUNDS];
  for (int round = 0; round < ROUNDS; ++round) {
    MPI_Comm comm;
    make_copy(kind, &comm);
    out[round][ints - 1] = world.rank * ROUNDS + round;
    if (!late)
      MPI_Irecv(in[round], ints, MPI_INT, left, 1, comm, &requests[round]);
    if (synchronous)
      MPI_Issend(out[round], ints, MPI_INT, right, 1, comm, &requests[ROUNDS + round]);
    else
      MPI_Isend(out[round], ints, MPI_INT, right, 1, comm, &requests[ROUNDS + round]);
    if (late)
      MPI_Irecv(in[round], ints, MPI_INT, left, 1, comm, &requests[round]);
    MPI_Comm_free(&comm);
  }
  complete(2 * ROUNDS, requests, statuses, (enum completion)draw(COMPLETIONS));
  for (int round = 0; round < ROUNDS; ++round)
    require(in[round][ints - 1] == left * ROUNDS + round && statuses[round].MPI_SOURCE == left,
            "message on a freed communicator", NULL);
  note(ints);
}
