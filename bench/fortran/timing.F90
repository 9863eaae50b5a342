! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! timing.F90 - what is around each kernel: as kernels/kernel.h for those in C
!
! A kernel runs its method between timing_start and timing_stop, several times, and then reports: a line of its
! result; "right" or "WRONG"; "seconds", the best time; "handoff" (common/handoff.h).
#include "one-source.inc"
module timing
  USES
  use, intrinsic :: iso_c_binding
  implicit none
  INCLUDES
  integer :: rank, ranks, repetitions = 1, error
  double precision :: started, best = 1d9
  interface
    subroutine bind_rank(core) bind(C, name='bind_rank')
      import :: c_int
      integer(c_int), value :: core
    end subroutine
    function handoff_nanoseconds() bind(C, name='handoff_nanoseconds')
      import :: c_double
      real(c_double) :: handoff_nanoseconds
    end function
  end interface
contains
  ! MPI_Init, each rank on a core of its own if there are as many. The first argument, if there is one, is the
  ! number of repetitions.
  subroutine timing_begin()
    character(20) :: argument
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    call bind_rank(int(rank, c_int))
    if (command_argument_count() > 0) then
      call get_command_argument(1, argument)
      read (argument, *) repetitions
    end if
  end subroutine

  subroutine timing_start()
    call MPI_Barrier(MPI_COMM_WORLD, error)
    started = MPI_Wtime()
  end subroutine

  ! When the last rank is done.
  subroutine timing_stop()
    double precision :: took(1), longest(1)
    took = MPI_Wtime() - started
    call MPI_Allreduce(took, longest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
    best = min(best, longest(1))
  end subroutine

  ! `mine` and `serial`: the result of all ranks and of one alone, which may differ by `tolerance` of it.
  subroutine timing_end(name, mine, serial, tolerance)
    character(*), intent(in) :: name
    double precision, intent(in) :: mine, serial, tolerance
    double precision :: handoff
    logical :: is_right
    is_right = abs(mine - serial) <= tolerance * abs(serial)
    handoff = handoff_nanoseconds()
    if (rank == 0) then
      print '(a, 1pe20.12)', name, serial
      print '(a)', merge('right', 'WRONG', is_right)
      print '(a, f0.9)', 'seconds 0', best
      print '(a, f0.2)', 'handoff ', handoff
    end if
    call MPI_Finalize(error)
    if (.not. is_right) stop 1
  end subroutine
end module
