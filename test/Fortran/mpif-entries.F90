! Functions of mpif.h and `use mpi` that have an entry beside C's: each with what Fortran passes in its own way. The
! constants MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE, null processes, any source and tag,
! messages that are too long, LOGICAL flags, and `ierror`.
!
! RUN: %ways %s 2 MPIF_H USE_MPI | FileCheck %s --check-prefixes=CHECK%if nodes %{,NODES%}
! CHECK-COUNT-3: MPIF_H {{.*}} as plain MPI
! NODES: MPIF_H nodes as plain MPI
! CHECK-COUNT-3: USE_MPI {{.*}} as plain MPI
! NODES: USE_MPI nodes as plain MPI
!
! Integers of eight bytes: the library reads their lower halves, and so does the runtime.
! RUN: env FFLAGS=-fdefault-integer-8 %ways %s 2 MPIF_H | FileCheck --check-prefix=LONG %s
! LONG-COUNT-3: MPIF_H {{.*}} as plain MPI
program entries
#ifdef USE_MPI
  use mpi
#endif
  implicit none
#ifdef MPIF_H
  include 'mpif.h'
#endif
  integer, parameter :: n = 6
  integer(4) :: rank, peer, e, got, i, status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2), requests(2), request, own
  integer(4) :: absolute, where(1), one, two, source
  integer(kind=MPI_ADDRESS_KIND) :: places(1)
  logical(4) :: flag
  double precision :: x(n), y(n), long(2000), longer(2000)
  one = 1
  two = 2
  call MPI_Init(e)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
  call MPI_Comm_dup(MPI_COMM_WORLD, own, e)
  peer = 1 - rank
  x = (/(10d0 * rank + i, i = 1, n)/)
  y = 0

  ! An absolute address, from MPI_BOTTOM.
  call MPI_Get_address(x(2), places(1), e)
  where(1) = 3
  call MPI_Type_create_hindexed(1_4, where, places, MPI_DOUBLE_PRECISION, absolute, e)
  call MPI_Type_commit(absolute, e)
  call MPI_Send(MPI_BOTTOM, one, absolute, peer, 1_4, MPI_COMM_WORLD, e)
  call MPI_Recv(y, 3_4, MPI_DOUBLE_PRECISION, peer, 1_4, MPI_COMM_WORLD, status, e)
  print *, rank, 'from MPI_BOTTOM', y, status(MPI_SOURCE), status(MPI_TAG), e
  call MPI_Isend(y, 3_4, MPI_DOUBLE_PRECISION, peer, 2_4, own, requests(1), e)
  call MPI_Irecv(MPI_BOTTOM, one, absolute, peer, 2_4, own, requests(2), e)
  call MPI_Waitall(two, requests, MPI_STATUSES_IGNORE, e)
  print *, rank, 'to MPI_BOTTOM', x, e
  call MPI_Send(x, one, MPI_DOUBLE_PRECISION, peer, 3_4, MPI_COMM_WORLD, e)
  call MPI_Recv(MPI_BOTTOM, one, absolute, peer, 3_4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, e)
  call MPI_Sendrecv(MPI_BOTTOM, one, absolute, peer, 4_4, y, 3_4, MPI_DOUBLE_PRECISION, peer, 4_4, own, &
                    MPI_STATUS_IGNORE, e)
  print *, rank, 'both', x, y, e
  call MPI_Bcast(MPI_BOTTOM, one, absolute, one, MPI_COMM_WORLD, e)
  print *, rank, 'Bcast', x, e

  ! Short, long and empty ones, in a row, and with statuses.
  do i = 1, 40
    call MPI_Isend(x, n, MPI_DOUBLE_PRECISION, peer, i, MPI_COMM_WORLD, requests(1), e)
    call MPI_Irecv(y, n, MPI_DOUBLE_PRECISION, peer, i, MPI_COMM_WORLD, requests(2), e)
    call MPI_Waitall(two, requests, statuses, e)
    if (e /= 0 .or. statuses(MPI_TAG, 2) /= i .or. statuses(MPI_SOURCE, 2) /= peer) print *, rank, 'wrong', statuses
  end do
  long = rank + 1
  call MPI_Irecv(longer, 2000_4, MPI_DOUBLE_PRECISION, peer, 5_4, MPI_COMM_WORLD, request, e)
  call MPI_Send(long, 2000_4, MPI_DOUBLE_PRECISION, peer, 5_4, MPI_COMM_WORLD, e)
  call MPI_Wait(request, status, e)
  call MPI_Get_count(status, MPI_DOUBLE_PRECISION, got, e)
  print *, rank, 'long', got, sum(longer), request == MPI_REQUEST_NULL
  call MPI_Send(x, 0_4, MPI_DOUBLE_PRECISION, peer, 6_4, MPI_COMM_WORLD, e)
  call MPI_Recv(y, n, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, e)
  call MPI_Get_count(status, MPI_DOUBLE_PRECISION, got, e)
  print *, rank, 'empty', got, status(MPI_SOURCE), status(MPI_TAG)

  ! Null processes and null requests.
  call MPI_Send(x, n, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 7_4, MPI_COMM_WORLD, e)
  call MPI_Recv(y, n, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 7_4, MPI_COMM_WORLD, status, e)
  print *, rank, 'nobody', status(MPI_SOURCE) == MPI_PROC_NULL, status(MPI_TAG) == MPI_ANY_TAG, e
  call MPI_Irecv(y, n, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 7_4, MPI_COMM_WORLD, request, e)
  call MPI_Wait(request, MPI_STATUS_IGNORE, e)
  call MPI_Wait(request, MPI_STATUS_IGNORE, e)
  call MPI_Test(request, flag, MPI_STATUS_IGNORE, e)
  print *, rank, 'null request', flag, e
  call MPI_Waitall(0_4, requests, MPI_STATUSES_IGNORE, e)

  ! A receive of an earlier test's message, from any source; the flag is .true. as Fortran has it.
  call MPI_Irecv(y, n, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 8_4, MPI_COMM_WORLD, request, e)
  call MPI_Test(request, flag, status, e)
  if (rank == 0) print *, 'too early', flag
  call MPI_Barrier(MPI_COMM_WORLD, e)
  call MPI_Send(x, 2_4, MPI_DOUBLE_PRECISION, peer, 8_4, MPI_COMM_WORLD, e)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(request, flag, status, e)
  end do
  source = transfer(flag, source)
  print *, rank, 'tested', source, status(MPI_SOURCE), status(MPI_TAG), request == MPI_REQUEST_NULL

  ! Errors: by ierror, with the library's class.
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, e)
  call MPI_Send(x, n, MPI_DOUBLE_PRECISION, peer, 9_4, MPI_COMM_WORLD, e)
  call MPI_Recv(y, 2_4, MPI_DOUBLE_PRECISION, peer, 9_4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, e)
  call MPI_Error_class(e, got, i)
  print *, rank, 'truncated', got == MPI_ERR_TRUNCATE
  call MPI_Irecv(y, 2_4, MPI_DOUBLE_PRECISION, peer, 10_4, MPI_COMM_WORLD, request, e)
  call MPI_Send(x, n, MPI_DOUBLE_PRECISION, peer, 10_4, MPI_COMM_WORLD, e)
  call MPI_Wait(request, status, e)
  call MPI_Error_class(e, got, i)
  print *, rank, 'truncated in Wait', got == MPI_ERR_TRUNCATE
  call MPI_Send(x, n, MPI_DOUBLE_PRECISION, 7_4, 9_4, MPI_COMM_WORLD, e)
  call MPI_Error_class(e, got, i)
  print *, rank, 'no rank', got == MPI_ERR_RANK
  call MPI_Isend(x, -one, MPI_DOUBLE_PRECISION, peer, 9_4, MPI_COMM_WORLD, request, e)
  call MPI_Error_class(e, got, i)
  print *, rank, 'no count', got == MPI_ERR_COUNT
  call MPI_Bcast(x, n, MPI_DOUBLE_PRECISION, 7_4, MPI_COMM_WORLD, e)
  call MPI_Error_class(e, got, i)
  print *, rank, 'no root', got == MPI_ERR_ROOT

  ! Collective operations, also in place.
  x = (/(10d0 * rank + i, i = 1, n)/)
  call MPI_Allreduce(x, y, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, e)
  print *, rank, 'Allreduce', y
  call MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, e)
  print *, rank, 'in place', x
  x = x + rank
  if (rank == 1) then
    call MPI_Reduce(MPI_IN_PLACE, x, n, MPI_DOUBLE_PRECISION, MPI_SUM, one, MPI_COMM_WORLD, e)
  else
    call MPI_Reduce(x, MPI_BOTTOM, n, MPI_DOUBLE_PRECISION, MPI_SUM, one, MPI_COMM_WORLD, e)
  end if
  print *, rank, 'Reduce', x
  call MPI_Alltoall(x, 3_4, MPI_DOUBLE_PRECISION, y, 3_4, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, e)
  print *, rank, 'Alltoall', y
  call MPI_Alltoall(MPI_IN_PLACE, 0_4, MPI_INTEGER, y, 3_4, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, e)
  print *, rank, 'in place', y
  call MPI_Bcast(y, n, MPI_DOUBLE_PRECISION, 0_4, own, e)
  print *, rank, 'Bcast', y, e
  call MPI_Type_free(absolute, e)
  call MPI_Comm_free(own, e)
  call MPI_Finalize(e)
end program
