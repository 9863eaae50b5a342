! A program that calls only functions of mpi_f08 which the runtime defines keeps the library of the binding, in which the
! runtime looks for functions, also where the linker drops libraries that no object needs.
program as_needed
  use mpi_f08
  implicit none
  type(MPI_Comm) :: copy
  integer :: rank, number
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy)
  number = merge(7, 0, rank == 0)
  call MPI_Bcast(number, 1, MPI_INTEGER, 0, copy)
  call MPI_Barrier(copy)
  if (rank == 1) print *, 'rank 1 has', number
  call MPI_Comm_free(copy)
  call MPI_Finalize()
end program

! REQUIRES: mpich
! RUN: mkdir -p %t && cd %t && mpif90 -c %s -o program.o && %mpispec mpif90 -Wl,--as-needed program.o -o program
! RUN: cd %t && %mpirun -n 2 ./program | FileCheck %s
! CHECK: rank 1 has {{ *}}7
