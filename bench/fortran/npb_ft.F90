! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! npb_ft.F90 - FT of the NAS Parallel Benchmarks: a spectral method in three dimensions, with the published checksums
!
!   npb_ft [S|W|A]
!
! Random numbers are transformed once. Each step multiplies the spectrum by a Gaussian factor, transforms a copy back, and
! sums 1024 of its elements by MPI_Reduce. The array is divided along z: two dimensions are transformed locally, one
! MPI_Alltoall transposes, and the third dimension is transformed locally. Two layouts, of one rank:
!
!   u(nx, ny, own_z)   slab of planes             spectrum(nx, own_y, nz)   z is complete
!
! The program prints each checksum, "verified" or "WRONG", and the seconds that the slowest rank took.
#include "one-source.inc"
module npb_problem
  use, intrinsic :: iso_fortran_env, only: real64, int64
  implicit none
  integer, parameter :: steps = 6, points = 1024
  real(real64), parameter :: pi = 3.141592653589793238_real64, alpha = 1e-6_real64, tolerance = 1e-12_real64

  type problem
    character(1) :: class
    integer :: nx, ny, nz
    complex(real64) :: checksums(steps)
  end type

  type(problem), parameter :: problems(3) = [ &
    problem('S', 64, 64, 64, [ &
      (554.6087004964_real64, 484.5363331978_real64), (554.6385409189_real64, 486.5304269511_real64), &
      (554.6148406171_real64, 488.3910722336_real64), (554.5423607415_real64, 490.1273169046_real64), &
      (554.4255039624_real64, 491.7475857993_real64), (554.2683411902_real64, 493.2597244941_real64)]), &
    problem('W', 128, 128, 32, [ &
      (567.3612178944_real64, 529.3246849175_real64), (563.1436885271_real64, 528.2149986629_real64), &
      (559.4024089970_real64, 527.0996558037_real64), (556.0698047020_real64, 526.0027904925_real64), &
      (553.0898991250_real64, 524.9400845633_real64), (550.4159734538_real64, 523.9212247086_real64)]), &
    problem('A', 256, 256, 128, [ &
      (504.6735008193_real64, 511.4047905510_real64), (505.9412319734_real64, 509.8809666433_real64), &
      (506.9376896287_real64, 509.8144042213_real64), (507.7892868474_real64, 510.1336130759_real64), &
      (508.5233095391_real64, 510.4914655194_real64), (509.1487099959_real64, 510.7917842803_real64)])]
end module

! x[k + 1] = a x[k] mod 2^46. Products of 46 bits by 46 bits are made of halves, because 64 bits must not overflow.
module npb_random
  use npb_problem
  implicit none
  integer(int64), parameter :: half = 2_int64**23, modulus = 2_int64**46, multiplier = 5_int64**13, seed = 314159265
contains
  integer(int64) pure function product_of(a, b)
    integer(int64), intent(in) :: a, b
    integer(int64) :: middle
    middle = (a / half) * mod(b, half) + mod(a, half) * (b / half)
    product_of = mod(mod(a, half) * mod(b, half) + mod(middle, half) * half, modulus)
  end function

  ! x[k], by squares of the multiplier.
  integer(int64) pure function state_after(k)
    integer(int64), intent(in) :: k
    integer(int64) :: square, rest
    state_after = seed
    square = multiplier
    rest = k
    do while (rest > 0)
      if (mod(rest, 2_int64) == 1) state_after = product_of(state_after, square)
      square = product_of(square, square)
      rest = rest / 2
    end do
  end function

  real(real64) function next(x)
    integer(int64), intent(inout) :: x
    x = product_of(multiplier, x)
    next = real(x, real64) / real(modulus, real64)
  end function
end module

! Transforms of lines of a power of two, after Stockham: each stage writes the other array, and the result is in order.
module npb_lines
  use npb_problem
  implicit none
  integer, parameter :: block = 16 ! lines that are transformed together
contains
  ! roots(k) = exp(-2 pi i k / n)
  pure function roots_of_unity(n) result(roots)
    integer, intent(in) :: n
    complex(real64) :: roots(0:n / 2 - 1)
    integer :: k
    do k = 0, n / 2 - 1
      roots(k) = exp(cmplx(0, -2 * pi * k / n, real64))
    end do
  end function

  subroutine butterflies(from, to, n, stride, roots)
    integer, intent(in) :: n, stride
    complex(real64), intent(in) :: from(block, 0:n - 1), roots(0:n / 2 - 1)
    complex(real64), intent(out) :: to(block, 0:n - 1)
    integer :: j, k, lower, upper
    do j = 0, n / 2 - 1, stride
      do k = j, j + stride - 1
        lower = k + j
        upper = k + n / 2
        to(:, lower) = from(:, k) + from(:, upper)
        to(:, lower + stride) = roots(j) * (from(:, k) - from(:, upper))
      end do
    end do
  end subroutine

  ! In place; `scratch` has the same shape.
  subroutine transform_block(lines, scratch, n, roots)
    integer, intent(in) :: n
    complex(real64), intent(in) :: roots(0:n / 2 - 1)
    complex(real64), intent(inout) :: lines(block, 0:n - 1), scratch(block, 0:n - 1)
    integer :: stride
    logical :: is_in_scratch
    stride = 1
    is_in_scratch = .false.
    do while (stride < n)
      if (is_in_scratch) then
        call butterflies(scratch, lines, n, stride, roots)
      else
        call butterflies(lines, scratch, n, stride, roots)
      end if
      is_in_scratch = .not. is_in_scratch
      stride = 2 * stride
    end do
    if (is_in_scratch) lines = scratch
  end subroutine

  ! Along the middle index; the first is a multiple of the block.
  subroutine transform_middle(a, first, n, last, roots)
    integer, intent(in) :: first, n, last
    complex(real64), intent(in) :: roots(0:n / 2 - 1)
    complex(real64), intent(inout) :: a(first, n, last)
    complex(real64) :: lines(block, n), scratch(block, n)
    integer :: i, k
    do k = 1, last
      do i = 1, first, block
        lines = a(i:i + block - 1, :, k)
        call transform_block(lines, scratch, n, roots)
        a(i:i + block - 1, :, k) = lines
      end do
    end do
  end subroutine

  ! Along the first index; there is a multiple of `block` lines.
  subroutine transform_first(a, n, others, roots)
    integer, intent(in) :: n, others
    complex(real64), intent(in) :: roots(0:n / 2 - 1)
    complex(real64), intent(inout) :: a(n, others)
    complex(real64) :: lines(block, n), scratch(block, n)
    integer :: j
    do j = 1, others, block
      lines = transpose(a(:, j:j + block - 1))
      call transform_block(lines, scratch, n, roots)
      a(:, j:j + block - 1) = transpose(lines)
    end do
  end subroutine
end module

module npb_slabs
  USES
  use npb_problem
  use npb_random
  use npb_lines
  implicit none
  INCLUDES
  integer :: rank, ranks, error
  type(problem) :: p
  integer :: own_y, own_z
  complex(real64), allocatable :: u(:), spectrum(:), work(:), roots_x(:), roots_y(:), roots_z(:)
  real(real64), allocatable :: decay_x(:), decay_y(:), decay_z(:)
contains
  ! The factors of a step, for one dimension of n.
  pure function decay(n)
    integer, intent(in) :: n
    real(real64) :: decay(0:n - 1)
    integer :: i
    do i = 0, n - 1
      decay(i) = exp(-4 * alpha * pi**2 * real(modulo(i + n / 2, n) - n / 2, real64)**2)
    end do
  end function

  subroutine allocate_slabs()
    integer :: own
    own_y = p%ny / ranks
    own_z = p%nz / ranks
    own = p%nx * p%ny * own_z
    allocate(u(own), spectrum(own), work(own))
    roots_x = roots_of_unity(p%nx)
    roots_y = roots_of_unity(p%ny)
    roots_z = roots_of_unity(p%nz)
    allocate(decay_x(0:p%nx - 1), decay_y(0:p%ny - 1), decay_z(0:p%nz - 1))
    decay_x = decay(p%nx)
    decay_y = decay(p%ny)
    decay_z = decay(p%nz)
  end subroutine

  ! Real and imaginary part of each element in turn are the next two numbers.
  subroutine fill_with_random_numbers()
    integer(int64) :: x
    integer :: i
    real(real64) :: real_part
    x = state_after(2_int64 * rank * size(u, kind=int64))
    do i = 1, size(u)
      real_part = next(x)
      u(i) = cmplx(real_part, next(x), real64)
    end do
  end subroutine

  ! Block q of `out` goes to rank q, and block q of `in` comes from there.
  subroutine transpose_blocks(out, in)
    complex(real64), intent(in) :: out(*)
    complex(real64), intent(out) :: in(*)
    integer :: elements
    elements = p%nx * own_y * own_z
    call MPI_Alltoall(out, elements, MPI_DOUBLE_COMPLEX, in, elements, MPI_DOUBLE_COMPLEX, MPI_COMM_WORLD, error)
  end subroutine

  ! Blocks by y; received in the order of z, they are a spectrum.
  subroutine pack(slab, blocks)
    complex(real64), intent(in) :: slab(p%nx, own_y, ranks, own_z)
    complex(real64), intent(out) :: blocks(p%nx, own_y, own_z, ranks)
    integer :: q
    do q = 1, ranks
      blocks(:, :, :, q) = slab(:, :, q, :)
    end do
  end subroutine

  subroutine unpack(blocks, slab)
    complex(real64), intent(in) :: blocks(p%nx, own_y, own_z, ranks)
    complex(real64), intent(out) :: slab(p%nx, own_y, ranks, own_z)
    integer :: q
    do q = 1, ranks
      slab(:, :, q, :) = blocks(:, :, :, q)
    end do
  end subroutine

  ! From u to spectrum; not scaled.
  subroutine forward()
    call transform_first(u, p%nx, p%ny * own_z, roots_x)
    call transform_middle(u, p%nx, p%ny, own_z, roots_y)
    call pack(u, work)
    call transpose_blocks(work, spectrum)
    call transform_middle(spectrum, p%nx * own_y, p%nz, 1, roots_z)
  end subroutine

  ! From work, which has a spectrum, to u; not scaled.
  subroutine inverse()
    call transform_middle(work, p%nx * own_y, p%nz, 1, conjg(roots_z))
    call transpose_blocks(work, u)
    call unpack(u, work)
    call transform_middle(work, p%nx, p%ny, own_z, conjg(roots_y))
    call transform_first(work, p%nx, p%ny * own_z, conjg(roots_x))
    u = work
  end subroutine

  subroutine evolve(v)
    complex(real64), intent(inout) :: v(0:p%nx - 1, 0:own_y - 1, 0:p%nz - 1)
    integer :: y, z
    do z = 0, p%nz - 1
      do y = 0, own_y - 1
        v(:, y, z) = v(:, y, z) * (decay_x * decay_y(rank * own_y + y) * decay_z(z))
      end do
    end do
  end subroutine

  ! The sum is rank 0's.
  complex(real64) function checksum(x)
    complex(real64), intent(in) :: x(0:p%nx - 1, 0:p%ny - 1, 0:own_z - 1)
    complex(real64) :: mine(1), all(1)
    integer :: j, z
    mine = 0
    do j = 1, points
      z = mod(5 * j, p%nz) - rank * own_z
      if (z >= 0 .and. z < own_z) mine = mine + x(mod(j, p%nx), mod(3 * j, p%ny), z)
    end do
    all = 0
    call MPI_Reduce(mine, all, 1, MPI_DOUBLE_COMPLEX, MPI_SUM, 0, MPI_COMM_WORLD, error)
    checksum = all(1) / (real(p%nx, real64) * p%ny * p%nz)
  end function
end module

program npb_ft
  use npb_slabs
  implicit none
  character(8) :: class = 'S'
  logical :: is_right = .true.
  integer :: t, i
  complex(real64) :: found
  real(real64) :: started, took(1), longest(1)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  if (command_argument_count() > 0) call get_command_argument(1, class)
  i = findloc(problems%class == class, .true., 1)
  if (i == 0) call stop_all('the classes are S, W and A')
  p = problems(i)
  if (mod(p%ny, ranks) /= 0 .or. mod(p%nz, ranks) /= 0) call stop_all('the number of ranks must divide ny and nz')
  call allocate_slabs()
  call MPI_Barrier(MPI_COMM_WORLD, error)
  started = MPI_Wtime()
  call fill_with_random_numbers()
  call forward()
  do t = 1, steps
    call evolve(spectrum)
    work = spectrum
    call inverse()
    found = checksum(u)
    if (rank == 0) then
      is_right = is_right .and. abs(found - p%checksums(t)) < tolerance * abs(p%checksums(t))
      print '(a, i0, 2(1x, f0.10))', 'checksum ', t, found
    end if
  end do
  took = MPI_Wtime() - started
  call MPI_Reduce(took, longest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, error)
  if (rank == 0) then
    print '(3a, i0, 2a)', 'class ', p%class, ', ranks ', ranks, ': ', trim(merge('verified', 'WRONG   ', is_right))
    print '(a, f12.6)', 'seconds', longest
  end if
  call MPI_Finalize(error)
  if (.not. is_right) stop 1
contains
  subroutine stop_all(why)
    character(*), intent(in) :: why
    if (rank == 0) print '(2a)', 'npb_ft: ', why
    call MPI_Finalize(error)
    stop 2
  end subroutine
end program
