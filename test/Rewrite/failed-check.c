/* A function that a selection names is called behind the selection's bracket: these calls stay as they are, alone. */
#include <mpi.h>

int f(double *x)
{
  return _Generic(*x, double: MPI_Send, default: MPI_Ssend)(x, 1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD) +
         __builtin_choose_expr(1, MPI_Send, MPI_Ssend)(x, 1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
}

int g(double *x)
{
  return ((MPI_Send))(x, 1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
}

/* RUN: gcc -E -I%inputs/mpi-mpich-style %s -o %t.i
   RUN: rm -rf %t.new.i %t.yaml
   RUN: %analyze unit --preprocessed=%t.i --output=%t.new.i --remarks=%t.yaml -- -I%inputs/mpi-mpich-style %s
   RUN: FileCheck %s < %t.yaml
   RUN: FileCheck --check-prefix=TEXT %s < %t.new.i
   RUN: gcc -fsyntax-only -x cpp-output %t.new.i

   CHECK: Name: failed-check
   CHECK: Name: failed-check
   CHECK-NOT: Name: failed-check

   TEXT: _Generic(*x, double: MPI_Send, default: MPI_Ssend)(
   TEXT: __builtin_choose_expr(1, MPI_Send, MPI_Ssend)(
   TEXT: return ((mpispec_site_2))(x,
*/
