/* Every constructor of an intracommunicator, and further ones from the result. Each is adopted, with its ranks in its
 * own order, and a matching of its own beside its parent's. It is freed and made again. */
#include "check.h"
#include "comm/communicator.h"

#include <mpi.h>

static int rank, size, adopted_all = 1;

/* To each neighbour by rank, the same tag on the parent at the same time; lengths that take each of
 * the ways. */
static void exchange(MPI_Comm comm, MPI_Comm parent) {
  enum { LARGE = 20000 };
  static int in[2][LARGE], out[2][LARGE];
  static const int counts[] = {0, 1, 300, LARGE};
  int me, all, here[2], left;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &all);
  left = (me + all - 1) % all;
  for (int i = 0; i < 4; ++i) {
    MPI_Request requests[2];
    MPI_Status status;
    const int count = counts[i];
    for (int k = 0; k < count; ++k) {
      out[0][k] = me * 10 + i + k;
      out[1][k] = -1 - k;
    }
    MPI_Comm_rank(parent, &here[0]);
    MPI_Comm_size(parent, &here[1]);
    MPI_Isend(out[1], count, MPI_INT, here[0], 1, parent, &requests[0]);
    MPI_Isend(out[0], count, MPI_INT, (me + 1) % all, 1, comm, &requests[1]);
    MPI_Recv(in[0], LARGE, MPI_INT, i % 2 ? left : MPI_ANY_SOURCE, 1, comm, &status);
    CHECK(status.MPI_SOURCE == left);
    MPI_Recv(in[1], LARGE, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, parent, &status);
    CHECK(status.MPI_SOURCE == here[0]);
    for (int k = 0; k < count; ++k)
      CHECK(in[0][k] == left * 10 + i + k && in[1][k] == -1 - k);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Barrier(comm); /* or what it carries next may come before what its members send themselves */
}

static void use(MPI_Comm *comm, MPI_Comm parent) {
  MPI_Comm child;
  if (*comm == MPI_COMM_NULL)
    return;
  adopted_all &= mpispec_communicator_find(*comm) != NULL;
  exchange(*comm, parent);
  MPI_Comm_dup(*comm, &child);
  adopted_all &= mpispec_communicator_find(child) != NULL;
  exchange(child, *comm);
  MPI_Comm_free(&child);
  exchange(*comm, parent);
  MPI_Comm_free(comm);
  CHECK(*comm == MPI_COMM_NULL);
}

static void copies(MPI_Comm parent) {
  MPI_Comm comm;
  MPI_Info info;
  MPI_Request request;
  MPI_Info_create(&info);
  MPI_Comm_dup(parent, &comm);
  use(&comm, parent);
  MPI_Comm_dup_with_info(parent, info, &comm);
  use(&comm, parent);
  MPI_Comm_idup(parent, &comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  use(&comm, parent);
  MPI_Info_free(&info);
}

static void parts(MPI_Comm parent) {
  MPI_Comm comm;
  MPI_Group group, some;
  int me, all, first = 0;
  MPI_Comm_rank(parent, &me);
  MPI_Comm_size(parent, &all);
  MPI_Comm_split(parent, 0, -me, &comm); /* the other way round */
  use(&comm, parent);
  MPI_Comm_split(parent, me % 2 ? MPI_UNDEFINED : 1, 0, &comm);
  use(&comm, parent);
  MPI_Comm_split_type(parent, MPI_COMM_TYPE_SHARED, -me, MPI_INFO_NULL, &comm);
  use(&comm, parent);
  MPI_Comm_group(parent, &group);
  MPI_Group_excl(group, 1, &first, &some);
  MPI_Comm_create(parent, some, &comm);
  use(&comm, parent);
  if (me > 0 && all > 1) {
    MPI_Comm_create_group(parent, some, 5, &comm);
    use(&comm, parent);
  }
  MPI_Group_free(&some);
  MPI_Group_free(&group);
}

static void topologies(MPI_Comm parent) {
  MPI_Comm comm, part;
  int me, all, dimensions[2] = {0, 0}, periods[2] = {1, 0}, keep[2] = {1, 0};
  MPI_Comm_rank(parent, &me);
  MPI_Comm_size(parent, &all);
  MPI_Dims_create(all, 2, dimensions);
  MPI_Cart_create(parent, 2, dimensions, periods, 1, &comm);
  MPI_Cart_sub(comm, keep, &part);
  use(&part, comm);
  MPI_Barrier(comm); /* a rank that has used its part uses the whole next */
  use(&comm, parent);
  dimensions[0] = 1;
  MPI_Cart_create(parent, 1, dimensions, periods, 0, &comm); /* the others get nothing */
  CHECK((comm == MPI_COMM_NULL) == (me > 0));
  use(&comm, parent);
  int *index = malloc((size_t)all * sizeof *index), *edges = malloc((size_t)all * sizeof *edges);
  for (int i = 0; i < all; ++i) {
    index[i] = i + 1;
    edges[i] = (i + 1) % all;
  }
  MPI_Graph_create(parent, all, index, edges, 1, &comm);
  use(&comm, parent);
  const int one = 1, left = (me + all - 1) % all, right = (me + 1) % all;
  MPI_Dist_graph_create(parent, 1, &me, &one, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  use(&comm, parent);
  MPI_Dist_graph_create_adjacent(parent, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 1, &comm);
  use(&comm, parent);
  free(index);
  free(edges);
}

int main(int argc, char **argv) {
  MPI_Comm reversed;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  for (int time = 0; time < 2; ++time) {
    copies(MPI_COMM_WORLD);
    copies(MPI_COMM_SELF);
    parts(time ? reversed : MPI_COMM_WORLD);
    topologies(time ? MPI_COMM_WORLD : reversed);
  }
  MPI_Comm_free(&reversed);
  MPI_Finalize();
  tell("rank %d did, %s", rank, adopted_all ? "all adopted" : "not all adopted");
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=off %mpirun -n 2 %t | FileCheck %s --check-prefix=OFF
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t | FileCheck %s --check-prefix=FOUR %}
// OFF: rank 1 did, not all adopted
// CHECK-COUNT-3: did, all adopted
// FOUR-COUNT-4: did, all adopted
