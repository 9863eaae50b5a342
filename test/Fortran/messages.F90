! Messages in all modes and lengths, probes, wildcards, nobody, characters and logicals, truncation.
!
! RUN: %ways %s 2 | FileCheck %S/Inputs/ways.check %if !openmpi %{--check-prefixes=CHECK,NODES%}
#include "one-source.inc"
program messages
  USES
  implicit none
  INCLUDES
  integer, parameter :: most = 200000, lengths(5) = (/0, 1, 30, 3000, most/)
  integer :: rank, peer, error, i, n, mode, got, class, room
  logical :: flag, yes(3)
  character(7) :: word
  character, allocatable, target :: buffer(:)
  double precision, allocatable :: out(:), in(:)
  integer(kind=MPI_ADDRESS_KIND) :: address
  REQUEST :: requests(2)
  MESSAGE :: message_found
  STATUS(status)
  STATUSES(all, 2)
  got = 0
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  peer = 1 - rank
  room = 8 * most + 2 * MPI_BSEND_OVERHEAD
  allocate(out(most), in(most), buffer(room))
  out = (/(1000d0 * rank + i, i = 1, most)/)
  call MPI_Buffer_attach(buffer, room, error)

  do i = 1, 5
    n = lengths(i)
    do mode = 1, 4
      in = 0
      call MPI_Irecv(in, n, MPI_DOUBLE_PRECISION, peer, mode, MPI_COMM_WORLD, requests(1), error)
      call MPI_Barrier(MPI_COMM_WORLD, error)
      if (mode == 1) call MPI_Send(out, n, MPI_DOUBLE_PRECISION, peer, mode, MPI_COMM_WORLD, error)
      if (mode == 2) call MPI_Ssend(out, n, MPI_DOUBLE_PRECISION, peer, mode, MPI_COMM_WORLD, error)
      if (mode == 3) call MPI_Bsend(out, n, MPI_DOUBLE_PRECISION, peer, mode, MPI_COMM_WORLD, error)
      if (mode == 4) call MPI_Rsend(out, n, MPI_DOUBLE_PRECISION, peer, mode, MPI_COMM_WORLD, error)
      call MPI_Wait(requests(1), status, error)
      call tell('blocking')
      in = 0
      call MPI_Irecv(in, n, MPI_DOUBLE_PRECISION, peer, mode, MPI_COMM_WORLD, requests(1), error)
      call MPI_Barrier(MPI_COMM_WORLD, error)
      if (mode == 1) call MPI_Isend(out, n, MPI_DOUBLE_PRECISION, peer, mode, MPI_COMM_WORLD, requests(2), error)
      if (mode == 2) call MPI_Issend(out, n, MPI_DOUBLE_PRECISION, peer, mode, MPI_COMM_WORLD, requests(2), error)
      if (mode == 3) call MPI_Ibsend(out, n, MPI_DOUBLE_PRECISION, peer, mode, MPI_COMM_WORLD, requests(2), error)
      if (mode == 4) call MPI_Irsend(out, n, MPI_DOUBLE_PRECISION, peer, mode, MPI_COMM_WORLD, requests(2), error)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
      call tell('nonblocking')
      in = 0
      call MPI_Recv_init(in, n, MPI_DOUBLE_PRECISION, peer, mode, MPI_COMM_WORLD, requests(1), error)
      if (mode == 1) call MPI_Send_init(out, n, MPI_DOUBLE_PRECISION, peer, mode, MPI_COMM_WORLD, requests(2), error)
      if (mode == 2) call MPI_Ssend_init(out, n, MPI_DOUBLE_PRECISION, peer, mode, MPI_COMM_WORLD, requests(2), error)
      if (mode == 3) call MPI_Bsend_init(out, n, MPI_DOUBLE_PRECISION, peer, mode, MPI_COMM_WORLD, requests(2), error)
      if (mode == 4) call MPI_Rsend_init(out, n, MPI_DOUBLE_PRECISION, peer, mode, MPI_COMM_WORLD, requests(2), error)
      call MPI_Start(requests(1), error)
      call MPI_Barrier(MPI_COMM_WORLD, error)
      call MPI_Start(requests(2), error)
      call MPI_Waitall(2, requests, all, error)
      call MPI_Get_count(ONE(all, 1), MPI_DOUBLE_PRECISION, got, error)
      call tell('persistent')
      call MPI_Request_free(requests(1), error)
      call MPI_Request_free(requests(2), error)
    end do
    in = 0
    call MPI_Sendrecv(out, n, MPI_DOUBLE_PRECISION, peer, 5, in, most, MPI_DOUBLE_PRECISION, peer, 5, &
                      MPI_COMM_WORLD, status, error)
    call MPI_Get_count(status, MPI_DOUBLE_PRECISION, got, error)
    call tell('Sendrecv')
    in = out
    call MPI_Sendrecv_replace(in, n, MPI_DOUBLE_PRECISION, peer, 6, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &
                              status, error)
    call MPI_Get_elements(status, MPI_DOUBLE_PRECISION, got, error)
    call tell('Sendrecv_replace')

    ! Each message is looked for before it is received.
    in = 0
    call MPI_Isend(out, n, MPI_DOUBLE_PRECISION, peer, 7, MPI_COMM_WORLD, requests(1), error)
    call MPI_Probe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, status, error)
    call MPI_Get_count(status, MPI_DOUBLE_PRECISION, got, error)
    call MPI_Recv(in, got, MPI_DOUBLE_PRECISION, OF(status, MPI_SOURCE), OF(status, MPI_TAG), MPI_COMM_WORLD, &
                  MPI_STATUS_IGNORE, error)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
    call tell('Probe')
    in = 0
    call MPI_Isend(out, n, MPI_DOUBLE_PRECISION, peer, 8, MPI_COMM_WORLD, requests(1), error)
    flag = .false.
    do while (.not. flag)
      call MPI_Iprobe(peer, MPI_ANY_TAG, MPI_COMM_WORLD, flag, status, error)
    end do
    call MPI_Iprobe(peer, 99, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, error)
    if (flag .or. (.not. (flag .eqv. .false.))) stop 1
    call MPI_Recv(in, n, MPI_DOUBLE_PRECISION, peer, 8, MPI_COMM_WORLD, status, error)
    call MPI_Wait(requests(1), status, error)
    call tell('Iprobe')
    in = 0
    call MPI_Isend(out, n, MPI_DOUBLE_PRECISION, peer, 9, MPI_COMM_WORLD, requests(1), error)
    call MPI_Mprobe(peer, 9, MPI_COMM_WORLD, message_found, status, error)
    call MPI_Mrecv(in, n, MPI_DOUBLE_PRECISION, message_found, status, error)
    call MPI_Get_count(status, MPI_DOUBLE_PRECISION, got, error)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
    call tell('Mprobe')
    in = 0
    call MPI_Isend(out, n, MPI_DOUBLE_PRECISION, peer, 10, MPI_COMM_WORLD, requests(1), error)
    flag = .false.
    do while (.not. flag)
      call MPI_Improbe(MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, flag, message_found, MPI_STATUS_IGNORE, error)
    end do
    call MPI_Imrecv(in, n, MPI_DOUBLE_PRECISION, message_found, requests(2), error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    call tell('Improbe')
  end do
#ifdef USE_MPI_F08
  call detach
#else
  call MPI_Buffer_detach(address, room, error)
#endif
  print *, rank, 'detached', room - 8 * most - 2 * MPI_BSEND_OVERHEAD

  ! Nobody.
  call MPI_Recv(in, 1, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 1, MPI_COMM_WORLD, status, error)
  print *, rank, 'nobody', OF(status, MPI_SOURCE) == MPI_PROC_NULL, OF(status, MPI_TAG) == MPI_ANY_TAG
#ifndef OPEN_MPI
  ! Open MPI 4.1 does not survive this.
  call MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, message_found, status, error)
  print *, rank, VALUE_OF(message_found) /= 0, OF(status, MPI_SOURCE) == MPI_PROC_NULL
#endif

  ! Characters and logicals.
  word = merge('seven  ', 'eight 8', rank == 0)
  call MPI_Sendrecv_replace(word, len(word), MPI_CHARACTER, peer, 11, peer, 11, MPI_COMM_WORLD, status, error)
  yes = (/.true., .false., rank == 0/)
  call MPI_Sendrecv_replace(yes, 3, MPI_LOGICAL, peer, 12, peer, 12, MPI_COMM_WORLD, status, error)
  print *, rank, '[', word, ']', yes

  ! Too long: an error, which comes back.
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
  call MPI_Send(out, 3, MPI_DOUBLE_PRECISION, peer, 13, MPI_COMM_WORLD, error)
  call MPI_Recv(in, 1, MPI_DOUBLE_PRECISION, peer, 13, MPI_COMM_WORLD, status, error)
  call MPI_Error_class(error, class, i)
  print *, rank, 'truncated', class == MPI_ERR_TRUNCATE
  requests = MPI_REQUEST_NULL
#ifndef OPEN_MPI
  ! Nor this, and what it gives differs from run to run.
  call MPI_Irecv(in, 1, MPI_DOUBLE_PRECISION, peer, 14, MPI_COMM_WORLD, requests(1), error)
  call MPI_Irecv(in(2), 1, MPI_DOUBLE_PRECISION, peer, 15, MPI_COMM_WORLD, requests(2), error)
  call MPI_Send(out, 2, MPI_DOUBLE_PRECISION, peer, 14, MPI_COMM_WORLD, error)
  call MPI_Send(out, 1, MPI_DOUBLE_PRECISION, peer, 15, MPI_COMM_WORLD, error)
  call MPI_Waitall(2, requests, all, error)
  call MPI_Error_class(error, class, i)
  print *, rank, 'in status', class == MPI_ERR_IN_STATUS
  call MPI_Error_class(AT(all, 1, MPI_ERROR), class, i)
  print *, rank, 'truncated', class == MPI_ERR_TRUNCATE
#endif
  call MPI_Send(out, 1, MPI_DOUBLE_PRECISION, 7, 1, MPI_COMM_WORLD, error)
  call MPI_Error_class(error, class, i)
  print *, rank, 'no such rank', class == MPI_ERR_RANK
  call MPI_Wait(requests(1), status, error)
  print *, rank, error
  call MPI_Finalize(error)

contains
  subroutine tell(what)
    character(*), intent(in) :: what
    print '(i0, 3a, 2(i0, a), f0.1, a, i0)', rank, ' ', what, ' ', n, ' ', mode, ' ', sum(in), ' ', got
  end subroutine
#ifdef USE_MPI_F08
  subroutine detach
    use, intrinsic :: iso_c_binding
    type(c_ptr) :: where
    call MPI_Buffer_detach(where, room, error)
    if (.not. c_associated(where)) stop 2
  end subroutine
#endif
end program
