! Sections of mpi_f08 that the runtime reads by their descriptors: the program checks each element itself, because
! MPICH's binding sends wrong elements for some strides of inner dimensions (pmodels/mpich#7932), and ends for counts
! that are no multiple of a column (#6909).
!
! REQUIRES: mpich
! RUN: mpif90 -g %s -o %t && mpif90 -g %s -o %t.static -Wl,-u,MPI_Init %runtime -lpthread
! RUN: for way in "env LD_PRELOAD=%library-shared %t" %t.static; do \
! RUN:   env MPISPEC_VERBOSE=1 %mpirun -n 2 $way all >%t.out 2>&1 && FileCheck %s <%t.out || exit 1; done
! CHECK-DAG: lanes are open
! CHECK-DAG: inner strides are right
! CHECK-DAG: all is right
!
! Over two nodes, the library carries the same datatypes.
! RUN: env MPIR_CVAR_ODD_EVEN_CLIQUES=1 MPISPEC_VERBOSE=1 %mpirun -n 2 %t.static all >%t.out 2>&1 && FileCheck %s <%t.out
!
! Without lanes each call is the binding's, right or wrong. What it gets right, it gets right.
! RUN: env MPISPEC_MODE=off %mpirun -n 2 env LD_PRELOAD=%library-shared %t some | FileCheck --check-prefix=OFF %s
! OFF: some is right
module checks
  use mpi_f08
  implicit none
  integer :: rank, peer, wrong = 0
  type :: point
    sequence
    integer :: number
    double precision :: x, y
  end type
contains
  subroutine check(what, is_right)
    character(*), intent(in) :: what
    logical, intent(in) :: is_right
    if (.not. is_right) then
      print *, 'wrong: ', what
      wrong = wrong + 1
    end if
  end subroutine

  subroutine assumed_size(x, n)
    integer, intent(in) :: x(2, *)
    integer, intent(in) :: n
    integer :: got(n)
    call MPI_Sendrecv(x, n, MPI_INTEGER, peer, 30, got, n, MPI_INTEGER, peer, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check('assumed size', got(n) == 1000 * peer + n)
  end subroutine

  ! The section's descriptor is gone when this returns.
  subroutine begin(x, first, last, step, request)
    integer, asynchronous, intent(inout) :: x(:)
    integer, intent(in) :: first, last, step
    type(MPI_Request), intent(out) :: request
    call MPI_Irecv(x(first:last:step), (last - first) / step + 1, MPI_INTEGER, peer, step, MPI_COMM_WORLD, request)
  end subroutine

  subroutine overwrite_stack()
    integer :: rubbish(4000)
    rubbish = -1
    call check('stack', sum(rubbish) == -4000)
  end subroutine
end module

program sections
  use checks
  implicit none
  integer, parameter :: many = 150
  integer :: i, j, k, got, a(6, 4), b(6, 4), line(2000), into(2000), flat(24), seven(2, 2, 2, 2, 2, 2, 2)
  integer, asynchronous :: later(2000)
  integer :: out(128), none(0)
  double precision :: x(5), y(5)
  complex :: z(8), w(8)
  character(4) :: words(6), heard(6)
  character(8) :: mode
  type(point) :: points(5), others(5)
  type(MPI_Request) :: requests(many)
  type(MPI_Status) :: status
  call get_command_argument(1, mode)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  peer = 1 - rank
  line = (/(1000 * rank + i, i = 1, 2000)/)
  a = reshape(line, (/6, 4/))

  if (mode == 'all') then
    ! The strides at which MPICH 4.0 takes a column for contiguous.
    b = 0
    call MPI_Sendrecv(a(1:6:2, :), 12, MPI_INTEGER, peer, 1, flat, 12, MPI_INTEGER, peer, 1, MPI_COMM_WORLD, status)
    call check('inner stride', all(flat(1:12) == (/((1000 * peer + 6 * j + i, i = 1, 6, 2), j = 0, 3)/)))
    call MPI_Sendrecv(line, 12, MPI_INTEGER, peer, 2, b(2:6:2, :), 12, MPI_INTEGER, peer, 2, MPI_COMM_WORLD, status)
    call check('into an inner stride', all(reshape(b(2:6:2, :), (/12/)) == (/(1000 * peer + i, i = 1, 12)/)) &
               .and. all(b(1:6:2, :) == 0))
    if (wrong == 0 .and. rank == 0) print *, 'inner strides are right'
    ! Counts that are no multiple of a column.
    b = 0
    call MPI_Sendrecv(a(1:5:2, :), 7, MPI_INTEGER, peer, 3, b(1:3, 2:4), 7, MPI_INTEGER, peer, 3, MPI_COMM_WORLD, status)
    call check('count of part', all(b(1:3, 2) == 1000 * peer + (/1, 3, 5/)) .and. all(b(1:3, 3) == 1000 * peer + (/7, 9, 11/)) &
               .and. b(1, 4) == 1000 * peer + 13 .and. all(b(2:3, 4) == 0) .and. all(b(:, 1) == 0))
    call MPI_Get_count(status, MPI_INTEGER, got)
    call check('count in status', got == 7)
    seven = reshape(line, (/2, 2, 2, 2, 2, 2, 2/))
    call MPI_Isend(seven(:, 2:1:-1, :, :, 1:1, :, :), 64, MPI_INTEGER, peer, 5, MPI_COMM_WORLD, requests(1))
    call MPI_Recv(out, 64, MPI_INTEGER, peer, 5, MPI_COMM_WORLD, status)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    seven = reshape((/(1000 * peer + i, i = 1, 128)/), (/2, 2, 2, 2, 2, 2, 2/))
    call check('seven dimensions', all(out(1:64) == reshape(seven(:, 2:1:-1, :, :, 1:1, :, :), (/64/))))
    ! Sections of an array that stay under way while other shapes replace their datatypes.
    later = 0
    do k = 1, many
      call begin(later, k, k + 2 * (k + 1), k + 1, requests(k))
    end do
    call overwrite_stack()
    do k = many, 1, -1
      call MPI_Send(line(k:k + 2 * (k + 1):k + 1), 3, MPI_INTEGER, peer, k + 1, MPI_COMM_WORLD)
    end do
    call MPI_Waitall(many, requests, MPI_STATUSES_IGNORE)
    do k = 1, many
      do i = k, k + 2 * (k + 1), k + 1
        call check('under way', later(i) == 1000 * peer + i)
      end do
    end do
  end if

  call MPI_Sendrecv(line(2000:1:-3), 600, MPI_INTEGER, peer, 4, into(1:1800:3), 600, MPI_INTEGER, peer, 4, &
                    MPI_COMM_WORLD, status)
  call check('backwards', all(into(1:1800:3) == (/(1000 * peer + 2000 - 3 * i, i = 0, 599)/)))
  call assumed_size(line(1:20), 20)
  call assumed_size(a, 24)
  call MPI_Sendrecv(none, 0, MPI_INTEGER, peer, 6, line(5:4), 0, MPI_INTEGER, peer, 6, MPI_COMM_WORLD, status)
  call MPI_Get_count(status, MPI_INTEGER, got)
  call check('nothing', got == 0 .and. status%MPI_TAG == 6)
  call MPI_Sendrecv(line(1:9:3), 0, MPI_INTEGER, peer, 6, into(2:9:3), 0, MPI_INTEGER, peer, 6, MPI_COMM_WORLD, status)

  ! Derived types, characters, complex numbers.
  points = (/(point(i, 10 * rank + i, 20 * rank + i), i = 1, 5)/)
  others = point(0, 0, 0)
  call MPI_Sendrecv(points%y, 5, MPI_DOUBLE_PRECISION, peer, 7, others%x, 5, MPI_DOUBLE_PRECISION, peer, 7, &
                    MPI_COMM_WORLD, status)
  call check('components', all(others%x == 20 * peer + (/1, 2, 3, 4, 5/)) .and. all(others%y == 0) .and. all(others%number == 0))
  call MPI_Sendrecv(points(5:1:-2)%number, 3, MPI_INTEGER, peer, 8, into, 3, MPI_INTEGER, peer, 8, MPI_COMM_WORLD, status)
  call check('components of a section', all(into(1:3) == (/5, 3, 1/)))
  words = (/('word', i = 1, 6)/)
  heard = ' '
  if (rank == 1) words = 'WORD'
  call MPI_Sendrecv(words(1:6)(2:2), 6, MPI_CHARACTER, peer, 9, heard(1:6)(4:4), 6, MPI_CHARACTER, peer, 9, &
                    MPI_COMM_WORLD, status)
  call check('characters', all(heard == merge('   O', '   o', peer == 1)))
  z = (/(cmplx(rank, i), i = 1, 8)/)
  w = 0
  call MPI_Sendrecv(z(8:2:-2), 4, MPI_COMPLEX, peer, 10, w(1:7:2), 4, MPI_COMPLEX, peer, 10, MPI_COMM_WORLD, status)
  call check('complex', all(w(1:7:2) == (/(cmplx(peer, i), i = 8, 2, -2)/)) .and. all(w(2:8:2) == 0))

  ! Collective operations.
  into = 0
  if (rank == 1) into(1:100:7) = (/(i, i = 1, 15)/)
  call MPI_Bcast(into(1:100:7), 15, MPI_INTEGER, 1, MPI_COMM_WORLD)
  call check('Bcast', all(into(1:100:7) == (/(i, i = 1, 15)/)) .and. sum(into) == 120)
  x = (/1, 2, 3, 4, 5/)
  y = 0
  call MPI_Allreduce(x, y, 5, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  call check('Allreduce', all(y == 2 * x))
  call MPI_Allreduce(MPI_IN_PLACE, y(2:4), 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  call check('Allreduce in place', all(y == (/2, 8, 12, 16, 10/)))
  if (rank == 0) call MPI_Reduce(MPI_IN_PLACE, y, 5, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD)
  if (rank == 1) call MPI_Reduce(3 * y, x, 5, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD)
  call check('Reduce', rank == 1 .or. all(y == (/6, 24, 36, 48, 30/)))
  call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (wrong == 0 .and. rank == 0) print *, trim(mode), ' is right'
  call MPI_Finalize()
end program
