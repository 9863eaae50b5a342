! MPI_Win_allocate and MPI_Win_allocate_shared have two forms with `use mpi`: the base address is an integer or a
! type(c_ptr). The second form has a name of its own in the binding. During both forms a pending long message makes
! progress: rank 1 allocates a window while rank 0 still sends to it.
!
! RUN: mpif90 -w -fallow-argument-mismatch %s -o %t && %mpispec mpif90 -w -fallow-argument-mismatch %s -o %t.special
! RUN: mpif90 -w -fallow-argument-mismatch %s -o %t.linked -Wl,-u,MPI_Init %runtime
! RUN: for way in "env LD_PRELOAD=%library-shared %t" %t.linked %t.special; do \
! RUN:   env MPISPEC_VERBOSE=1 %mpirun -n 2 $way >%t.out 2>&1 && FileCheck %s <%t.out || { cat %t.out; exit 1; }; done
! CHECK-DAG: lanes are open
! CHECK-DAG: received in all forms
program windows
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  integer, parameter :: n = 8000000
  integer :: rank, error, window, request, form
  integer, allocatable :: buffer(:)
  integer(MPI_ADDRESS_KIND) :: bytes = 80, address
  type(c_ptr) :: pointer
  interface
    integer(c_int) function usleep(microseconds) bind(c)
      import c_int
      integer(c_int), value :: microseconds
    end function
  end interface
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  allocate(buffer(n))
  do form = 1, 4
    buffer = 10 * form + rank
    if (rank == 0) then
      error = usleep(200000_c_int) ! rank 1 is in the function before the message begins
      call MPI_Send(buffer, n, MPI_INTEGER, 1, form, MPI_COMM_WORLD, error)
    else
      call MPI_Irecv(buffer, n, MPI_INTEGER, 0, form, MPI_COMM_WORLD, request, error)
    end if
    if (form == 1) call MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, address, window, error)
    if (form == 2) call MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, pointer, window, error)
    if (form == 3) call MPI_Win_allocate_shared(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, address, window, error)
    if (form == 4) call MPI_Win_allocate_shared(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, pointer, window, error)
    if (rank == 1) call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    if (any(buffer /= 10 * form)) stop 1
    call MPI_Win_free(window, error)
  end do
  if (rank == 1) print *, 'received in all forms'
  call MPI_Finalize(error)
end program
