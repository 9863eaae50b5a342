! With each binding, and however the runtime came in, requests are the runtime's: on MPI_COMM_WORLD, and on what
! Fortran has made of it. (29 is the first byte of their handles.)
!
! REQUIRES: mpich
! DEFINE: %{run} = env MPISPEC_VERBOSE=1 %mpirun -n 2
! RUN: for binding in MPIF_H USE_MPI USE_MPI_F08; do \
! RUN:   build="mpif90 -w -fallow-argument-mismatch -D$binding -I%inputs/../../bench/fortran %s"; \
! RUN:   $build -o %t && $build -o %t.static -Wl,-u,MPI_Init %runtime && \
! RUN:   $build -o %t.shared -Wl,--no-as-needed %runtime-shared && \
! RUN:   for way in "-env LD_PRELOAD %library-shared %t" %t.static %t.shared; do \
! RUN:     %{run} $way >%t.out 2>&1 && FileCheck %s <%t.out || exit 1; done; done
! CHECK-DAG: lanes are open
! CHECK-DAG: world 29 copy 29 split 29 grid 29 persistent 29 duplicate 29
#include "one-source.inc"
program lanes
  USES
  implicit none
  INCLUDES
  integer :: rank, error, first_byte(6), in, i
  COMM :: copy, half, grid, duplicate
  REQUEST :: request
  STATUS(status)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, error)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, 0, half, error)
  call MPI_Cart_create(half, 1, (/2/), (/.true./), .false., grid, error)
  call ask(1, MPI_COMM_WORLD)
  call ask(2, copy)
  call ask(3, half)
  call ask(4, grid)
  call MPI_Recv_init(in, 1, MPI_INTEGER, 1 - rank, 1, copy, request, error)
  first_byte(5) = ishft(VALUE_OF(request), -24)
  call MPI_Request_free(request, error)
  call MPI_Comm_idup(copy, duplicate, request, error)
  call MPI_Wait(request, status, error)
  call ask(6, duplicate)
  if (rank == 0) print '(6(a, i0))', 'world ', first_byte(1), ' copy ', first_byte(2), ' split ', first_byte(3), &
    ' grid ', first_byte(4), ' persistent ', first_byte(5), ' duplicate ', first_byte(6)
  call MPI_Finalize(error)
contains
  subroutine ask(place, comm)
    integer, intent(in) :: place
    COMM, intent(in) :: comm
    call MPI_Irecv(in, 1, MPI_INTEGER, 1 - rank, 1, comm, request, error)
    first_byte(place) = ishft(VALUE_OF(request), -24)
    call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, 1, comm, error)
    call MPI_Wait(request, status, error)
  end subroutine
end program
