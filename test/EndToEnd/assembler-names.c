/* A declaration of the program gives MPI_Send another name for the assembler. A call then means the function of that
 * name, which counts. */
#include <mpi.h>
#include <stdio.h>

static int count;

int real_send(const void *, int, MPI_Datatype, int, int, MPI_Comm) __asm__("MPI_Send");
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm) __asm__("counting_send");
int counting_send(const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  ++count;
  return real_send(buffer, n, type, to, tag, comm);
}

int main(int argc, char **argv) {
  int rank, in = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 5; ++i)
    if (rank == 0)
      MPI_Send(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
      MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0)
    printf("%d sends\n", count);
  if (rank == 1)
    printf("received %d\n", in);
  MPI_Finalize();
}

// RUN: %mpispec mpicc -O2 %s -o %t && %mpirun -n 2 %t | sort | FileCheck %s
// CHECK: 5 sends
// CHECK-NEXT: received 4
// RUN: %mpispec explain %s -- -O2 | FileCheck %s --check-prefix=REMARK
// REMARK: assembler-names.c:21:7 MPI_Send left as it is
// REMARK: {{\[callee-attribute\]}}
