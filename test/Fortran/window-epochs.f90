! The runtime knows the windows of a Fortran program, and the epochs in which it wakes their targets
! (library/window_calls.h): after a window is made, waits poll the library more often, and an epoch of passive target
! communication is counted until it ends. A rank that waits in MPI_Recv is a target that sleeps.
!
! RUN: rm -rf %t && mkdir %t && %mpicc -w %include -I%S/../Runtime -c %S/Inputs/window-state.c -o %t/state.o
! RUN: mpif90 %s %t/state.o -o %t/epochs -Wl,-u,MPI_Init %runtime -lpthread
! RUN: env MPISPEC_MODE=lanes taskset -c 0 %mpirun -n 4 %t/epochs | FileCheck %s
! CHECK: passed
program window_epochs
  use, intrinsic :: iso_c_binding
  use mpi_f08
  implicit none
  integer, parameter :: times = 20, target = 1, tag = 5
  integer :: rank, ranks, i
  real(8) :: one = 1, got
  real(8), pointer :: memory(:)
  type(c_ptr) :: place
  type(MPI_Win) :: window
  type(MPI_Request) :: request
  integer(MPI_ADDRESS_KIND) :: bytes = 16
  interface
    subroutine expect(windows, targets) bind(c, name='expect_window_state')
      import c_int
      integer(c_int), value :: windows, targets
    end subroutine
  end interface
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Barrier(MPI_COMM_WORLD)
  call expect(0, 0)
  call MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, place, window)
  call c_f_pointer(place, memory, [2])
  memory = 0
  call MPI_Barrier(MPI_COMM_WORLD)
  call expect(1, 0)
  if (rank == 0) then
    do i = 1, times
      call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window)
      call expect(1, 1)
      call MPI_Accumulate(one, 1, MPI_REAL8, target, 0_MPI_ADDRESS_KIND, 1, MPI_REAL8, MPI_SUM, window)
      call MPI_Win_flush(target, window)
      call MPI_Win_flush_local(target, window)
      call MPI_Win_unlock(target, window)
      call expect(1, 0)
      call MPI_Win_lock_all(0, window)
      call expect(1, 1)
      call MPI_Rget(got, 1, MPI_REAL8, target, 0_MPI_ADDRESS_KIND, 1, MPI_REAL8, window, request)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      call MPI_Win_flush_all(window)
      call MPI_Win_flush_local_all(window)
      call MPI_Win_unlock_all(window)
      call expect(1, 0)
    end do
    do i = 1, ranks - 1
      call MPI_Send(one, 0, MPI_REAL8, i, tag, MPI_COMM_WORLD)
    end do
  else
    call MPI_Recv(one, 0, MPI_REAL8, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end if
  call MPI_Barrier(MPI_COMM_WORLD)
  if (rank == target .and. memory(1) /= times) call MPI_Abort(MPI_COMM_WORLD, 1)
  call MPI_Win_free(window)
  if (rank == 0) print '(a)', 'passed'
  call MPI_Finalize()
end program
