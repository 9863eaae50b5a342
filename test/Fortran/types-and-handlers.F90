! Derived datatypes, addresses from MPI_BOTTOM, attributes, error handlers and requests of the program's own.
!
! RUN: %ways %s 2 | FileCheck %S/Inputs/ways.check %if !openmpi %{--check-prefixes=CHECK,NODES%}
#include "one-source.inc"
module callbacks
  implicit none
  integer :: handled = 0, deleted = 0, asked = 0
contains
  subroutine handle(comm, code)
#ifdef USE_MPI_F08
    use mpi_f08
    type(MPI_Comm) :: comm
#else
    integer :: comm
#endif
    integer :: code
    handled = handled + 1
  end subroutine

  subroutine forget(comm, key, value, extra, error)
#ifdef USE_MPI_F08
    use mpi_f08
    type(MPI_Comm) :: comm
#else
    use mpi, only : MPI_ADDRESS_KIND
    integer :: comm
#endif
    integer :: key, error
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    deleted = deleted + int(value)
    error = 0
  end subroutine

  subroutine query(extra, status, error)
#ifdef USE_MPI_F08
    use mpi_f08
    type(MPI_Status) :: status
#else
    use mpi
    integer :: status(MPI_STATUS_SIZE)
#endif
    integer(kind=MPI_ADDRESS_KIND) :: extra
    integer :: error
    asked = asked + 1
    call MPI_Status_set_elements(status, MPI_INTEGER, 5, error)
    call MPI_Status_set_cancelled(status, .false., error)
  end subroutine

  subroutine finish(extra, error)
#ifdef USE_MPI_F08
    use mpi_f08, only : MPI_ADDRESS_KIND
#else
    use mpi, only : MPI_ADDRESS_KIND
#endif
    integer(kind=MPI_ADDRESS_KIND) :: extra
    integer :: error
    error = 0
  end subroutine

  subroutine give_up(extra, complete, error)
#ifdef USE_MPI_F08
    use mpi_f08, only : MPI_ADDRESS_KIND
#else
    use mpi, only : MPI_ADDRESS_KIND
#endif
    integer(kind=MPI_ADDRESS_KIND) :: extra
    logical :: complete
    integer :: error
    error = 0
  end subroutine
end module

program types_and_handlers
  USES
  use callbacks
  implicit none
  INCLUDES
  type particle
    sequence
    double precision :: mass
    integer :: kind, level
    character(4) :: name
    logical :: alive
  end type
  integer :: rank, peer, error, i, class, length, position, key, elements
  integer :: matrix(6, 6), other(6, 6), first, second
  character(len=MPI_MAX_ERROR_STRING) :: text
  character :: packed(64)
  logical :: flag
  double precision :: third
  integer(kind=MPI_ADDRESS_KIND) :: places(5), base, extra, value
  type(particle) :: mine(3), theirs(3)
  COMM :: comm
  DATATYPE :: row, block, some, scattered, resized, record
  HANDLER :: handler_made
  REQUEST :: requests(2)
  STATUS(status)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  peer = 1 - rank
  matrix = reshape((/(100 * rank + i, i = 1, 36)/), (/6, 6/))

  ! A row, a corner, and some columns of a matrix.
  call MPI_Type_vector(6, 1, 6, MPI_INTEGER, row, error)
  call MPI_Type_commit(row, error)
  call MPI_Type_create_subarray(2, (/6, 6/), (/2, 3/), (/1, 2/), MPI_ORDER_FORTRAN, MPI_INTEGER, block, error)
  call MPI_Type_commit(block, error)
  call MPI_Type_indexed(3, (/6, 3, 1/), (/0, 12, 30/), MPI_INTEGER, some, error)
  call MPI_Type_commit(some, error)
  other = 0
  call MPI_Sendrecv(matrix(2, 1), 1, row, peer, 1, other(5, 1), 1, row, peer, 1, MPI_COMM_WORLD, status, error)
  call MPI_Irecv(other, 1, block, peer, 2, MPI_COMM_WORLD, requests(1), error)
  call MPI_Isend(matrix, 1, block, peer, 2, MPI_COMM_WORLD, requests(2), error)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
  call MPI_Sendrecv(matrix, 10, MPI_INTEGER, peer, 3, other, 1, some, peer, 3, MPI_COMM_WORLD, status, error)
  call MPI_Get_elements(status, some, elements, error)
  print *, rank, 'matrix', other, elements
  call MPI_Type_free(row, error)
  call MPI_Type_free(block, error)
  call MPI_Type_free(some, error)
  print *, rank, row == MPI_DATATYPE_NULL

  ! Variables wherever they are, from MPI_BOTTOM.
  call MPI_Get_address(first, places(1), error)
  call MPI_Get_address(second, places(2), error)
  call MPI_Get_address(third, places(3), error)
  call MPI_Type_create_struct(3, (/1, 1, 1/), places(1:3), (/MPI_INTEGER, MPI_INTEGER, MPI_DOUBLE_PRECISION/), &
                              scattered, error)
  call MPI_Type_commit(scattered, error)
  first = rank + 1
  second = rank + 10
  third = rank + 0.5d0
  call MPI_Send(MPI_BOTTOM, 1, scattered, peer, 4, MPI_COMM_WORLD, error)
  call MPI_Recv(MPI_BOTTOM, 1, scattered, peer, 4, MPI_COMM_WORLD, status, error)
  print *, rank, 'bottom', first, second, third
  call MPI_Irecv(MPI_BOTTOM, 1, scattered, peer, 5, MPI_COMM_WORLD, requests(1), error)
  call MPI_Isend(matrix, 4, MPI_INTEGER, MPI_PROC_NULL, 5, MPI_COMM_WORLD, requests(2), error)
  call MPI_Cancel(requests(1), error)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
  call MPI_Bcast(MPI_BOTTOM, 1, scattered, 1, MPI_COMM_WORLD, error)
  print *, rank, 'bottom of 1', first, second, third
  call MPI_Type_free(scattered, error)

  ! A record of several kinds, in an array.
  call MPI_Get_address(mine(1)%mass, places(1), error)
  call MPI_Get_address(mine(1)%kind, places(2), error)
  call MPI_Get_address(mine(1)%name, places(3), error)
  call MPI_Get_address(mine(1)%alive, places(4), error)
  call MPI_Get_address(mine(2)%mass, places(5), error)
  base = places(1)
  places = places - base
  call MPI_Type_create_struct(4, (/1, 2, 4, 1/), places(1:4), (/MPI_DOUBLE_PRECISION, MPI_INTEGER, MPI_CHARACTER, &
                              MPI_LOGICAL/), record, error)
  extra = 0
  call MPI_Type_create_resized(record, extra, places(5), resized, error)
  call MPI_Type_commit(resized, error)
  mine = (/(particle(rank + i / 4d0, i, 10 * rank, 'p' // char(48 + i), i == 2), i = 1, 3)/)
  call MPI_Sendrecv(mine, 3, resized, peer, 6, theirs, 3, resized, peer, 6, MPI_COMM_WORLD, status, error)
  call MPI_Get_count(status, resized, elements, error)
  print *, rank, 'records', theirs(1), theirs(2), theirs(3), elements
  call MPI_Type_free(record, error)
  call MPI_Type_free(resized, error)

  ! Packed.
  position = 0
  call MPI_Pack(rank, 1, MPI_INTEGER, packed, 64, position, MPI_COMM_WORLD, error)
  call MPI_Pack(third, 1, MPI_DOUBLE_PRECISION, packed, 64, position, MPI_COMM_WORLD, error)
  call MPI_Sendrecv_replace(packed, position, MPI_PACKED, peer, 7, peer, 7, MPI_COMM_WORLD, status, error)
  position = 0
  call MPI_Unpack(packed, 64, position, first, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  call MPI_Unpack(packed, 64, position, third, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, error)
  print *, rank, 'packed', first, third

  ! Errors go to the program's handler, and come back.
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, error)
  call MPI_Comm_create_errhandler(handle, handler_made, error)
  call MPI_Comm_set_errhandler(comm, handler_made, error)
  call MPI_Send(first, 1, MPI_INTEGER, 5, 1, comm, error)
  call MPI_Error_class(error, class, i)
  print *, rank, 'handled', handled, class == MPI_ERR_RANK
  call MPI_Send(matrix, 4, MPI_INTEGER, peer, 8, comm, error)
  call MPI_Recv(first, 1, MPI_INTEGER, peer, 8, comm, status, error)
  call MPI_Error_class(error, class, i)
  call MPI_Error_string(class, text, length, i)
  print *, rank, 'handled', handled, ' ', text(1:length)
  ! MPICH calls the handler of MPI_COMM_WORLD for a request of any communicator.
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler_made, error)
  call MPI_Send(matrix, 4, MPI_INTEGER, peer, 9, comm, error)
  call MPI_Irecv(first, 1, MPI_INTEGER, peer, 9, comm, requests(1), error)
  call MPI_Wait(requests(1), status, error)
  call MPI_Error_class(error, class, i)
  print *, rank, 'handled', handled, class == MPI_ERR_TRUNCATE
  call MPI_Errhandler_free(handler_made, error)

  ! An attribute, whose end the program hears of.
  extra = 0
  value = 40 + rank
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, key, extra, error)
  call MPI_Comm_set_attr(comm, key, value, error)
  value = 0
  call MPI_Comm_get_attr(comm, key, value, flag, error)
  call MPI_Comm_free(comm, error)
  print *, rank, 'attribute', value, flag, deleted
  call MPI_Comm_free_keyval(key, error)

  ! A request of the program's own among those of lanes.
  call MPI_Grequest_start(query, finish, give_up, extra, requests(1), error)
  call MPI_Irecv(first, 1, MPI_INTEGER, peer, 10, MPI_COMM_WORLD, requests(2), error)
  call MPI_Grequest_complete(requests(1), error)
  call MPI_Send(rank, 1, MPI_INTEGER, peer, 10, MPI_COMM_WORLD, error)
  call MPI_Wait(requests(1), status, error)
  call MPI_Get_count(status, MPI_INTEGER, elements, error)
  call MPI_Wait(requests(2), status, error)
  print *, rank, 'own request', asked, elements, first
  call MPI_Finalize(error)
end program
