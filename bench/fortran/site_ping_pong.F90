! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! site_ping_pong.F90 - messages of 8 B there and back, for site-functions.sh
#include "one-source.inc"
program ping_pong
  use timing
  implicit none
  integer, parameter :: messages = 100000
  double precision :: x(1)
  integer :: i, round, peer
  call timing_begin()
  peer = 1 - rank
  x = 1
  do round = 1, repetitions
    call timing_start()
    do i = 1, messages
      if (rank == 0) then
        call MPI_Send(x, 1, MPI_DOUBLE_PRECISION, peer, 1, MPI_COMM_WORLD, error)
        call MPI_Recv(x, 1, MPI_DOUBLE_PRECISION, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      else
        call MPI_Recv(x, 1, MPI_DOUBLE_PRECISION, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        call MPI_Send(x, 1, MPI_DOUBLE_PRECISION, peer, 1, MPI_COMM_WORLD, error)
      end if
    end do
    call timing_stop()
  end do
  call timing_end('ping-pong', x(1), 1d0, 0d0)
end program
