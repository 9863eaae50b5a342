! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! is.F90 - sorting of integers by buckets, after the idea of IS of the NAS benchmarks
!
! Each step counts the keys of each bucket, adds the counts up by MPI_Allreduce, shares the buckets out among the ranks
! so that each gets about as many keys, tells how many go where by MPI_Alltoall, and sends them by MPI_Alltoallv. The
! last step's keys are sorted, and neighbours compare their ends.
#include "one-source.inc"
module integer_sort
  use timing
  implicit none
#ifdef SMALL
  integer, parameter :: keys = 2**12, largest = 2**9, steps = 3
#else
  integer, parameter :: keys = 2**18, largest = 2**14, steps = 5
#endif
  integer, parameter :: buckets = 2**8, width = largest / buckets
contains
  ! Roughly a bell, the same whoever makes it.
  integer function key_of(i, step)
    integer, intent(in) :: i, step
    integer(8) :: mixed
    integer :: draw
    mixed = modulo(int(i, 8) * 69621_8 + step * 1000003_8 + 11_8, 2147483647_8)
    key_of = 0
    do draw = 1, 4
      mixed = modulo(mixed * 48271_8, 2147483647_8)
      key_of = key_of + int(modulo(mixed, int(largest / 4, 8)))
    end do
  end function

  ! Counts of each bucket, and the keys by bucket.
  subroutine into_buckets(own, mine, counts, ordered)
    integer, intent(in) :: own, mine(own)
    integer, intent(out) :: counts(0:buckets - 1), ordered(own)
    integer :: places(0:buckets - 1), i, b
    counts = 0
    do i = 1, own
      b = mine(i) / width
      counts(b) = counts(b) + 1
    end do
    places(0) = 1
    do b = 1, buckets - 1
      places(b) = places(b - 1) + counts(b - 1)
    end do
    do i = 1, own
      b = mine(i) / width
      ordered(places(b)) = mine(i)
      places(b) = places(b) + 1
    end do
  end subroutine

  ! The first bucket of each rank.
  subroutine share_out(totals, parts, firsts)
    integer, intent(in) :: totals(0:buckets - 1), parts
    integer, intent(out) :: firsts(0:parts)
    integer :: b, p, so_far
    firsts = buckets
    firsts(0) = 0
    p = 1
    so_far = 0
    do b = 0, buckets - 1
      do while (p < parts .and. so_far >= p * (keys / parts))
        firsts(p) = b
        p = p + 1
      end do
      so_far = so_far + totals(b)
    end do
  end subroutine

  subroutine count_sort(many, list)
    integer, intent(in) :: many
    integer, intent(inout) :: list(many)
    integer :: counts(0:largest - 1), i, k, at
    counts = 0
    do i = 1, many
      counts(list(i)) = counts(list(i)) + 1
    end do
    at = 0
    do k = 0, largest - 1
      list(at + 1:at + counts(k)) = k
      at = at + counts(k)
    end do
  end subroutine

  ! Sum of place times key of the sorted keys, of all steps; negative if they are not in order.
  double precision function sorted(parts, part)
    integer, intent(in) :: parts, part
    integer, allocatable :: mine(:), ordered(:), got(:)
    integer :: counts(0:buckets - 1), totals(0:buckets - 1), firsts(0:parts)
    integer, dimension(0:parts - 1) :: out, in, out_at, in_at
    integer :: own, step, i, p, many, before
    double precision :: digest(1), all(1)
    logical :: in_order
    own = keys / parts
    allocate(mine(own), ordered(own), got(keys))
    sorted = 0
    do step = 1, steps
      do i = 1, own
        mine(i) = key_of(part * own + i, step)
      end do
      call into_buckets(own, mine, counts, ordered)
      totals = counts
      if (parts > 1) call MPI_Allreduce(counts, totals, buckets, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
      call share_out(totals, parts, firsts)
      do p = 0, parts - 1
        out(p) = sum(counts(firsts(p):firsts(p + 1) - 1))
        out_at(p) = sum(counts(0:firsts(p) - 1))
      end do
      if (parts > 1) then
        call MPI_Alltoall(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
        do p = 0, parts - 1
          in_at(p) = sum(in(0:p - 1))
        end do
        call MPI_Alltoallv(ordered, out, out_at, MPI_INTEGER, got, in, in_at, MPI_INTEGER, MPI_COMM_WORLD, error)
        many = sum(in)
      else
        got = ordered
        many = own
      end if
      call count_sort(many, got)
      before = sum(totals(0:firsts(part) - 1))
      digest = 0
      do i = 1, many
        digest = digest + dble(before + i) * got(i)
      end do
      all = digest
      if (parts > 1) call MPI_Reduce(digest, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
      if (parts > 1) call MPI_Bcast(all, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
      sorted = sorted + all(1)
    end do
    in_order = ends_fit(got(1), got(many), parts, part)
    if (.not. in_order) sorted = -1
  end function

  ! Is this part's least key not below the greatest of the part before?
  logical function ends_fit(least, greatest, parts, part)
    integer, intent(in) :: least, greatest, parts, part
    integer :: neighbour(1), mine(1)
    neighbour = 0
    mine = greatest
    if (part + 1 < parts) call MPI_Send(mine, 1, MPI_INTEGER, part + 1, 3, MPI_COMM_WORLD, error)
    if (part > 0) call MPI_Recv(neighbour, 1, MPI_INTEGER, part - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    ends_fit = neighbour(1) <= least
  end function
end module

program is
  use integer_sort
  implicit none
  double precision :: alone, together
  integer :: i
  call timing_begin()
  alone = sorted(1, 0)
  do i = 1, repetitions
    call timing_start()
    together = sorted(ranks, rank)
    call timing_stop()
  end do
  call timing_end('digest of sorted keys', together, alone, 0d0)
end program
