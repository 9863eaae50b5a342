! A Fortran program's calls go through C's.
program fortran
  use mpi
  integer :: rank, size, right, left, request, error, received(1), status(MPI_STATUS_SIZE)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  right = mod(rank + 1, size)
  left = mod(rank + size - 1, size)
  call MPI_Irecv(received, 1, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, request, error)
  call MPI_Send(rank, 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD, error)
  call MPI_Wait(request, status, error)
  if (received(1) /= left .or. status(MPI_SOURCE) /= left) stop 1
  received(1) = rank
  call MPI_Sendrecv_replace(received, 1, MPI_INTEGER, right, 2, left, 2, MPI_COMM_WORLD, status, error)
  if (received(1) /= left) stop 2
  if (rank == 0) print *, 'right'
  call MPI_Finalize(error)
end program

! RUN: mpif90 %s -o %t.plain
! RUN: mpif90 %s -o %t.shared -Wl,--no-as-needed %runtime-shared
! RUN: mpif90 %s -o %t.static -Wl,-u,MPI_Init %runtime
! RUN: %mpispec mpif90 %s -o %t.driver
! RUN: env MPISPEC_MODE=lanes MPISPEC_VERBOSE=1 %mpirun -n 2 env LD_PRELOAD=%library-shared %t.plain \
! RUN:   >%t.out 2>&1
! RUN: FileCheck %s <%t.out
! RUN: for form in static shared driver; do \
! RUN:   env MPISPEC_MODE=lanes MPISPEC_VERBOSE=1 %mpirun -n 2 %t.$form >%t.out 2>&1 && \
! RUN:   FileCheck %s <%t.out || exit 1; done
! CHECK-DAG: lanes are open
! CHECK-DAG: right
