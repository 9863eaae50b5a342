! What mpi_f08 alone has: buffers by descriptor. Array sections with and without gaps, of one dimension and two, of
! arrays that a subroutine knows by their shape alone, backwards, scalars, parts of a type, empty ones; memory that
! is known by its address; `ierror` left out everywhere.
!
! Open MPI with gfortran has no sections (MPI_SUBARRAYS_SUPPORTED).
! REQUIRES: mpich
! RUN: %ways %s 2 USE_MPI_F08 | FileCheck %s
! RUN: env FFLAGS=-DMULTIPLE %ways %s 2 USE_MPI_F08 | FileCheck %s
! CHECK-COUNT-4: USE_MPI_F08 {{.*}} as plain MPI
module sections_of
  use mpi_f08
  implicit none
  integer :: rank, peer
contains
  subroutine exchange(what, out, in)
    character(*), intent(in) :: what
    double precision, intent(in) :: out(:)
    double precision, asynchronous, intent(inout) :: in(:)
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: statuses(2)
    integer :: n
    call MPI_Irecv(in, size(in), MPI_DOUBLE_PRECISION, peer, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(out, size(out), MPI_DOUBLE_PRECISION, peer, 1, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, statuses)
    call MPI_F_sync_reg(in)
    call MPI_Get_elements(statuses(1), MPI_DOUBLE_PRECISION, n)
    print *, rank, what, n, in
  end subroutine

  subroutine exchange_2d(what, out, in)
    character(*), intent(in) :: what
    integer, intent(in) :: out(:, :)
    integer, intent(inout) :: in(:, :)
    type(MPI_Status) :: status
    call MPI_Sendrecv(out, size(out), MPI_INTEGER, peer, 2, in, size(in), MPI_INTEGER, peer, 2, MPI_COMM_WORLD, status)
    print *, rank, what, status%MPI_TAG, in
  end subroutine
end module

program sections
  use sections_of
  use, intrinsic :: iso_c_binding
  implicit none
  type point
    double precision :: x, y, z
  end type
  integer, parameter :: n = 12
  integer :: i, a(6, 5), b(6, 5), scalar, got
  double precision, target :: x(n), y(n)
  type(point) :: points(n), others(n)
  double precision, pointer :: column(:), long(:), longer(:)
  integer, pointer :: memory(:)
  type(c_ptr) :: address, kept
  type(MPI_Request) :: request, persistent(2)
  type(MPI_Status) :: status
  type(MPI_Message) :: message
  character(12) :: text, part
#ifdef MULTIPLE
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, got)
#else
  call MPI_Init()
#endif
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  peer = 1 - rank
  x = (/(100d0 * rank + i, i = 1, n)/)
  y = 0
  call exchange('whole', x, y)
  call exchange('every other', x(1:n:2), y(2:n:2))
  call exchange('into a whole', x(2:n:2), y(1:6))
  call exchange('backwards', x(n:1:-1), y)
  call exchange('out of every third', x(1:n:3), y(4:1:-1))
  call exchange('nothing', x(1:0), y(1:0))
  do i = 1, n
    points(i) = point(x(i), -x(i), 2 * x(i))
  end do
  others = point(0, 0, 0)
  call exchange('a part of each', points%y, others%z)
  print *, rank, others(1), others(n)

  ! Long enough for blocks and for a rendezvous.
  allocate(long(400000), longer(400000))
  do i = 2000, 400000, 132667
    long = rank + 1
    longer = 0
    call MPI_Irecv(longer(1:i:2), i / 2, MPI_DOUBLE_PRECISION, peer, 3, MPI_COMM_WORLD, request)
    call MPI_Send(long(2:i:2), i / 2, MPI_DOUBLE_PRECISION, peer, 3, MPI_COMM_WORLD)
    call MPI_Wait(request, status)
    call MPI_Get_elements(status, MPI_DOUBLE_PRECISION, got)
    print *, rank, 'long', got, sum(longer), longer(1:4)
  end do

  a = reshape((/(1000 * rank + i, i = 1, 30)/), (/6, 5/))
  b = 0
  call exchange_2d('a corner', a(2:4, 1:3), b(1:3, 2:4))
  call exchange_2d('a row', a(3:3, :), b(6:6, :))
  call exchange_2d('two columns', a(:, 4:5), b(:, 1:2))
  call exchange_2d('with steps both ways', a(1:6:2, 5:1:-2), b(2:6:2, 1:5:2))
  print *, rank, b

  scalar = rank + 5
  call MPI_Sendrecv_replace(scalar, 1, MPI_INTEGER, peer, 4, peer, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  print *, rank, 'scalar', scalar
  text = merge('abcdefghijkl', 'ABCDEFGHIJKL', rank == 0)
  part = ' '
  call MPI_Sendrecv(text(3:8), 6, MPI_CHARACTER, peer, 5, part(2:7), 6, MPI_CHARACTER, peer, 5, MPI_COMM_WORLD, status)
  print *, rank, '[', part, ']'

  ! Memory that only its address is known of.
  call MPI_Alloc_mem(40_MPI_ADDRESS_KIND, MPI_INFO_NULL, address)
  call c_f_pointer(address, memory, (/10/))
  memory = rank
  call MPI_Sendrecv_replace(memory(1:10:3), 4, MPI_INTEGER, peer, 6, peer, 6, MPI_COMM_WORLD, status)
  print *, rank, 'allocated', memory
  call MPI_Free_mem(memory)
  kept = c_loc(x(3))
  call c_f_pointer(kept, column, (/4/))
  call MPI_Sendrecv(column, 4, MPI_DOUBLE_PRECISION, peer, 7, y, 4, MPI_DOUBLE_PRECISION, peer, 7, MPI_COMM_WORLD, status)
  print *, rank, 'by address', y(1:4)

  ! Persistent, buffered and matched ones, and collective operations, on sections.
  call MPI_Recv_init(y(1:n:4), 3, MPI_DOUBLE_PRECISION, peer, 8, MPI_COMM_WORLD, persistent(1))
  call MPI_Send_init(x(2:n:4), 3, MPI_DOUBLE_PRECISION, peer, 8, MPI_COMM_WORLD, persistent(2))
  do i = 1, 3
    x = x + 1
    call MPI_Startall(2, persistent)
    call MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE)
    print *, rank, 'persistent', y
  end do
  call MPI_Request_free(persistent(1))
  call MPI_Request_free(persistent(2))

  ! The binding frees the datatype of a section when the call returns, and the library may use its handle again.
  a = 0
  b = 0
  call MPI_Recv_init(a(1:6:4, 1), 2, MPI_INTEGER, peer, 11, MPI_COMM_WORLD, persistent(1))
  call MPI_Recv_init(b(1:6:2, 1), 3, MPI_INTEGER, peer, 12, MPI_COMM_WORLD, persistent(2))
  do i = 1, 2
    call MPI_Startall(2, persistent)
    call MPI_Send((/rank + i, 10 * i/), 2, MPI_INTEGER, peer, 11, MPI_COMM_WORLD)
    call MPI_Send((/rank + i, 20 * i, 30 * i/), 3, MPI_INTEGER, peer, 12, MPI_COMM_WORLD)
    call MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE)
    print *, rank, 'two shapes', a(:, 1), b(:, 1)
  end do
  call MPI_Request_free(persistent(1))
  call MPI_Request_free(persistent(2))

  call MPI_Isend(x(1:n:5), 3, MPI_DOUBLE_PRECISION, peer, 9, MPI_COMM_WORLD, request)
  call MPI_Mprobe(peer, 9, MPI_COMM_WORLD, message, status)
  call MPI_Mrecv(y(3:9:3), 3, MPI_DOUBLE_PRECISION, message, status)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  print *, rank, 'matched', y
  call MPI_Bcast(x(1:n:3), 4, MPI_DOUBLE_PRECISION, 1, MPI_COMM_WORLD)
  print *, rank, 'Bcast', x
  call MPI_Gather(x(2:n:6), 2, MPI_DOUBLE_PRECISION, y, 2, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
  call MPI_Allgather(x(1:2), 2, MPI_DOUBLE_PRECISION, y(5:8), 2, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD)
  call MPI_Allreduce(MPI_IN_PLACE, a, 30, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  print *, rank, 'collective', y, a
  call MPI_Iallreduce(MPI_IN_PLACE, b, 30, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  print *, rank, 'nonblocking', b
  call MPI_Finalize()
end program
