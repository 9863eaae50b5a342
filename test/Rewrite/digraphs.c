/* A declaration that ends with a digraph. The definition of a site goes behind it. */
#include <mpi.h>

int before(int value) <%
  return value + 1;
%>
void send(const double *x) <%
  MPI_Send(x, 1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
%>

// RUN: %mpispec mpicc -O2 -Wall -Werror --mpispec-verbose -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK-NOT: did not accept
// CHECK: sites=1 rewritten=1
// CHECK-NOT: did not accept
