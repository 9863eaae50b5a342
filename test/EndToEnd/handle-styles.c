/* The same program against the header of each family of MPI libraries: integers, addresses, and small
 * numbers cast to pointers. All families must get the same proven facts and the same templates. */
#include <mpi.h>

void exchange(double *out, double *in) {
  int rank, size;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    for (int i = 1; i < size; i++)
      MPI_Send(out, 4, MPI_DOUBLE, i, 7, MPI_COMM_WORLD);
  } else {
    MPI_Recv(in, 4, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Irecv(in, 500, MPI_DOUBLE, rank, 8, MPI_COMM_WORLD, &request);
  MPI_Ssend(out, 500, MPI_DOUBLE, rank, 8, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Recv(in, 8, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Send(out, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

// RUN: rm -rf %t && mkdir %t
// RUN: %mpispec explain %s -- gcc -I %inputs/mpi-mpich-style > %t/mpich
// RUN: FileCheck %s < %t/mpich
// RUN: %mpispec explain %s -- gcc -I %inputs/mpi-openmpi-style | diff %t/mpich -
// RUN: %mpispec explain %s -- gcc -I %inputs/mpi-abi-style | sed "s/enum constant/macro/" | diff %t/mpich -
// RUN: cp %s %t/styles.cpp && cd %t
// RUN: %mpispec explain styles.cpp -- g++ -I %inputs/mpi-mpich-style > %t/mpich-c++
// RUN: FileCheck %s < %t/mpich-c++
// RUN: %mpispec explain styles.cpp -- g++ -I %inputs/mpi-openmpi-style | diff %t/mpich-c++ -
// RUN: %mpispec explain styles.cpp -- g++ -I %inputs/mpi-abi-style | sed "s/enum constant/macro/" | diff %t/mpich-c++ -

// CHECK: MPI_Send {{ *}}Send{{$}}
// CHECK: datatype  MPI_DOUBLE
// CHECK: MPI_Recv {{ *}}Recv{{$}}
// CHECK: tag {{ *}}MPI_ANY_TAG
// CHECK: MPI_Irecv {{ *}}Irecv{{$}}
// CHECK: MPI_Ssend {{ *}}Ssend_long
// CHECK: MPI_Wait {{ *}}Wait_ignore
// CHECK: MPI_Recv {{ *}}Recv{{$}}
// CHECK: {{peer|source}} {{ *}}MPI_ANY_SOURCE
// CHECK: comm {{ *}}MPI_COMM_SELF
// CHECK: MPI_Send {{ *}}ordinary
// CHECK: {{peer|destination}} {{ *}}MPI_PROC_NULL
// CHECK: MPI_Allreduce {{ *}}Allreduce{{$}}
// CHECK: op {{ *}}MPI_SUM

// The rewritten text compiles against each, in C and C++, with nothing left out.
// RUN: sh %inputs/compiles-specialised.sh %mpispec %t/a 8 gcc -std=c99 -pedantic -O2 -Wall -Werror -I %inputs/mpi-mpich-style %s
// RUN: sh %inputs/compiles-specialised.sh %mpispec %t/a 8 clang-22 -std=c11 -O2 -Wall -Werror -I %inputs/mpi-mpich-style %s
// RUN: sh %inputs/compiles-specialised.sh %mpispec %t/a 8 g++ -std=c++11 -x c++ -O2 -Wall -Werror -I %inputs/mpi-mpich-style %s
// RUN: sh %inputs/compiles-specialised.sh %mpispec %t/a 8 clang++-22 -std=c++20 -x c++ -O2 -Wall -Werror -I %inputs/mpi-mpich-style %s
// RUN: sh %inputs/compiles-specialised.sh %mpispec %t/a 8 gcc -std=c99 -pedantic -O2 -Wall -Werror -I %inputs/mpi-openmpi-style %s
// RUN: sh %inputs/compiles-specialised.sh %mpispec %t/a 8 clang-22 -std=c11 -O2 -Wall -Werror -I %inputs/mpi-openmpi-style %s
// RUN: sh %inputs/compiles-specialised.sh %mpispec %t/a 8 g++ -std=c++11 -x c++ -O2 -Wall -Werror -I %inputs/mpi-openmpi-style %s
// RUN: sh %inputs/compiles-specialised.sh %mpispec %t/a 8 clang++-22 -std=c++20 -x c++ -O2 -Wall -Werror -I %inputs/mpi-openmpi-style %s
// RUN: sh %inputs/compiles-specialised.sh %mpispec %t/a 8 gcc -std=c99 -pedantic -O2 -Wall -Werror -I %inputs/mpi-abi-style %s
// RUN: sh %inputs/compiles-specialised.sh %mpispec %t/a 8 clang-22 -std=c11 -O2 -Wall -Werror -I %inputs/mpi-abi-style %s
// RUN: sh %inputs/compiles-specialised.sh %mpispec %t/a 8 g++ -std=c++11 -x c++ -O2 -Wall -Werror -I %inputs/mpi-abi-style %s
// RUN: sh %inputs/compiles-specialised.sh %mpispec %t/a 8 clang++-22 -std=c++20 -x c++ -O2 -Wall -Werror -I %inputs/mpi-abi-style %s
