! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! lu.F90 - a wavefront through a grid, after the idea of LU of the NAS benchmarks
!
! Symmetric successive over-relaxation of five coupled unknowns a point. Ranks have columns of a grid that is cut in two
! directions. In a sweep each plane needs the edges of the planes of two neighbours, which are sent as soon as they are
! computed, one short message a plane: Recv, compute, Send. Between sweeps whole faces are exchanged, by Irecv, Send,
! Wait; MPI_Allreduce adds up what has changed.
#include "one-source.inc"
module wavefront
  use timing
  implicit none
#ifdef SMALL
  integer, parameter :: n = 12, steps = 4
#else
  integer, parameter :: n = 32, steps = 12
#endif
  integer, parameter :: unknowns = 5
  double precision, parameter :: relaxation = 1.2d0

  ! A part of the grid: its place, its extent, its neighbours.
  type part_of_grid
    integer :: nx, ny, x, y, west, east, north, south
    double precision, allocatable :: u(:, :, :, :)
  end type
contains
  subroutine cut(part, parts, mine)
    integer, intent(in) :: part, parts
    type(part_of_grid), intent(out) :: mine
    integer :: px, py, i, j
    px = 1
    do while (px * px < parts)
      px = 2 * px
    end do
    py = parts / px
    i = modulo(part, px)
    j = part / px
    mine%nx = n / px
    mine%ny = n / py
    mine%x = i * mine%nx
    mine%y = j * mine%ny
    mine%west = merge(part - 1, MPI_PROC_NULL, i > 0)
    mine%east = merge(part + 1, MPI_PROC_NULL, i < px - 1)
    mine%north = merge(part - px, MPI_PROC_NULL, j > 0)
    mine%south = merge(part + px, MPI_PROC_NULL, j < py - 1)
    allocate(mine%u(unknowns, 0:mine%nx + 1, 0:mine%ny + 1, 0:n + 1))
    mine%u = 0
  end subroutine

  ! One plane, in one of the two orders.
  subroutine relax(mine, k, forward)
    type(part_of_grid), intent(inout) :: mine
    integer, intent(in) :: k
    logical, intent(in) :: forward
    double precision :: around(unknowns), source(unknowns)
    integer :: i, j, a, b, c
    a = merge(1, mine%nx, forward)
    b = merge(mine%nx, 1, forward)
    c = merge(1, -1, forward)
    do j = merge(1, mine%ny, forward), merge(mine%ny, 1, forward), c
      do i = a, b, c
        source = sin(0.1d0 * (mine%x + i) * (/1, 2, 3, 4, 5/)) * (mine%y + j) / (k + 1d0)
        around = mine%u(:, i - 1, j, k) + mine%u(:, i + 1, j, k) + mine%u(:, i, j - 1, k) + mine%u(:, i, j + 1, k) + &
                 mine%u(:, i, j, k - 1) + mine%u(:, i, j, k + 1)
        around = (around + 0.05d0 * sum(mine%u(:, i, j, k)) + source) / 6.5d0
        mine%u(:, i, j, k) = (1 - relaxation) * mine%u(:, i, j, k) + relaxation * around
      end do
    end do
  end subroutine

  ! All planes, as the edges come.
  subroutine sweep(mine, forward)
    type(part_of_grid), intent(inout) :: mine
    logical, intent(in) :: forward
    double precision :: column(unknowns, mine%ny), row(unknowns, mine%nx)
    integer :: k, from_x, to_x, from_y, to_y
    from_x = merge(mine%west, mine%east, forward)
    to_x = merge(mine%east, mine%west, forward)
    from_y = merge(mine%north, mine%south, forward)
    to_y = merge(mine%south, mine%north, forward)
    do k = merge(1, n, forward), merge(n, 1, forward), merge(1, -1, forward)
      if (from_x /= MPI_PROC_NULL) then
        call MPI_Recv(column, size(column), MPI_DOUBLE_PRECISION, from_x, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        mine%u(:, merge(0, mine%nx + 1, forward), 1:mine%ny, k) = column
      end if
      if (from_y /= MPI_PROC_NULL) then
        call MPI_Recv(row, size(row), MPI_DOUBLE_PRECISION, from_y, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        mine%u(:, 1:mine%nx, merge(0, mine%ny + 1, forward), k) = row
      end if
      call relax(mine, k, forward)
      if (to_x /= MPI_PROC_NULL) then
        column = mine%u(:, merge(mine%nx, 1, forward), 1:mine%ny, k)
        call MPI_Send(column, size(column), MPI_DOUBLE_PRECISION, to_x, 4, MPI_COMM_WORLD, error)
      end if
      if (to_y /= MPI_PROC_NULL) then
        row = mine%u(:, 1:mine%nx, merge(mine%ny, 1, forward), k)
        call MPI_Send(row, size(row), MPI_DOUBLE_PRECISION, to_y, 5, MPI_COMM_WORLD, error)
      end if
    end do
  end subroutine

  ! The faces that the next sweep takes as they are now: of east and south before one forward.
  subroutine exchange(mine, forward)
    type(part_of_grid), intent(inout) :: mine
    logical, intent(in) :: forward
    double precision, dimension(unknowns, mine%ny, n) :: x_out, x_in
    double precision, dimension(unknowns, mine%nx, n) :: y_out, y_in
    integer :: from_x, to_x, from_y, to_y
    REQUEST :: requests(2)
    from_x = merge(mine%east, mine%west, forward)
    to_x = merge(mine%west, mine%east, forward)
    from_y = merge(mine%south, mine%north, forward)
    to_y = merge(mine%north, mine%south, forward)
    x_out = mine%u(:, merge(1, mine%nx, forward), 1:mine%ny, 1:n)
    y_out = mine%u(:, 1:mine%nx, merge(1, mine%ny, forward), 1:n)
    call MPI_Irecv(x_in, size(x_in), MPI_DOUBLE_PRECISION, from_x, 6, MPI_COMM_WORLD, requests(1), error)
    call MPI_Irecv(y_in, size(y_in), MPI_DOUBLE_PRECISION, from_y, 7, MPI_COMM_WORLD, requests(2), error)
    call MPI_Send(x_out, size(x_out), MPI_DOUBLE_PRECISION, to_x, 6, MPI_COMM_WORLD, error)
    call MPI_Send(y_out, size(y_out), MPI_DOUBLE_PRECISION, to_y, 7, MPI_COMM_WORLD, error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    if (from_x /= MPI_PROC_NULL) mine%u(:, merge(mine%nx + 1, 0, forward), 1:mine%ny, 1:n) = x_in
    if (from_y /= MPI_PROC_NULL) mine%u(:, 1:mine%nx, merge(mine%ny + 1, 0, forward), 1:n) = y_in
  end subroutine

  double precision function norm(parts, part)
    integer, intent(in) :: parts, part
    type(part_of_grid) :: mine
    double precision :: squares(unknowns), all(unknowns)
    integer :: step, c
    call cut(part, parts, mine)
    do step = 1, steps
      if (parts > 1) call exchange(mine, .true.)
      call sweep(mine, .true.)
      if (parts > 1) call exchange(mine, .false.)
      call sweep(mine, .false.)
      do c = 1, unknowns
        squares(c) = sum(mine%u(c, 1:mine%nx, 1:mine%ny, 1:n)**2)
      end do
      all = squares
      if (parts > 1) call MPI_Allreduce(squares, all, unknowns, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    end do
    norm = sqrt(sum(all))
  end function
end module

program lu
  use wavefront
  implicit none
  double precision :: alone, together
  integer :: i
  call timing_begin()
  alone = norm(1, 0)
  do i = 1, repetitions
    call timing_start()
    together = norm(ranks, rank)
    call timing_stop()
  end do
  call timing_end('norm', together, alone, 1d-11)
end program
