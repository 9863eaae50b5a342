/* Blocking constructors give their communicators slots at once, over the slot of the parent; other
 * constructors do not. Members of one child agree, members of several children do not disturb each
 * other, and those without a child keep step. The arguments say who agrees: "agree" or "later". */
#include "check.h"
#include "collective/collective.h"
#include "collective/slots.h"
#include "comm/communicator.h"

#include <mpi.h>
#include <string.h>

static int rank, size, agrees;

static int has_slot(MPI_Comm comm) {
  const struct mpispec_communicator *known = mpispec_communicator_find(comm);
  return known && known->collective_known && known->collective;
}

/* A sum that is rounded, a long one, and a step each way. */
static void use(MPI_Comm comm) {
  static double in[20000], out[20000];
  int me, all, word;
  double sum;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &all);
  for (int i = 0; i < 20000; ++i)
    in[i] = me + i;
  MPI_Allreduce(in, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  CHECK(sum == all * (all - 1) / 2);
  MPI_Allreduce(in, out, 20000, MPI_DOUBLE, MPI_MAX, comm);
  CHECK(out[19999] == all - 1 + 19999);
  word = me == all - 1 ? all : -1;
  MPI_Bcast(&word, 1, MPI_INT, all - 1, comm);
  CHECK(word == all);
}

/* A communicator of one member agrees with nobody, and has no slot before its first operation. */
static void finish(MPI_Comm *comm, int expected) {
  int all;
  if (*comm == MPI_COMM_NULL)
    return;
  MPI_Comm_size(*comm, &all);
  CHECK(has_slot(*comm) == (expected && all > 1));
  use(*comm);
  CHECK(has_slot(*comm) || !agrees);
  MPI_Comm_free(comm);
}

static void copies(MPI_Comm parent) {
  MPI_Comm comm, grandchild;
  MPI_Request request;
  MPI_Comm_dup(parent, &comm);
  MPI_Comm_dup(comm, &grandchild);
  finish(&grandchild, agrees);
  finish(&comm, agrees);
  MPI_Comm_dup_with_info(parent, MPI_INFO_NULL, &comm);
  finish(&comm, agrees);
  MPI_Comm_idup(parent, &comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  finish(&comm, 0);
}

/* Two children at a time, one of which has the other order of ranks; members without a child. */
static void parts(MPI_Comm parent) {
  MPI_Comm comm;
  MPI_Group group, some;
  int me, all, first = 0;
  MPI_Comm_rank(parent, &me);
  MPI_Comm_size(parent, &all);
  MPI_Comm_split(parent, me % 2, me % 2 ? me : -me, &comm);
  finish(&comm, agrees);
  MPI_Comm_split(parent, me, 0, &comm);
  finish(&comm, 0);
  MPI_Comm_split(parent, me ? 1 : MPI_UNDEFINED, -me, &comm);
  finish(&comm, agrees);
  MPI_Comm_split_type(parent, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
  finish(&comm, agrees);
  MPI_Comm_group(parent, &group);
  MPI_Group_excl(group, 1, &first, &some);
  MPI_Comm_create(parent, some, &comm);
  finish(&comm, agrees);
  if (me) {
    MPI_Comm_create_group(parent, some, 5, &comm);
    finish(&comm, 0);
  }
  MPI_Group_free(&some);
  MPI_Group_free(&group);
}

static void topologies(MPI_Comm parent) {
  MPI_Comm comm, row;
  int me, all, places[] = {2}, periods[] = {1, 0}, grid[] = {2, 0}, keep[] = {0, 1}, one = 1;
  MPI_Comm_rank(parent, &me);
  MPI_Comm_size(parent, &all);
  MPI_Cart_create(parent, 1, places, periods, 1, &comm); /* the others get nothing */
  finish(&comm, agrees);
  grid[1] = all / 2;
  MPI_Cart_create(parent, 2, grid, periods, 0, &comm);
  if (comm != MPI_COMM_NULL) {
    CHECK(has_slot(comm) == agrees);
    MPI_Cart_sub(comm, keep, &row);
    finish(&row, agrees);
    finish(&comm, agrees);
  }
  int index[64], edges[64], right = (me + 1) % all, left = (me + all - 1) % all;
  for (int i = 0; i < all; ++i) {
    index[i] = i + 1;
    edges[i] = (i + 1) % all;
  }
  MPI_Graph_create(parent, all, index, edges, 1, &comm);
  finish(&comm, agrees);
  MPI_Dist_graph_create(parent, 1, &me, &one, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  finish(&comm, agrees);
  MPI_Dist_graph_create_adjacent(parent, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &comm);
  finish(&comm, agrees);
}

/* More children than may have a slot without an operation; then they get theirs. */
static void unused(MPI_Comm parent) {
  enum { MANY = 2 * MPISPEC_MOST_UNUSED_CHILDREN };
  MPI_Comm comms[MANY], comm;
  int count = 0;
  for (int i = 0; i < MANY; ++i) {
    MPI_Comm_dup(parent, &comms[i]);
    count += has_slot(comms[i]);
  }
  CHECK(count == (agrees ? MPISPEC_MOST_UNUSED_CHILDREN : 0));
  for (int i = 0; i < MANY; ++i)
    use(comms[i]);
  MPI_Comm_dup(parent, &comm);
  finish(&comm, agrees);
  for (int i = 0; i < MANY; ++i)
    MPI_Comm_free(&comms[i]);
}

/* An inter-communicator has no slot, and no member of it waits for one. */
static void between(MPI_Comm parent) {
  MPI_Comm half, other, copy, merged;
  int me, all;
  MPI_Comm_rank(parent, &me);
  MPI_Comm_size(parent, &all);
  MPI_Comm_split(parent, me < all / 2, 0, &half);
  MPI_Intercomm_create(half, 0, parent, me < all / 2 ? all / 2 : 0, 3, &other);
  MPI_Comm_dup(other, &copy);
  MPI_Intercomm_merge(copy, me < all / 2, &merged);
  CHECK(!has_slot(merged));
  MPI_Barrier(merged);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&other);
  finish(&half, agrees);
}

/* A constructor that fails on all members leaves the parent in step. */
static void failed(MPI_Comm parent) {
  MPI_Comm comm;
  int all, places, periods = 0;
  MPI_Comm_size(parent, &all);
  places = all + 1;
  MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
  CHECK(MPI_Cart_create(parent, 1, &places, &periods, 0, &comm) != MPI_SUCCESS);
  MPI_Comm_set_errhandler(parent, MPI_ERRORS_ARE_FATAL);
  use(parent);
}

int main(int argc, char **argv) {
  MPI_Comm reversed;
  int level;
  MPI_Init_thread(&argc, &argv, argc > 2 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  agrees = argc > 1 && !strcmp(argv[1], "agree");
  CHECK(!has_slot(MPI_COMM_WORLD));
  MPI_Comm_dup(MPI_COMM_WORLD, &reversed); /* the parent gets a slot, too */
  CHECK(has_slot(MPI_COMM_WORLD) == agrees);
  finish(&reversed, agrees);
  use(MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  CHECK(has_slot(reversed) == agrees);
  use(reversed);
  for (int time = 0; time < 3; ++time) {
    const MPI_Comm parent = time == 1 ? reversed : MPI_COMM_WORLD;
    copies(parent);
    parts(parent);
    topologies(parent);
    unused(parent);
    between(parent);
    failed(parent);
  }
  MPI_Comm_free(&reversed);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w %include -I%S %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 4 %t agree | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 5 %t agree | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t agree threads | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t later | FileCheck %s %}
// CHECK: passed
