/* A freed type lives on for the receives that need it. It does not live longer for a receive of another type, and not
 * beyond MPI_Finalize for one that is never completed. The attribute's callback shows when it ends. */
#include "check.h"

#include <mpi.h>

static int ended;

static int at_end(MPI_Datatype type, int key, void *value, void *extra) {
  (void)type, (void)key, (void)value, (void)extra;
  ++ended;
  return MPI_SUCCESS;
}

static MPI_Datatype every_other_int(int key) {
  MPI_Datatype type;
  MPI_Type_vector(4, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Type_set_attr(type, key, NULL);
  return type;
}

/* The end of a receive. Each receive has a type of its own. */
enum { COMPLETED, FREED, ABANDONED, KINDS };

int main(int argc, char **argv) {
  static int in[KINDS][8], out[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  MPI_Request request[KINDS], of_chars, plain;
  char chars[8];
  int key;
  MPI_Init(&argc, &argv);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, at_end, &key, NULL);

  MPI_Recv_init(chars, 8, MPI_CHAR, MPI_ANY_SOURCE, 99, MPI_COMM_SELF, &of_chars);
  MPI_Start(&of_chars);
  MPI_Datatype other = every_other_int(key);
  MPI_Type_free(&other);
  CHECK(other == MPI_DATATYPE_NULL && ended == 1); /* nobody needs it */

  for (int i = 0; i < KINDS; ++i) {
    MPI_Datatype type = every_other_int(key);
    MPI_Recv_init(in[i], 1, type, 0, i, MPI_COMM_SELF, &request[i]);
    if (i == COMPLETED)
      MPI_Irecv(in[i], 1, type, 0, 50, MPI_COMM_SELF, &plain);
    MPI_Type_free(&type);
    CHECK(type == MPI_DATATYPE_NULL && ended == 1);
  }
  MPI_Startall(KINDS, request);

  MPI_Send(out, 4, MPI_INT, 0, COMPLETED, MPI_COMM_SELF);
  MPI_Wait(&request[COMPLETED], MPI_STATUS_IGNORE);
  CHECK(in[COMPLETED][6] == 4 && in[COMPLETED][5] == 0);
  MPI_Request_free(&request[COMPLETED]);
  CHECK(ended == 1); /* a second one still needs it */
  MPI_Send(out + 4, 4, MPI_INT, 0, 50, MPI_COMM_SELF);
  MPI_Wait(&plain, MPI_STATUS_IGNORE);
  CHECK(in[COMPLETED][6] == 8 && ended == 2);

  MPI_Cancel(&request[FREED]);
  MPI_Wait(&request[FREED], MPI_STATUS_IGNORE);
  MPI_Request_free(&request[FREED]);
  CHECK(ended == 3);

  MPI_Cancel(&request[ABANDONED]);
  MPI_Cancel(&of_chars);
  MPI_Type_free_keyval(&key);
  MPI_Finalize();
  CHECK(ended == 4);
  puts("ended");
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 1 %t 2>&1 | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t 2>&1 | FileCheck %s %}
// CHECK-NOT: leaked
// CHECK: ended
// CHECK-NOT: leaked
