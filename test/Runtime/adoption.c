/* Which communicators are adopted, whatever constructor made them; MPI_Comm_idup above all: several
 * at once, completed in any order by any function. */
#include "adopted.h"
#include "check.h"

#include <mpi.h>
#include <string.h>

static int rank, size;

/* Nothing if the runtime is switched off. */
static int lanes;
#define ADOPTED(COMM) CHECK(is_adopted(COMM) == lanes)

/* A ring on each of several communicators at once, the receives posted in another order than the
 * sends; null ones are left out. */
static void rings(int count, MPI_Comm comms[]) {
  enum { MOST = 64 };
  MPI_Request requests[MOST];
  int in[MOST], out[MOST], expected[MOST];
  for (int i = count - 1; i >= 0; --i) {
    int me, all;
    requests[i] = MPI_REQUEST_NULL;
    if (comms[i] == MPI_COMM_NULL)
      continue;
    MPI_Comm_rank(comms[i], &me);
    MPI_Comm_size(comms[i], &all);
    expected[i] = i * 1000 + (me + all - 1) % all;
    MPI_Irecv(&in[i], 1, MPI_INT, i % 2 ? MPI_ANY_SOURCE : (me + all - 1) % all, MPI_ANY_TAG,
              comms[i], &requests[i]);
  }
  for (int i = 0; i < count; ++i) {
    int me, all;
    if (comms[i] == MPI_COMM_NULL)
      continue;
    MPI_Comm_rank(comms[i], &me);
    MPI_Comm_size(comms[i], &all);
    out[i] = i * 1000 + me;
    MPI_Send(&out[i], 1, MPI_INT, (me + 1) % all, 7, comms[i]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < count; ++i)
    CHECK(comms[i] == MPI_COMM_NULL || in[i] == expected[i]);
}

static void free_all(int count, MPI_Comm comms[]) {
  for (int i = 0; i < count; ++i)
    if (comms[i] != MPI_COMM_NULL)
      MPI_Comm_free(&comms[i]);
}

/* --- MPI_Comm_idup -----------------------------------------------------------------------------*/

static void complete(int way, int count, MPI_Request requests[]) {
  int flag = 0, index, found, indices[16];
  MPI_Status statuses[16];
  switch (way) {
  case 0:
    for (int i = 0; i < count; ++i)
      MPI_Wait(&requests[rank % 2 ? i : count - 1 - i], MPI_STATUS_IGNORE);
    break;
  case 1:
    MPI_Waitall(count, requests, statuses);
    break;
  case 2:
    for (int i = 0; i < count; ++i)
      MPI_Waitany(count, requests, &index, &statuses[0]);
    break;
  case 3:
    for (int done = 0; done < count; done += found)
      MPI_Waitsome(count, requests, &found, indices, statuses);
    break;
  case 4:
    while (!flag)
      MPI_Testall(count, requests, &flag, MPI_STATUSES_IGNORE);
    break;
  case 5:
    for (int i = count - 1; i >= 0; --i)
      for (flag = 0; !flag; MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE))
        MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE);
    break;
  }
  for (int i = 0; i < count; ++i)
    CHECK(requests[i] == MPI_REQUEST_NULL);
}

/* On overlapping communicators, beside a message. */
static void many_idups(void) {
  MPI_Comm half, pair, parents[3];
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
  parents[0] = half;
  parents[1] = MPI_COMM_WORLD;
  parents[2] = pair;
  /* (MPICH needs long for it where ranks outnumber cores.) */
  for (int way = 0; way < 6; way += size > 2 ? 3 : 1) {
    MPI_Comm made[9];
    MPI_Request requests[10];
    int in = -1;
    for (int i = 0; i < 9; ++i)
      MPI_Comm_idup(parents[(i + way) % 3], &made[i], &requests[i]);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[9]);
    MPI_Send(&way, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD);
    complete(way, 10, requests);
    CHECK(in == way);
    rings(9, made);
    ADOPTED(made[(4 - way + 3) % 3]); /* of MPI_COMM_WORLD */
    free_all(9, made);
  }
  MPI_Comm_free(&half);
  MPI_Comm_free(&pair);
}

/* Nobody waits for a rank that has begun and sits in a collective since. */
static void idup_and_barrier(void) {
  MPI_Comm made;
  MPI_Request request;
  int word = rank;
  for (int i = 0; i < 4; ++i) {
    MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
    if (rank % 2)
      MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (!(rank % 2))
      MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(&word, 1, MPI_INT, 0, made);
    ADOPTED(made);
    MPI_Comm_free(&made);
  }
}

/* A communicator that was never asked for another has numbers for seven. */
static void numbers_of_a_young_one(void) {
  MPI_Comm young, made[10], grandchild, after;
  MPI_Request requests[10];
  MPI_Comm_dup(MPI_COMM_WORLD, &young);
  for (int i = 0; i < 10; ++i)
    MPI_Comm_idup(young, &made[i], &requests[i]);
  MPI_Waitall(10, requests, MPI_STATUSES_IGNORE);
  rings(10, made);
  for (int i = 0; i < 10; ++i)
    CHECK(is_adopted(made[i]) == (lanes && i < 7));
  MPI_Comm_idup(made[0], &grandchild, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  rings(1, &grandchild);
  CHECK(!is_adopted(grandchild));
  MPI_Comm_dup(young, &after);
  ADOPTED(after);
  MPI_Comm_free(&after);
  MPI_Comm_free(&grandchild);
  MPI_Comm_idup(young, &after, &requests[0]);
  MPI_Comm_free(&young); /* while it is being copied */
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  rings(1, &after);
  ADOPTED(after);
  MPI_Comm_free(&after);
  free_all(10, made);
}

static void mistakes(void) {
  MPI_Comm made, quiet;
  MPI_Request request;
  int class;
  MPI_Comm_dup(MPI_COMM_WORLD, &quiet);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(quiet, MPI_ERRORS_RETURN);
  const int error = MPI_Comm_idup(MPI_COMM_NULL, &made, &request);
  MPI_Error_class(error, &class);
  CHECK(class == MPI_ERR_COMM);
  CHECK(MPI_Comm_idup(quiet, &made, NULL) != MPI_SUCCESS);
  CHECK(MPI_Comm_dup(quiet, NULL) != MPI_SUCCESS);
  MPI_Comm_idup_with_info(quiet, MPI_INFO_NULL, &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  ADOPTED(made);
  rings(1, &made);
  MPI_Comm_free(&made);
  MPI_Comm_free(&quiet);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* --- other constructors ------------------------------------------------------------------------*/

/* Members that get nothing count as well, or the numbers of the next ones would differ. */
static void left_out(void) {
  MPI_Comm made[8];
  MPI_Group world, group;
  const int dims = size > 1 ? size - 1 : 1, yes = 1;
  int lower[1] = {size / 2};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_split(MPI_COMM_WORLD, rank ? 1 : MPI_UNDEFINED, 0, &made[0]);
  MPI_Group_incl(world, 1, lower, &group);
  MPI_Comm_create(MPI_COMM_WORLD, group, &made[1]);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &yes, 1, &made[2]);
  MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &made[3]);
  MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &made[4]);
  MPI_Comm_split_type(MPI_COMM_WORLD, rank ? MPI_COMM_TYPE_SHARED : MPI_UNDEFINED, 0, MPI_INFO_NULL,
                      &made[5]);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &made[6]);
  MPI_Comm_dup(MPI_COMM_WORLD, &made[7]);
  CHECK((made[0] == MPI_COMM_NULL) == (rank == 0) && made[3] == MPI_COMM_NULL);
  for (int i = 0; i < 8; ++i)
    if (made[i] != MPI_COMM_NULL)
      ADOPTED(made[i]);
  rings(8, made);
  free_all(8, made);
  MPI_Group_free(&world);
  MPI_Group_free(&group);
}

/* Groups that overlap, made by their members alone and in different order. */
static void groups(void) {
  MPI_Comm made[3] = {MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL}, child;
  MPI_Group world, low, all;
  int range[1][3] = {{0, size > 1 ? size - 2 : 0, 1}};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_range_incl(world, 1, range, &low);
  range[0][0] = size - 1, range[0][1] = 0, range[0][2] = -1;
  MPI_Group_range_incl(world, 1, range, &all);
  for (int round = 0; round < 3; ++round) {
    if (rank <= (size > 1 ? size - 2 : 0))
      MPI_Comm_create_group(MPI_COMM_WORLD, low, 11, &made[0]);
    MPI_Comm_create_group(MPI_COMM_WORLD, all, 12, &made[1]);
    if (rank <= (size > 1 ? size - 2 : 0)) {
      MPI_Comm_dup(made[0], &made[2]);
      ADOPTED(made[2]);
    }
    MPI_Comm_dup(made[1], &child);
    ADOPTED(made[1]);
    ADOPTED(child);
    rings(3, made);
    rings(1, &child);
    MPI_Comm_free(&child);
    free_all(3, made);
  }
  MPI_Group_free(&world);
  MPI_Group_free(&low);
  MPI_Group_free(&all);
}

/* The handle of an adopted communicator comes to mean one that is not. */
static void handles_again(void) {
  MPI_Comm one, other, between, merged;
  if (size < 2)
    return;
  for (int i = 0; i < 5; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &other);
    rings(1, &one);
    MPI_Comm_free(&one);
    MPI_Intercomm_create(other, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &between);
    MPI_Comm_free(&other);
    MPI_Intercomm_merge(between, rank % 2, &merged);
    CHECK(!is_adopted(merged));
    rings(1, &merged);
    MPI_Comm_dup(merged, &one);
    CHECK(!is_adopted(one));
    rings(1, &one);
    MPI_Comm_free(&one);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&between);
  }
}

/* Left with messages under way and with a persistent request that rests. MPICH waits for ever for the latter, MPICH 5 also
 * for requests of messages that have come. */
static void disconnect(void) {
  static char out[200000], in[200000];
  MPI_Comm comm;
  MPI_Request at_rest, sent, received;
  if (!lanes)
    return;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Recv_init(in, 1, MPI_BYTE, MPI_ANY_SOURCE, 1, comm, &at_rest);
  MPI_Irecv(in, sizeof in, MPI_BYTE, (rank + 1) % size, 2, comm, &received);
  out[199999] = rank + 1;
  MPI_Isend(out, sizeof out, MPI_BYTE, (rank + size - 1) % size, 2, comm, &sent);
  MPI_Comm_disconnect(&comm);
  CHECK(comm == MPI_COMM_NULL);
  MPI_Wait(&received, MPI_STATUS_IGNORE);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  CHECK(in[199999] == (rank + 1) % size + 1);
  MPI_Request_free(&at_rest);
}

/* (Before MPI_Init, MPICH 4.0.2 does not survive them.) */
static void sessions(void) {
  MPI_Session session;
  MPI_Group group;
  MPI_Comm made;
  if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session))
    return;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "mpispec.test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
  rings(1, &made);
  CHECK(!is_adopted(made));
  MPI_Comm_free(&made);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  lanes = is_adopted(MPI_COMM_WORLD);
  many_idups();
  idup_and_barrier();
  numbers_of_a_young_one();
  mistakes();
  left_out();
  groups();
  handles_again();
  disconnect();
  sessions();
  if (rank == 0)
    printf("all communicators did, %s\n", lanes ? "with lanes" : "without");
  MPI_Finalize();
  return 0;
}

// Open MPI 4.1 alone crashes or hangs where several MPI_Comm_idup overlap.
// UNSUPPORTED: openmpi
//
// RUN: %mpicc -w %include %s -o %t %runtime
// DEFINE: %{lanes} = env MPISPEC_MODE=lanes
// RUN: env MPISPEC_MODE=off %mpirun -n 2 %t | FileCheck %s --check-prefix=OFF
// RUN: %{lanes} %mpirun -n 1 %t | FileCheck %s
// RUN: %{lanes} %mpirun -n 3 %t | FileCheck %s
// RUN: %if nodes %{ %{lanes} MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t | FileCheck %s %}
// OFF: all communicators did, without
// CHECK: all communicators did, with lanes
