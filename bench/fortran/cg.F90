! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! cg.F90 - conjugate gradients, after the idea of CG of the NAS benchmarks
!
! Inverse iteration for an eigenvalue: each step solves with a sparse symmetric matrix whose nonzeros are scattered, by
! 25 steps of conjugate gradients. Ranks have blocks of rows. The vector is put together, and the dot products are
! added, by exchanges with the rank at distance 1, 2, 4, ...: Irecv, Send, Wait. So the messages are of one number, and
! of halves, quarters, ... of the vector.
#include "one-source.inc"
module conjugate_gradients
  use timing
  implicit none
#ifdef SMALL
  integer, parameter :: n = 512, steps = 2
#else
  integer, parameter :: n = 8192, steps = 4
#endif
  integer, parameter :: diagonals = 8, iterations = 25
  integer, parameter :: offsets(diagonals) = modulo((/1, 37, 177, 611, 1243, 2099, 3011, 3571/), n / 2 - 1) + 1
  double precision :: values(2 * diagonals + 1, n)
  integer :: columns(2 * diagonals + 1, n)
contains
  ! Between 0 and 1, the same for both ends of a pair.
  double precision function entry_of(i, d)
    integer, intent(in) :: i, d
    integer(8) :: mixed
    mixed = modulo(int(i, 8) * 1103515245_8 + int(d, 8) * 12345_8 + 7919_8, 2147483647_8)
    mixed = modulo(mixed * 48271_8, 2147483647_8)
    entry_of = dble(mixed) / 2147483647d0
  end function

  ! All rows; a rank uses its own. Its diagonal dominates, so it is positive definite.
  subroutine make_matrix()
    integer :: i, d, other
    do i = 1, n
      values(1, i) = 0.3d0 + 0.2d0 * sin(1d0 * i)
      columns(1, i) = i
      do d = 1, diagonals
        other = modulo(i - 1 + offsets(d), n) + 1
        columns(2 * d, i) = other
        values(2 * d, i) = -entry_of(i, d)
        other = modulo(i - 1 - offsets(d), n) + 1
        columns(2 * d + 1, i) = other
        values(2 * d + 1, i) = -entry_of(other, d)
        values(1, i) = values(1, i) - values(2 * d, i) - values(2 * d + 1, i)
      end do
    end do
  end subroutine

  ! Adds up `mine` of all `parts` ranks.
  double precision function summed(mine, parts, part)
    double precision, intent(in) :: mine
    integer, intent(in) :: parts, part
    double precision :: other(1), all(1)
    integer :: distance
    REQUEST :: request
    all = mine
    distance = 1
    do while (distance < parts)
      call MPI_Irecv(other, 1, MPI_DOUBLE_PRECISION, ieor(part, distance), 1, MPI_COMM_WORLD, request, error)
      call MPI_Send(all, 1, MPI_DOUBLE_PRECISION, ieor(part, distance), 1, MPI_COMM_WORLD, error)
      call MPI_Wait(request, MPI_STATUS_IGNORE, error)
      all = all + other
      distance = 2 * distance
    end do
    summed = all(1)
  end function

  ! Each rank has its block of `vector`; then all have all.
  subroutine gather(vector, parts, part)
    double precision, intent(inout) :: vector(n)
    integer, intent(in) :: parts, part
    integer :: distance, length, first, other
    REQUEST :: request
    distance = 1
    do while (distance < parts)
      length = distance * (n / parts)
      first = (part / distance) * length + 1
      other = (ieor(part, distance) / distance) * length + 1
      call MPI_Irecv(vector(other), length, MPI_DOUBLE_PRECISION, ieor(part, distance), 2, MPI_COMM_WORLD, request, &
                     error)
      call MPI_Send(vector(first), length, MPI_DOUBLE_PRECISION, ieor(part, distance), 2, MPI_COMM_WORLD, error)
      call MPI_Wait(request, MPI_STATUS_IGNORE, error)
      distance = 2 * distance
    end do
  end subroutine

  ! z with A z = x; x and z are this part's blocks.
  subroutine solve(x, z, first, last, parts, part)
    integer, intent(in) :: first, last, parts, part
    double precision, intent(in) :: x(first:last)
    double precision, intent(out) :: z(first:last)
    double precision :: r(first:last), q(first:last), p(n), rho, before, alpha
    integer :: step, i
    z = 0
    r = x
    p(first:last) = x
    rho = summed(dot_product(r, r), parts, part)
    do step = 1, iterations
      call gather(p, parts, part)
      do i = first, last
        q(i) = sum(values(:, i) * p(columns(:, i)))
      end do
      alpha = rho / summed(dot_product(p(first:last), q), parts, part)
      z = z + alpha * p(first:last)
      r = r - alpha * q
      before = rho
      rho = summed(dot_product(r, r), parts, part)
      p(first:last) = r + (rho / before) * p(first:last)
    end do
  end subroutine

  double precision function eigenvalue(parts, part)
    integer, intent(in) :: parts, part
    double precision, allocatable :: x(:), z(:)
    integer :: first, last, step
    first = part * (n / parts) + 1
    last = first + n / parts - 1
    allocate(x(first:last), z(first:last))
    x = 1
    do step = 1, steps
      call solve(x, z, first, last, parts, part)
      eigenvalue = 1 / summed(dot_product(x, z), parts, part)
      x = z / sqrt(summed(dot_product(z, z), parts, part))
    end do
  end function
end module

program cg
  use conjugate_gradients
  implicit none
  double precision :: alone, together
  integer :: i
  call timing_begin()
  call make_matrix()
  alone = eigenvalue(1, 0)
  do i = 1, repetitions
    call timing_start()
    together = eigenvalue(ranks, rank)
    call timing_stop()
  end do
  call timing_end('smallest eigenvalue', together, alone, 1d-9)
end program
