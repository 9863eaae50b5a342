! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! ft.F90 - a heat equation by Fourier transforms in three dimensions, after the idea of FT of the NAS benchmarks
!
! Ranks have slabs of planes: two of the three transforms are local, before the third the array is turned round by
! MPI_Alltoall. Each step multiplies in frequency space, transforms back, and adds up some points by MPI_Allreduce.
#include "one-source.inc"
module fourier
  use timing
  implicit none
#ifdef SMALL
  integer, parameter :: n = 16, steps = 2
#else
  integer, parameter :: n = 64, steps = 4
#endif
  integer, parameter :: points = 512
  double precision, parameter :: pi = 3.14159265358979324d0
contains
  ! In place, of a power of two; `sign` is that of the exponent.
  subroutine transform(a, sign)
    complex(8), intent(inout) :: a(0:n - 1)
    integer, intent(in) :: sign
    complex(8) :: t, w, turn
    integer :: i, j, k, half, bit
    j = 0
    do i = 1, n - 1
      bit = n / 2
      do while (iand(j, bit) /= 0)
        j = ieor(j, bit)
        bit = bit / 2
      end do
      j = ieor(j, bit)
      if (i < j) then
        t = a(i)
        a(i) = a(j)
        a(j) = t
      end if
    end do
    half = 1
    do while (half < n)
      turn = exp(cmplx(0d0, sign * pi / half, 8))
      do k = 0, n - 1, 2 * half
        w = 1
        do i = k, k + half - 1
          t = w * a(i + half)
          a(i + half) = a(i) - t
          a(i) = a(i) + t
          w = w * turn
        end do
      end do
      half = 2 * half
    end do
  end subroutine

  ! From slabs of planes u(x, y, local z) to v(z, y, local x). With one part nothing is sent.
  subroutine turn_round(u, v, out, in, own, parts)
    integer, intent(in) :: own, parts
    complex(8), intent(in) :: u(n, n, own)
    complex(8), intent(out) :: v(n, n, own)
    complex(8), intent(inout) :: out(own, n, own, parts), in(own, n, own, parts)
    integer :: p, i, k
    do p = 1, parts
      out(:, :, :, p) = u((p - 1) * own + 1:p * own, :, :)
    end do
    if (parts == 1) then
      in = out
    else
      call MPI_Alltoall(out, own * n * own, MPI_DOUBLE_COMPLEX, in, own * n * own, MPI_DOUBLE_COMPLEX, &
                        MPI_COMM_WORLD, error)
    end if
    do i = 1, own
      do p = 1, parts
        do k = 1, own
          v((p - 1) * own + k, :, i) = in(i, :, k, p)
        end do
      end do
    end do
  end subroutine

  ! Along the first and second index of each plane.
  subroutine transform_planes(a, own, sign, both)
    integer, intent(in) :: own, sign
    logical, intent(in) :: both
    complex(8), intent(inout) :: a(n, n, own)
    complex(8) :: line(n)
    integer :: i, k
    do k = 1, own
      do i = 1, n
        call transform(a(:, i, k), sign)
      end do
      do i = 1, merge(n, 0, both)
        line = a(i, :, k)
        call transform(line, sign)
        a(i, :, k) = line
      end do
    end do
  end subroutine

  integer function frequency(i)
    integer, intent(in) :: i
    frequency = modulo(i - 1 + n / 2, n) - n / 2
  end function

  ! The sum of what the steps show.
  double precision function evolve(parts, part)
    integer, intent(in) :: parts, part
    complex(8), allocatable :: u(:, :, :), v(:, :, :), spectrum(:, :, :), out(:), in(:)
    complex(8) :: mine(1), all(1)
    integer :: own, i, j, k, step
    own = n / parts
    allocate(u(n, n, own), v(n, n, own), spectrum(n, n, own), out(n * n * own), in(n * n * own))
    do k = 1, own
      do j = 1, n
        do i = 1, n
          u(i, j, k) = cmplx(sin(1d0 * i * j + part * own + k), cos(3d0 * i + j * (part * own + k)), 8)
        end do
      end do
    end do
    call transform_planes(u, own, -1, .true.)
    call turn_round(u, spectrum, out, in, own, parts)
    call transform_planes(spectrum, own, -1, .false.)
    evolve = 0
    do step = 1, steps
      do i = 1, own
        do j = 1, n
          do k = 1, n
            spectrum(k, j, i) = spectrum(k, j, i) * exp(-1d-4 * (frequency(part * own + i)**2 + frequency(j)**2 + &
                                                                frequency(k)**2))
          end do
        end do
      end do
      v = spectrum
      call transform_planes(v, own, 1, .false.)
      call turn_round(v, u, out, in, own, parts)
      call transform_planes(u, own, 1, .true.)
      mine = 0
      do i = 1, points
        k = modulo(5 * i, n) - part * own
        if (k >= 0 .and. k < own) mine = mine + u(modulo(i, n) + 1, modulo(3 * i, n) + 1, k + 1)
      end do
      all = mine
      if (parts > 1) call MPI_Allreduce(mine, all, 1, MPI_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD, error)
      evolve = evolve + abs(all(1)) / dble(n)**3
    end do
  end function
end module

program ft
  use fourier
  implicit none
  double precision :: alone, together
  integer :: i
  call timing_begin()
  alone = evolve(1, 0)
  do i = 1, repetitions
    call timing_start()
    together = evolve(ranks, rank)
    call timing_stop()
  end do
  call timing_end('sum of points', together, alone, 1d-9)
end program
