/* Phases that are patterns of communication among all ranks. See stress.h. */
#include "stress.h"

#include <stdlib.h>
#include <string.h>

static int left_of(int rank) { return (rank + world.size - 1) % world.size; }
static int right_of(int rank) { return (rank + 1) % world.size; }

/* A call in which a rank may sit while others need its progress. */
static void sit_in(int which, int root) {
  int in[MAXIMUM_RANKS] = {0}, out[MAXIMUM_RANKS] = {0}, sum = 0;
  MPI_Comm made;
  MPI_Request request;
  for (int i = 0; i < world.size; ++i)
    out[i] = world.rank + i;
  switch (which) {
  case 0:
    MPI_Barrier(BASE);
    return;
  case 1:
    MPI_Allreduce(&world.size, &sum, 1, MPI_INT, MPI_SUM, BASE);
    require(sum == world.size * world.size, "wrong sum", NULL);
    return;
  case 2:
    MPI_Bcast(out, 1, MPI_INT, root, BASE);
    require(out[0] == root, "wrong broadcast", NULL);
    return;
  case 3:
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, BASE);
    require(in[root] == root + world.rank, "wrong exchange of all", NULL);
    return;
  case 4:
    MPI_Allgather(&world.rank, 1, MPI_INT, in, 1, MPI_INT, BASE);
    require(in[root] == root, "wrong gathering", NULL);
    return;
  case 5:
    MPI_Scatter(out, 1, MPI_INT, in, 1, MPI_INT, root, BASE);
    require(in[0] == root + world.rank, "wrong scattering", NULL);
    return;
  case 6:
    MPI_Scan(&world.size, &sum, 1, MPI_INT, MPI_SUM, BASE);
    require(sum == world.size * (world.rank + 1), "wrong scan", NULL);
    return;
  case 7:
    MPI_Reduce_scatter_block(out, in, 1, MPI_INT, MPI_MAX, BASE);
    require(in[0] == world.size - 1 + world.rank, "wrong maximum", NULL);
    return;
  case 8:
    MPI_Ibarrier(BASE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return;
  case 9:
    MPI_Comm_dup(BASE, &made);
    break;
  default:
    MPI_Comm_split(BASE, world.rank % 2, 0, &made);
  }
  MPI_Barrier(made);
  MPI_Comm_free(&made);
}
enum { SEATS = 11 };

/* Receives are posted, then all sit in collectives while synchronous and long sends
 * wait for them. */
void phase_collective(void) {
  const int ring = draw(2), bytes = draw(2) ? draw(200) : 70000 + draw(200000),
            rounds = 1 + draw(4);
  const int left = left_of(world.rank), right = right_of(world.rank);
  const int sends = ring || world.rank % 2 == 0, receives = ring || left % 2 == 0;
  unsigned char *in = malloc((size_t)bytes + 1), *out = malloc((size_t)bytes + 1);
  for (int round = 0; round < rounds; ++round) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    const int source = draw(2) ? left : MPI_ANY_SOURCE, which = draw(SEATS);
    MPI_Status status;
    memset(out, world.rank + round, (size_t)bytes + 1);
    if (receives)
      MPI_Irecv(in, bytes, MPI_BYTE, source, round, BASE, &requests[0]);
    if (sends && ring)
      MPI_Issend(out, bytes, MPI_BYTE, right, round, BASE, &requests[1]);
    else if (sends)
      MPI_Ssend(out, bytes, MPI_BYTE, right, round, BASE);
    sit_in(which, draw(world.size));
    MPI_Wait(&requests[0], &status);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    if (receives)
      require(status.MPI_SOURCE == left &&
                  (!bytes || in[bytes - 1] == (unsigned char)(left + round)),
              "collective phase", NULL);
    note(bytes);
  }
  free(in);
  free(out);
}

/* Persistent requests started many times, in a ring, one of them with wildcards. */
void phase_persistent(void) {
  const int left = left_of(world.rank), right = right_of(world.rank);
  const int rounds = 1 + draw(200), ints = 1 + draw(draw(10) ? 300 : 40000), mode = draw(3);
  int *in = malloc((size_t)ints * sizeof *in), *out = malloc((size_t)ints * sizeof *out);
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Recv_init(in, ints, MPI_INT, draw(2) ? left : MPI_ANY_SOURCE, draw(2) ? 9 : MPI_ANY_TAG, BASE,
                &requests[0]);
  if (mode == 0)
    MPI_Send_init(out, ints, MPI_INT, right, 9, BASE, &requests[1]);
  else if (mode == 1)
    MPI_Ssend_init(out, ints, MPI_INT, right, 9, BASE, &requests[1]);
  else
    MPI_Bsend_init(out, ints, MPI_INT, right, 9, BASE, &requests[1]);
  for (int round = 0; round < rounds; ++round) {
    const enum completion way = (enum completion)draw(COMPLETIONS);
    for (int i = 0; i < ints; ++i)
      out[i] = world.rank * 1000 + round + i;
    if (round % 3 == 0) {
      MPI_Start(&requests[1]);
      MPI_Start(&requests[0]);
    } else {
      MPI_Startall(2, requests);
    }
    complete(2, requests, statuses, way);
    for (int i = 0; i < ints; i += 1 + ints / 7)
      require(in[i] == left * 1000 + round + i, "persistent", NULL);
    require(statuses[0].MPI_SOURCE == left && statuses[0].MPI_TAG == 9, "persistent status", NULL);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  note(rounds);
  free(in);
  free(out);
}

/* One rank sends a great many before the other looks. */
void phase_flood(void) {
  const int from = draw(world.size), to = draw(world.size), count = draw(draw(4) ? 2000 : 20000),
            bytes = draw(draw(4) ? 100 : 3000);
  const int window = 1 + draw(64), immediate = from == to || draw(2);
  unsigned char in[3008], *out = malloc((size_t)count * (size_t)bytes + 1), *next = out;
  if (world.rank == from)
    for (int i = 0; i < count; ++i) {
      MPI_Request request;
      memset(next, i, (size_t)bytes);
      if (immediate)
        MPI_Isend(next, bytes, MPI_BYTE, to, i % 3, BASE, &request);
      if (immediate)
        MPI_Request_free(&request);
      else
        MPI_Send(next, bytes, MPI_BYTE, to, i % 3, BASE);
      next += bytes;
    }
  gather();
  if (world.rank == to)
    for (int i = 0; i < count; ++i) {
      const int tag = i / window % 2 ? MPI_ANY_TAG : i % 3;
      MPI_Status status;
      MPI_Recv(in, sizeof in, MPI_BYTE, from, tag, BASE, &status);
      require(status.MPI_TAG == i % 3 && (!bytes || in[bytes - 1] == (unsigned char)i), "flood",
              NULL);
    }
  gather(); /* now nobody needs the bytes any more */
  free(out);
  note(count);
}

/* One way of send and receive in one call; what came is in `got`. */
static int *exchange(int way, int ints, int *out, int *in, int to, int from, MPI_Status *status) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (way == 0)
    MPI_Sendrecv(out, ints, MPI_INT, to, 1, in, ints, MPI_INT, from, 1, BASE, status);
  else if (way == 1)
    MPI_Sendrecv_replace(out, ints, MPI_INT, to, 1, from, 1, BASE, status);
  else if (way == 2)
    MPI_Sendrecv_c(out, ints, MPI_INT, to, 1, in, ints, MPI_INT, from, MPI_ANY_TAG, BASE, status);
#if MPI_VERSION >= 4
  else if (way == 3)
    MPI_Isendrecv(out, ints, MPI_INT, to, 1, in, ints, MPI_INT, from, 1, BASE, &request);
  else
    MPI_Isendrecv_replace(out, ints, MPI_INT, to, 1, from, 1, BASE, &request);
#endif
  if (way >= 3)
    complete(1, &request, status, (enum completion)(ints % COMPLETIONS));
  return way == 1 || way == 4 ? out : in;
}

/* Send and receive in one call, in a ring of any stride; with null processes at its ends.
 * MPI_Isendrecv only where MPICH 4.0.2 can do it: with a null process it crashes, and with several
 * threads its status may be another's. */
void phase_exchange(void) {
  const int stride = draw(world.size), ints = draw(draw(4) ? 300 : 60000), open = draw(2);
  int right = (world.rank + stride) % world.size;
  int left = (world.rank + world.size - stride) % world.size;
  if (open && world.rank + stride >= world.size)
    right = MPI_PROC_NULL;
  if (open && world.rank - stride < 0)
    left = MPI_PROC_NULL;
  const int ways = MPI_VERSION < 4 || open || thread_count > 1 ? 3 : 5;
  for (int way = 0; way < ways; ++way) {
    int *out = malloc((size_t)(ints + 1) * sizeof *out),
        *in = malloc((size_t)(ints + 1) * sizeof *in);
    for (int i = 0; i < ints; ++i)
      in[i] = -1, out[i] = world.rank + i;
    MPI_Status status;
    int count;
    const int *got = exchange(way, ints, out, in, right, left, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    require(status.MPI_SOURCE == left, "source of exchange", NULL);
    require(count == (left == MPI_PROC_NULL ? 0 : ints), "count of exchange", NULL);
    for (int i = 0; i < ints && left != MPI_PROC_NULL; ++i)
      require(got[i] == left + i, "exchange", NULL);
    free(out);
    free(in);
  }
  note(ints);
}
