! Collective operations, blocking and not, in place, with operations of the program's, on datatypes that only
! Fortran has.
!
! RUN: %ways %s 3 | FileCheck %S/Inputs/ways.check %if !openmpi %{--check-prefixes=CHECK,NODES%}
#include "one-source.inc"
module operations
  implicit none
contains
  ! Left times right, of pairs that stand for the map x -> a x + b: not commutative.
#ifdef USE_MPI_F08
  subroutine compose(invec, inoutvec, length, datatype)
    use mpi_f08
    use, intrinsic :: iso_c_binding
    type(c_ptr), value :: invec, inoutvec
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: left(:, :), right(:, :)
    call c_f_pointer(invec, left, (/2, length/))
    call c_f_pointer(inoutvec, right, (/2, length/))
#else
  subroutine compose(left, right, length, datatype)
    integer :: length, datatype
    integer :: left(2, length), right(2, length)
#endif
    right(2, :) = modulo(left(1, :) * right(2, :) + left(2, :), 10007)
    right(1, :) = modulo(left(1, :) * right(1, :), 10007)
  end subroutine
end module

program collectives
  USES
  use operations
  implicit none
  INCLUDES
  integer, parameter :: n = 6
  integer :: rank, size, error, i, round, several(3), places(3)
  integer :: a(n), b(n), all(3 * n), pair(2), results(2), maps(2, 4), composed(2, 4), bytes(3), widths(3)
  double precision :: x(n), y(n), located(2), found(2)
  complex :: z, w
  logical :: yes, every
  character(5) :: word
  DATATYPE :: maptype, types(3)
  OPERATION :: composition
  REQUEST :: requests(12)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  several = (/1, 2, 3/)
  places = (/0, 1, 3/)
  call MPI_Type_contiguous(2, MPI_INTEGER, maptype, error)
  call MPI_Type_commit(maptype, error)
  call MPI_Op_create(compose, .false., composition, error)

  do round = 1, 6
    a = (/(100 * round + 10 * rank + i, i = 1, n)/)
    x = a / 7d0
    call MPI_Barrier(MPI_COMM_WORLD, error)
    b = a
    call MPI_Bcast(b, n, MPI_INTEGER, modulo(round, size), MPI_COMM_WORLD, error)
    print *, rank, 'Bcast', b
    call MPI_Reduce(x, y, n, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
    if (rank == 0) print *, rank, 'Reduce', y
    y = x
    if (rank == 1) then
      call MPI_Reduce(MPI_IN_PLACE, y, n, MPI_DOUBLE_PRECISION, MPI_PROD, 1, MPI_COMM_WORLD, error)
      print *, rank, 'Reduce in place', y
    else
      call MPI_Reduce(x, y, n, MPI_DOUBLE_PRECISION, MPI_PROD, 1, MPI_COMM_WORLD, error)
    end if
    call MPI_Allreduce(x, y, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    print *, rank, 'Allreduce', y
    call MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
    print *, rank, 'Allreduce in place', x
    pair = (/modulo(rank + round, size), rank/)
    call MPI_Allreduce(pair, results, 1, MPI_2INTEGER, MPI_MAXLOC, MPI_COMM_WORLD, error)
    located = pair
    call MPI_Allreduce(located, found, 1, MPI_2DOUBLE_PRECISION, MPI_MINLOC, MPI_COMM_WORLD, error)
    z = cmplx(rank, round)
    call MPI_Allreduce(z, w, 1, MPI_COMPLEX, MPI_SUM, MPI_COMM_WORLD, error)
    yes = rank /= modulo(round, 4)
    call MPI_Allreduce(yes, every, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, error)
    print *, rank, 'of pairs', results, found, w, every
    maps = reshape((/(2 + modulo(rank + i * round, 5), i = 1, 8)/), (/2, 4/))
    call MPI_Allreduce(maps, composed, 4, maptype, composition, MPI_COMM_WORLD, error)
    print *, rank, 'composed', composed
    call MPI_Scan(maps, composed, 4, maptype, composition, MPI_COMM_WORLD, error)
    print *, rank, 'scanned', composed
    call MPI_Scan(a, b, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    print *, rank, 'Scan', b
    b = -1
    call MPI_Exscan(a, b, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    if (rank > 0) print *, rank, 'Exscan', b
    all = 0
    call MPI_Gather(a, 2, MPI_INTEGER, all, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    print *, rank, 'Gather', all
    call MPI_Gatherv(a, rank + 1, MPI_INTEGER, all, several, places, MPI_INTEGER, 1, MPI_COMM_WORLD, error)
    print *, rank, 'Gatherv', all
    if (rank == 2) then
      call MPI_Scatter(a, 2, MPI_INTEGER, MPI_IN_PLACE, 2, MPI_INTEGER, 2, MPI_COMM_WORLD, error)
    else
      call MPI_Scatter(a, 2, MPI_INTEGER, b, 2, MPI_INTEGER, 2, MPI_COMM_WORLD, error)
    end if
    call MPI_Scatterv(a, several, places, MPI_INTEGER, b(3), rank + 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    print *, rank, 'Scatter', b(3:3 + rank)
    call MPI_Allgather(a, 2, MPI_INTEGER, all, 2, MPI_INTEGER, MPI_COMM_WORLD, error)
    all(2 * rank + 1) = all(2 * rank + 1) + 1
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, all, 2, MPI_INTEGER, MPI_COMM_WORLD, error)
    call MPI_Allgatherv(a, rank + 1, MPI_INTEGER, all(7), several, places, MPI_INTEGER, MPI_COMM_WORLD, error)
    print *, rank, 'Allgather', all
    call MPI_Alltoall(a, 2, MPI_INTEGER, b, 2, MPI_INTEGER, MPI_COMM_WORLD, error)
    print *, rank, 'Alltoall', b
    call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INTEGER, b, 2, MPI_INTEGER, MPI_COMM_WORLD, error)
    widths = rank + 1
    call MPI_Alltoallv(a, several, places, MPI_INTEGER, all, widths, (/0, 4, 8/), MPI_INTEGER, MPI_COMM_WORLD, error)
    print *, rank, 'Alltoallv', b, all(1:rank + 1), all(5:5 + rank), all(9:9 + rank)
    types = MPI_INTEGER
    call MPI_Alltoallw(a, several, 4 * places, types, all, widths, (/0, 16, 32/), types, MPI_COMM_WORLD, error)
    print *, rank, 'Alltoallw', all(1:rank + 1), all(5:5 + rank), all(9:9 + rank)
    call MPI_Reduce_scatter(a, b, several, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call MPI_Reduce_scatter_block(a, b(4), 2, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD, error)
    print *, rank, 'Reduce_scatter', b(1:rank + 1), b(4:5)
    word = merge('begin', 'other', rank == modulo(round, size))
    call MPI_Bcast(word, len(word), MPI_CHARACTER, modulo(round, size), MPI_COMM_WORLD, error)
    print *, rank, 'word ', word

    ! None of these waits; all end at once.
    b = a
    all = -1
    x = a
    call MPI_Ibarrier(MPI_COMM_WORLD, requests(1), error)
    call MPI_Ibcast(b, n, MPI_INTEGER, 1, MPI_COMM_WORLD, requests(2), error)
    call MPI_Iallgather(a, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, requests(3), error)
    call MPI_Ialltoall(a, 1, MPI_INTEGER, all(4), 1, MPI_INTEGER, MPI_COMM_WORLD, requests(4), error)
    call MPI_Iallreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE_PRECISION, MPI_MIN, MPI_COMM_WORLD, requests(5), error)
    call MPI_Ireduce(a, all(7), 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, requests(6), error)
    call MPI_Igather(a, 1, MPI_INTEGER, all(8), 1, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(7), error)
    call MPI_Iscatter(a, 1, MPI_INTEGER, all(11), 1, MPI_INTEGER, 2, MPI_COMM_WORLD, requests(8), error)
    call MPI_Iscan(a, all(12), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(9), error)
    call MPI_Iallreduce(maps, composed, 4, maptype, composition, MPI_COMM_WORLD, requests(10), error)
    call MPI_Ireduce_scatter_block(a, all(13), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(11), error)
    call MPI_Iexscan(a, all(14), 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, requests(12), error)
    call MPI_Waitall(12, requests, MPI_STATUSES_IGNORE, error)
    print *, rank, 'nonblocking', b, all(1:13), x, composed
  end do
  call MPI_Op_free(composition, error)
  call MPI_Type_free(maptype, error)
  call MPI_Finalize(error)
end program
