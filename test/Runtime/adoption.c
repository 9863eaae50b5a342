/* Which communicators are adopted, whatever constructor made them. Those of MPI_Comm_idup, of which
 * several may be under way, are in adoption-idup.c. */
#include "adopted_rings.h"

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
#ifndef OPEN_MPI /* which ends with a signal */
  CHECK(MPI_Comm_idup(quiet, &made, NULL) != MPI_SUCCESS);
#endif
  CHECK(MPI_Comm_dup(quiet, NULL) != MPI_SUCCESS);
  MPI_Comm_idup(quiet, &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  ADOPTED(made);
  rings(1, &made);
  MPI_Comm_free(&made);
  MPI_Comm_free(&quiet);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

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
#if MPI_VERSION >= 4
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &made[6]);
#else
  made[6] = MPI_COMM_NULL;
#endif
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

/* MPI-4.0's. (Before MPI_Init, MPICH 4.0.2 does not survive them.) */
static void sessions(void) {
#if MPI_VERSION >= 4
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
#endif
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  mistakes();
  left_out();
  groups();
  handles_again();
  disconnect();
  sessions();
  return end();
}

// RUN: %mpicc -w %include %s -o %t %runtime
// DEFINE: %{lanes} = env MPISPEC_MODE=lanes
// RUN: env MPISPEC_MODE=off %mpirun -n 2 %t | FileCheck %s --check-prefix=OFF
// RUN: %{lanes} %mpirun -n 1 %t | FileCheck %s
// RUN: %{lanes} %mpirun -n 3 %t | FileCheck %s
// RUN: %if nodes %{ %{lanes} MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t | FileCheck %s %}
// OFF: all communicators did, without
// CHECK: all communicators did, with lanes
