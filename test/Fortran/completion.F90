! Every function that completes, asks after or ends a request, on requests of lanes, of the MPI
! library (a nonblocking collective), of nobody, and all in one array; with statuses and without.
!
! RUN: %ways %s 2 | FileCheck %S/Inputs/ways.check %if !openmpi %{--check-prefixes=CHECK,NODES%}
#include "one-source.inc"
program completion
  USES
  implicit none
  INCLUDES
  integer, parameter :: n = 5
  integer :: rank, peer, error, i, got, index, in(n), out(n), indices(n), parts, rounds
  integer :: first, sum_in, sum_out
  logical :: flag
  REQUEST :: requests(n), persistent(2)
  STATUS(status)
  STATUSES(all, n)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  peer = 1 - rank
  sum_in = 0

  ! The binding of mpi_f08 in MPICH 4.0 numbers requests from zero.
  call MPI_Irecv(in, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, requests(1), error)
  call MPI_Waitany(1, requests, first, status, error)
  call tell('first', first, error, 0)

  ! One request.
  call begin(1, 11)
  call MPI_Wait(requests(1), status, error)
  call tell('Wait', OF(status, MPI_SOURCE) - peer, OF(status, MPI_TAG), in(1))
  call begin(1, 12)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
  call tell('Wait ignoring', error, 0, in(1))
  call begin(1, 13)
  flag = .false.
  do while (.not. flag)
    call MPI_Request_get_status(requests(1), flag, status, error)
  end do
  call tell('Request_get_status', OF(status, MPI_SOURCE) - peer, OF(status, MPI_TAG), in(1))
  flag = .false.
  do while (.not. flag)
    call MPI_Test(requests(1), flag, status, error)
  end do
  call tell('Test', OF(status, MPI_SOURCE) - peer, OF(status, MPI_TAG), merge(1, 0, flag .eqv. .true.))
  call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE, error)
  call tell('Test of null', error, 0, merge(1, 0, flag))

  ! All, with the library's among them and one of nobody.
  call begin(n, 20)
  call MPI_Waitall(n, requests, all, error)
  call tell('Waitall', AT(all, 3, MPI_SOURCE) - peer, AT(all, 4, MPI_TAG), sum(in))
  call begin(n, 30)
  call MPI_Waitall(n, requests, MPI_STATUSES_IGNORE, error)
  call tell('Waitall ignoring', error, 0, sum(in))
  call begin(n, 40)
  flag = .false.
  do while (.not. flag)
    call MPI_Testall(n, requests, flag, all, error)
  end do
  call tell('Testall', AT(all, 1, MPI_SOURCE) - peer, AT(all, 4, MPI_TAG), sum(in))
  call begin(n, 50)
  flag = .false.
  do while (.not. flag)
    call MPI_Testall(n, requests, flag, MPI_STATUSES_IGNORE, error)
  end do
  call tell('Testall ignoring', error, 0, sum(in))

  ! Any: each index once, whichever comes first.
  call begin(n, 60)
  indices = 0
  do i = 1, n - 1
    call MPI_Waitany(n, requests, index, status, error)
    call count(index)
  end do
  call tell('Waitany', sum(indices * (/1, 10, 100, 1000, 10000/)), 0, sum(in))
  call MPI_Waitany(n, requests, index, MPI_STATUS_IGNORE, error)
  call tell('Waitany of none', index, 0, 0)
  call begin(n, 70)
  indices = 0
  parts = 0
  do while (parts < n - 1)
    call MPI_Testany(n, requests, index, flag, status, error)
    if (.not. flag) cycle
    parts = parts + 1
    call count(index)
  end do
  call tell('Testany', sum(indices * (/1, 10, 100, 1000, 10000/)), 0, sum(in))
  call MPI_Testany(n, requests, index, flag, MPI_STATUS_IGNORE, error)
  call tell('Testany of none', index, 0, merge(1, 0, flag))

  ! Some.
  do rounds = 1, 4
    call begin(n, 70 + 10 * rounds)
    parts = 0
    out = 0
    do while (parts < n - 1)
      indices = -7
      if (rounds == 1) call MPI_Waitsome(n, requests, got, indices, all, error)
      if (rounds == 2) call MPI_Testsome(n, requests, got, indices, all, error)
      if (rounds == 3) call MPI_Waitsome(n, requests, got, indices, MPI_STATUSES_IGNORE, error)
      if (rounds == 4) call MPI_Testsome(n, requests, got, indices, MPI_STATUSES_IGNORE, error)
      do i = 1, got
        sum_in = sum_in + indices(i)
        ! Of messages the tag and the index belong together.
        if (rounds > 2 .or. indices(i) - first + 1 == n) cycle
        sum_in = sum_in + 100 * (AT(all, i, MPI_TAG) - indices(i))
      end do
      parts = parts + got
    end do
    call tell('some', sum_in, rounds, sum(in))
  end do
  call MPI_Waitsome(n, requests, got, indices, MPI_STATUSES_IGNORE, error)
  call tell('Waitsome of none', got, 0, 0)
  call MPI_Testsome(n, requests, got, indices, all, error)
  call tell('Testsome of none', got, 0, 0)

  ! Persistent requests, begun in both ways; cancelled and freed ones.
  call MPI_Recv_init(in(1), 1, MPI_INTEGER, peer, 120, MPI_COMM_WORLD, persistent(1), error)
  call MPI_Send_init(out(1), 1, MPI_INTEGER, peer, 120, MPI_COMM_WORLD, persistent(2), error)
  do i = 1, 3
    out(1) = 1000 * i + rank
    if (i == 2) then
      call MPI_Start(persistent(1), error)
      call MPI_Start(persistent(2), error)
    else
      call MPI_Startall(2, persistent, error)
    end if
    call MPI_Waitall(2, persistent, all, error)
    call tell('Start', AT(all, 1, MPI_SOURCE) - peer, AT(all, 1, MPI_TAG), in(1))
  end do
  call MPI_Request_free(persistent(1), error)
  call MPI_Request_free(persistent(2), error)
  call tell('Request_free', VALUE_OF(persistent(1)) - VALUE_OF(MPI_REQUEST_NULL), error, 0)
  call MPI_Irecv(in(1), 1, MPI_INTEGER, peer, 130, MPI_COMM_WORLD, requests(1), error)
  call MPI_Cancel(requests(1), error)
  call MPI_Wait(requests(1), status, error)
  call MPI_Test_cancelled(status, flag, error)
  call tell('Cancel', merge(1, 0, flag), error, 0)
  call MPI_Isend(rank, 1, MPI_INTEGER, peer, 131, MPI_COMM_WORLD, requests(1), error)
  call MPI_Request_free(requests(1), error)
  call MPI_Recv(in(1), 1, MPI_INTEGER, peer, 131, MPI_COMM_WORLD, status, error)
  call tell('freed', OF(status, MPI_TAG), error, in(1))
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Finalize(error)

contains
  ! Receives with tags t + 1 ... t + 3 and a message to oneself, the fifth is the library's (of several),
  ! the second nobody's; and what they wait for.
  subroutine begin(several, t)
    integer, intent(in) :: several, t
    integer :: k, value
    requests = MPI_REQUEST_NULL
    in = 0
    do k = 1, min(several, n - 1)
      if (k == 2) cycle
      call MPI_Irecv(in(k), 1, MPI_INTEGER, peer, t + k - merge(1, 0, several == 1), MPI_COMM_WORLD, requests(k), error)
    end do
    if (several == n) call MPI_Iallreduce(rank, sum_out, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(n), error)
    do k = 1, min(several, n - 1)
      if (k == 2) cycle
      value = 100 * t + k + rank
      call MPI_Send(value, 1, MPI_INTEGER, peer, t + k - merge(1, 0, several == 1), MPI_COMM_WORLD, error)
    end do
  end subroutine

  subroutine count(index)
    integer, intent(in) :: index
    integer :: k
    k = index - first + 1
    indices(k) = indices(k) + 1
  end subroutine

  subroutine tell(what, a, b, c)
    character(*), intent(in) :: what
    integer, intent(in) :: a, b, c
    print '(i0, a, a, 3(a, i0))', rank, ' ', what, ' ', a, ' ', b, ' ', c
  end subroutine
end program
