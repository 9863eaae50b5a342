/* Some functions are the MPI library's alone. They work through it while lanes are in use beside it:
 * intercommunicators and, of MPI-4, sessions and partitioned communication. (communicators.c spawns; MPICH over UCX
 * has no ports.) */
#include "check.h"

#include <mpi.h>
#include <string.h>

static int rank, size, left, right;

/* Lane messages under way around everything else: one posted receive from anywhere,
 * one long send. */
static char large_in[200000], large_out[200000];
static MPI_Request beside[2];

static void begin_beside(void) {
  MPI_Irecv(large_in, sizeof large_in, MPI_CHAR, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &beside[0]);
  memset(large_out, rank + 1, sizeof large_out);
  MPI_Isend(large_out, sizeof large_out, MPI_CHAR, right, 77, MPI_COMM_WORLD, &beside[1]);
}

static void end_beside(void) {
  MPI_Waitall(2, beside, MPI_STATUSES_IGNORE);
  CHECK(large_in[0] == left + 1 && large_in[sizeof large_in - 1] == left + 1);
}

/* --- sessions ----------------------------------------------------------------------------------*/

static void ring(MPI_Comm comm) {
  int me, all, in = -1;
  MPI_Status status;
  MPI_Request request;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &all);
  MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 3, comm, &request);
  MPI_Ssend(&me, 1, MPI_INT, (me + 1) % all, 3, comm);
  MPI_Wait(&request, &status);
  CHECK(in == (me + all - 1) % all && status.MPI_SOURCE == in);
}

#if MPI_VERSION >= 4
static void session(const char *set) {
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm, copy;
  CHECK(!MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session));
  MPI_Group_from_session_pset(session, set, &group);
  MPI_Comm_create_from_group(group, "mpispec", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  ring(comm);
  MPI_Comm_dup(comm, &copy);
  ring(copy);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
}

/* --- partitioned -------------------------------------------------------------------------------*/

static void partitioned(void) {
  enum { PARTS = 4, EACH = 1000 };
  static int in[PARTS * EACH], out[PARTS * EACH];
  MPI_Request requests[3];
  int flag = 0, lane = -1;
  MPI_Precv_init(in, PARTS, EACH, MPI_INT, left, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Psend_init(out, PARTS, EACH, MPI_INT, right, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Recv_init(&lane, 1, MPI_INT, left, 6, MPI_COMM_WORLD, &requests[2]);
  for (int round = 0; round < 3; ++round) {
    MPI_Startall(3, requests); /* the library's and a lane's */
    for (int part = PARTS - 1; part >= 0; --part) {
      for (int i = 0; i < EACH; ++i)
        out[part * EACH + i] = rank * 100 + round + part + i;
      MPI_Pready(part, requests[1]);
    }
    MPI_Send(&round, 1, MPI_INT, right, 6, MPI_COMM_WORLD);
    for (flag = 0; !flag;)
      MPI_Parrived(requests[0], 2, &flag);
    if (round % 2)
      for (int i = 0; i < 3; ++i) /* (MPI_Testall of MPICH takes no partitioned ones) */
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    else
      MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    CHECK(lane == round);
    for (int part = 0; part < PARTS; ++part)
      for (int i = 0; i < EACH; ++i)
        CHECK(in[part * EACH + i] == left * 100 + round + part + i);
  }
  for (int i = 0; i < 3; ++i)
    MPI_Request_free(&requests[i]);
}

#endif

/* --- intercommunicators ------------------------------------------------------------------------*/

/* Every call that the runtime stands in the way of, on one. Ranks there name the other side. */
static void across(MPI_Comm comm) {
  static char in[5000], out[5000], buffer[5000 + MPI_BSEND_OVERHEAD];
  int me, others, flag = 0;
  void *address;
  MPI_Request requests[3];
  MPI_Status status;
  MPI_Message message;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_remote_size(comm, &others);
  if (me >= others)
    return;
  MPI_Irecv(in, 5000, MPI_CHAR, MPI_ANY_SOURCE, 1, comm, &requests[0]);
  MPI_Issend(out, 3000, MPI_CHAR, me, 1, comm, &requests[1]);
  MPI_Recv_init(in, 5000, MPI_CHAR, me, 2, comm, &requests[2]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Buffer_attach(buffer, sizeof buffer);
  MPI_Bsend(out, 4000, MPI_CHAR, me, 2, comm);
  MPI_Start(&requests[2]);
  MPI_Wait(&requests[2], &status);
  CHECK(status.MPI_SOURCE == me && status.MPI_TAG == 2);
  MPI_Request_free(&requests[2]);
  MPI_Buffer_detach(&address, &flag);
  MPI_Sendrecv(out, 100, MPI_CHAR, me, 3, in, 5000, MPI_CHAR, me, MPI_ANY_TAG, comm, &status);
  CHECK(status.MPI_TAG == 3);
  MPI_Sendrecv_replace(in, 100, MPI_CHAR, me, 4, MPI_ANY_SOURCE, 4, comm, &status);
  CHECK(status.MPI_SOURCE == me);
  MPI_Isend(out, 7, MPI_CHAR, me, 5, comm, &requests[0]);
  for (flag = 0; !flag;)
    MPI_Iprobe(MPI_ANY_SOURCE, 5, comm, &flag, &status);
  MPI_Mprobe(me, 5, comm, &message, &status);
  MPI_Mrecv(in, 5000, MPI_CHAR, &message, &status);
  MPI_Get_count(&status, MPI_CHAR, &flag);
  CHECK(flag == 7);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Irecv(in, 1, MPI_CHAR, me, 6, comm, &requests[0]);
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], &status);
  MPI_Test_cancelled(&status, &flag);
  CHECK(flag);
}

static void intercommunicators(void) {
  MPI_Comm half, between, copy, merged, part;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &between);
  across(between);
  MPI_Comm_dup(between, &copy);
  across(copy);
  MPI_Comm_split(between, 0, rank, &part);
  across(part);
  MPI_Intercomm_merge(part, rank % 2, &merged);
  ring(merged);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&part);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

int main(int argc, char **argv) {
#if MPI_VERSION >= 4
  if (argc > 1) { /* without MPI_Init: nothing of ours ever wakes */
    session("mpi://WORLD");
    tell("a session alone did");
    return 0;
  }
#endif
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  begin_beside();
  intercommunicators();
  end_beside();
#if MPI_VERSION >= 4
  begin_beside();
  partitioned();
  end_beside();
  begin_beside();
  session("mpi://WORLD");
  session("mpi://SELF");
  end_beside();
#endif
  MPI_Finalize();
  tell("rank %d did", rank);
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %both -n 2 %t | FileCheck %s %}
// RUN: env MPISPEC_MODE=lanes %mpirun -n 4 %t | FileCheck %s
// RUN: %if mpi4 %{ env MPISPEC_MODE=lanes %mpirun -n 2 %t alone | FileCheck %s --check-prefix=ALONE %}
// CHECK: rank 1 did
// ALONE: a session alone did
