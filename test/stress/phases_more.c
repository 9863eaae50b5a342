/* Phases that are about something else than a list of messages. See stress.h. */
#include "stress.h"

#include <stdlib.h>
#include <string.h>

/* Receives are posted, then all sit in collectives while synchronous and long sends wait for them.
 */
void phase_collective(void) {
  const int ring = draw(2), bytes = draw(2) ? draw(200) : 70000 + draw(200000),
            rounds = 1 + draw(4);
  const int left = (world.rank + world.size - 1) % world.size,
            right = (world.rank + 1) % world.size;
  const int sends = ring || world.rank % 2 == 0, receives = ring || left % 2 == 0;
  unsigned char *in = malloc((size_t)bytes + 1), *out = malloc((size_t)bytes + 1);
  for (int round = 0; round < rounds; ++round) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    const int source = draw(2) ? left : MPI_ANY_SOURCE, which = draw(3);
    MPI_Status status;
    memset(out, world.rank + round, (size_t)bytes + 1);
    if (receives)
      MPI_Irecv(in, bytes, MPI_BYTE, source, round, MPI_COMM_WORLD, &requests[0]);
    if (sends && ring)
      MPI_Issend(out, bytes, MPI_BYTE, right, round, MPI_COMM_WORLD, &requests[1]);
    else if (sends)
      MPI_Ssend(out, bytes, MPI_BYTE, right, round, MPI_COMM_WORLD);
    int sum = 0, one = 1;
    if (which == 0)
      MPI_Barrier(MPI_COMM_WORLD);
    else if (which == 1)
      MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else
      MPI_Bcast(&one, 1, MPI_INT, draw(world.size), MPI_COMM_WORLD);
    require(which != 1 || sum == world.size, "wrong sum", NULL);
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
  const int left = (world.rank + world.size - 1) % world.size,
            right = (world.rank + 1) % world.size;
  const int rounds = 1 + draw(200), ints = 1 + draw(draw(10) ? 300 : 40000), mode = draw(3);
  int *in = malloc((size_t)ints * sizeof *in), *out = malloc((size_t)ints * sizeof *out);
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Recv_init(in, ints, MPI_INT, draw(2) ? left : MPI_ANY_SOURCE, draw(2) ? 9 : MPI_ANY_TAG,
                MPI_COMM_WORLD, &requests[0]);
  (mode == 0   ? MPI_Send_init
   : mode == 1 ? MPI_Ssend_init
               : MPI_Bsend_init)(out, ints, MPI_INT, right, 9, MPI_COMM_WORLD, &requests[1]);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < ints; ++i)
      out[i] = world.rank * 1000 + round + i;
    if (round % 3 == 0) {
      MPI_Start(&requests[1]);
      MPI_Start(&requests[0]);
    } else {
      MPI_Startall(2, requests);
    }
    MPI_Waitall(2, requests, statuses);
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
  const int from = draw(world.size), to = draw(world.size), count = draw(20000), bytes = draw(100);
  const int window = 1 + draw(64);
  unsigned char out[128], in[128];
  if (world.rank == from)
    for (int i = 0; i < count; ++i) {
      MPI_Request request;
      memset(out, i, sizeof out);
      MPI_Isend(out, bytes, MPI_BYTE, to, i % 3, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  MPI_Barrier(MPI_COMM_WORLD);
  if (world.rank == to)
    for (int i = 0; i < count; ++i) {
      const int tag = i / window % 2 ? MPI_ANY_TAG : i % 3;
      MPI_Status status;
      MPI_Recv(in, sizeof in, MPI_BYTE, from, tag, MPI_COMM_WORLD, &status);
      require(status.MPI_TAG == i % 3 && (!bytes || in[bytes - 1] == (unsigned char)i), "flood",
              NULL);
    }
  MPI_Barrier(MPI_COMM_WORLD);
  note(count);
}

/* Send and receive in one call, in a ring of any stride; with null processes at its ends. */
void phase_exchange(void) {
  const int stride = draw(world.size), ints = draw(draw(4) ? 300 : 60000), open = draw(2);
  int right = (world.rank + stride) % world.size;
  int left = (world.rank + world.size - stride) % world.size;
  if (open && world.rank + stride >= world.size)
    right = MPI_PROC_NULL;
  if (open && world.rank - stride < 0)
    left = MPI_PROC_NULL;
  const int ways = open ? 2 : 4; /* MPI_Isendrecv with a null process crashes in MPICH 4.0.2 */
  for (int way = 0; way < ways; ++way) {
    int *out = malloc((size_t)(ints + 1) * sizeof *out),
        *in = malloc((size_t)(ints + 1) * sizeof *in);
    for (int i = 0; i < ints; ++i)
      in[i] = -1, out[i] = world.rank + i;
    MPI_Status status;
    MPI_Request request = MPI_REQUEST_NULL;
    int count, *got = way % 2 ? out : in;
    if (way == 0)
      MPI_Sendrecv(out, ints, MPI_INT, right, 1, in, ints, MPI_INT, left, 1, MPI_COMM_WORLD,
                   &status);
    else if (way == 1)
      MPI_Sendrecv_replace(out, ints, MPI_INT, right, 1, left, 1, MPI_COMM_WORLD, &status);
    else if (way == 2)
      MPI_Isendrecv(out, ints, MPI_INT, right, 1, in, ints, MPI_INT, left, 1, MPI_COMM_WORLD,
                    &request);
    else
      MPI_Isendrecv_replace(out, ints, MPI_INT, right, 1, left, 1, MPI_COMM_WORLD, &request);
    if (way >= 2)
      MPI_Wait(&request, &status);
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

/* Messages matched by probes and received in another order than they came. */
void phase_matched_probe(void) {
  enum { MANY = 16 };
  const int to = draw(world.size), from = draw(world.size);
  int sizes[MANY], order[MANY];
  for (int i = 0; i < MANY; ++i)
    sizes[i] = draw(draw(4) ? 300 : 100000), order[i] = i;
  for (int i = MANY - 1; i > 0; --i) {
    const int k = draw(i + 1), kept = order[i];
    order[i] = order[k];
    order[k] = kept;
  }
  unsigned char *out[MANY], *in = malloc(100000);
  MPI_Request sends[MANY];
  MPI_Message messages[MANY];
  if (world.rank == from)
    for (int i = 0; i < MANY; ++i) {
      out[i] = malloc((size_t)sizes[i] + 1);
      memset(out[i], i, (size_t)sizes[i] + 1);
      MPI_Isend(out[i], sizes[i], MPI_BYTE, to, 2, MPI_COMM_WORLD, &sends[i]);
    }
  if (world.rank == to) {
    for (int i = 0; i < MANY; ++i) {
      MPI_Status status;
      int count;
      MPI_Mprobe(from, 2, MPI_COMM_WORLD, &messages[i], &status);
      MPI_Get_count(&status, MPI_BYTE, &count);
      require(count == sizes[i], "matched probe", NULL);
    }
    for (int i = 0; i < MANY; ++i) {
      const int m = order[i];
      MPI_Mrecv(in, 100000, MPI_BYTE, &messages[m], MPI_STATUS_IGNORE);
      require(!sizes[m] || (in[0] == m && in[sizes[m] - 1] == m), "matched receive", NULL);
    }
  }
  if (world.rank == from) {
    MPI_Waitall(MANY, sends, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY; ++i)
      free(out[i]);
  }
  free(in);
  note(sizes[0]);
}

/* A copy, a part, or another order of the world. */
void make_communicator(int c) {
  const int kind = draw(4), members = 1 + draw(world.size);
  world.sizes[c] = world.size;
  if (kind == 0) {
    MPI_Comm_dup(MPI_COMM_WORLD, &world.communicators[c]);
  } else if (kind == 1) {
    MPI_Comm_split(MPI_COMM_WORLD, world.rank < members ? 1 : MPI_UNDEFINED, -world.rank,
                   &world.communicators[c]);
    world.sizes[c] = members;
  } else if (kind == 2) {
    int periodic = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &world.size, &periodic, draw(2), &world.communicators[c]);
  } else {
    MPI_Group all, some;
    int range[1][3] = {{members - 1, 0, -1}};
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, range, &some);
    MPI_Comm_create(MPI_COMM_WORLD, some, &world.communicators[c]);
    MPI_Group_free(&all);
    MPI_Group_free(&some);
    world.sizes[c] = members;
  }
  world.ranks[c] = -1;
  if (world.communicators[c] != MPI_COMM_NULL)
    MPI_Comm_rank(world.communicators[c], &world.ranks[c]);
  note(kind);
}

/* Frees a communicator and makes another in its place. */
void phase_communicators(void) {
  const int c = 1 + draw(MAXIMUM_COMMUNICATORS - 1);
  if (world.communicators[c] != MPI_COMM_NULL)
    MPI_Comm_free(&world.communicators[c]);
  make_communicator(c);
}

/* Cancelled receives, requests that are freed, null and inactive ones among others. */
void phase_odd_ends(void) {
  const int left = (world.rank + world.size - 1) % world.size,
            right = (world.rank + 1) % world.size;
  int in[4] = {-1, -1, -1, -1}, out = world.rank, flag, index;
  MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                             MPI_REQUEST_NULL};
  MPI_Status statuses[4];
  MPI_Irecv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &requests[0]);
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], &statuses[0]);
  MPI_Test_cancelled(&statuses[0], &flag);
  require(flag, "a receive that nothing fits was not cancelled", NULL);
  MPI_Recv_init(&in[1], 1, MPI_INT, left, 5, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitany(4, requests, &index, &statuses[0]);
  require(index == MPI_UNDEFINED, "inactive requests count", NULL);
  MPI_Irecv(&in[2], 1, MPI_INT, left, 6, MPI_COMM_WORLD, &requests[2]);
  MPI_Irecv(&in[3], 1, MPI_INT, MPI_PROC_NULL, 6, MPI_COMM_WORLD, &requests[3]);
  MPI_Request freed;
  MPI_Isend(&out, 1, MPI_INT, right, 6, MPI_COMM_WORLD, &freed);
  MPI_Request_free(&freed);
  MPI_Start(&requests[1]);
  MPI_Request_get_status(requests[1], &flag, &statuses[0]);
  require(!flag, "complete before its message was sent", NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&out, 1, MPI_INT, right, 5, MPI_COMM_WORLD);
  MPI_Waitall(4, requests, statuses);
  require(in[1] == left && in[2] == left && in[3] == -1, "odd ends", NULL);
  require(statuses[1].MPI_SOURCE == left && statuses[1].MPI_TAG == 5, "status of persistent", NULL);
  require(requests[1] != MPI_REQUEST_NULL && requests[2] == MPI_REQUEST_NULL, "requests after",
          NULL);
  MPI_Request_free(&requests[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  note(in[2]);
}
