/* When something is missing or refused, the job runs right all the same, and says why if asked. */
#include "check.h"

#include <mpi.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int bytes = 3000000, left = (rank + size - 1) % size;
  unsigned char *in = malloc(3000000), *out = malloc(3000000);
  for (int round = 0; round < 3; ++round) {
    MPI_Request request;
    for (int i = 0; i < bytes; ++i)
      out[i] = (unsigned char)(i * 7 + rank + round + (i >> 9));
    memset(in, 0, 3000000);
    MPI_Irecv(in, bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, &request);
    if (round == 1)
      MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(out, bytes, MPI_BYTE, (rank + 1) % size, 0, MPI_COMM_WORLD);
    if (round == 2)
      MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < bytes; ++i)
      CHECK(in[i] == (unsigned char)(i * 7 + left + round + (i >> 9)));
  }
  if (rank == 0)
    puts("right");
  MPI_Finalize();
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %mpicc -w %include %s -o %t.plain
// RUN: %mpicc -w %include %s -o %t.shared %runtime-shared
// RUN: %mpicc -fPIC -shared %tool/refuse.c -o %t.refuse.so
// RUN: %mpicc -fPIC -shared %tool/tool.c -o %t.tool.so
// DEFINE: %{lanes} = env MPISPEC_MODE=lanes MPISPEC_VERBOSE=1
// DEFINE: %{refuse} = -env LD_PRELOAD %t.refuse.so -env REFUSE

// RUN: %{lanes} %mpirun -n 2 %t >%t.out 2>&1
// RUN: FileCheck %s --check-prefixes=RIGHT,OPEN <%t.out
// RUN: %{lanes} %mpirun -n 3 %{refuse} readv %t >%t.out 2>&1
// RUN: FileCheck %s --check-prefixes=RIGHT,OPEN <%t.out

// RUN: %{lanes} %mpirun -n 2 %{refuse} memfd %t >%t.out 2>&1
// RUN: FileCheck %s --check-prefixes=RIGHT,SEGMENT <%t.out
// RUN: %{lanes} %mpirun -n 1 %t : -n 1 %{refuse} space %t >%t.out 2>&1
// RUN: FileCheck %s --check-prefixes=RIGHT,SEGMENT <%t.out

// RUN: %{lanes} %mpirun -n 2 %t : -n 1 %{refuse} attach %t >%t.out 2>&1
// RUN: FileCheck %s --check-prefixes=RIGHT,ATTACH <%t.out

// RUN: %{lanes} %mpirun -n 1 %t : -n 1 %t.plain >%t.out 2>&1
// RUN: FileCheck %s --check-prefixes=RIGHT,WILLING <%t.out
// RUN: %{lanes} %mpirun -n 1 %t : -n 2 -env MPISPEC_MODE off %t >%t.out 2>&1
// RUN: FileCheck %s --check-prefixes=RIGHT,WILLING <%t.out
// RUN: %{lanes} %mpirun -n 2 -env LD_PRELOAD %t.tool.so %t.shared >%t.out 2>&1
// RUN: FileCheck %s --check-prefixes=RIGHT,TOOL <%t.out
// RUN: %{lanes} %mpirun -n 2 sh -c "ulimit -n 32; exec %t" >%t.out 2>&1
// RUN: FileCheck %s --check-prefixes=RIGHT <%t.out

// RIGHT-DAG: right
// OPEN-DAG: mpispec: lanes are open
// SEGMENT-DAG: mpispec: all calls go to MPI: no shared memory segment could be made
// ATTACH-DAG: mpispec: all calls go to MPI: a peer's shared memory segment cannot be mapped
// ATTACH-DAG: mpispec: all calls go to MPI: another rank cannot take part
// WILLING-DAG: mpispec: all calls go to MPI: not every rank has the runtime, or has it switched on
// TOOL-DAG: mpispec: all calls go to MPI: another tool or a static link
