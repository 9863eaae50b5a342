! What makes communicators: a message and a probe on each, so that both must take the same route. Windows and
! files, in whose functions a rank waits while another needs it.
!
! RUN: %ways %s 4 | FileCheck %S/Inputs/ways.check %if !openmpi %{--check-prefixes=CHECK,NODES%}
#include "one-source.inc"
program communicators
  USES
  implicit none
  INCLUDES
  integer :: rank, size, error, length, coordinates(2), up, down, result, provided, one, source
  logical :: flag
  character(len=MPI_MAX_OBJECT_NAME) :: name
  integer, asynchronous :: window_words(4), got
  integer(kind=MPI_ADDRESS_KIND) :: bytes, place
  integer(kind=MPI_OFFSET_KIND) :: offset
  COMM :: comm, grid, other
  GROUP :: everyone, some
  REQUEST :: request
  INFO :: info_made
  WINDOW :: window_made
  FILEHANDLE :: handle
  STATUS(status)
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  call MPI_Query_thread(result, error)
  print *, provided >= MPI_THREAD_FUNNELED, result == provided
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)

  call MPI_Comm_dup(MPI_COMM_WORLD, comm, error)
  call MPI_Comm_set_name(comm, 'a copy', error)
  call MPI_Comm_get_name(comm, name, length, error)
  print *, rank, '[', name(1:length), ']'
  call MPI_Comm_compare(MPI_COMM_WORLD, comm, result, error)
  print *, rank, result == MPI_CONGRUENT
  call exchange('Comm_dup', comm)
  call MPI_Info_create(info_made, error)
  call MPI_Info_set(info_made, 'a key', 'a value', error)
  call MPI_Comm_dup_with_info(MPI_COMM_WORLD, info_made, comm, error)
  call exchange('Comm_dup_with_info', comm)
  call MPI_Comm_idup(MPI_COMM_WORLD, comm, request, error)
  call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  call exchange('Comm_idup', comm)
  call MPI_Comm_split(MPI_COMM_WORLD, modulo(rank, 2), -rank, comm, error)
  call exchange('Comm_split', comm)
  call MPI_Comm_split(MPI_COMM_WORLD, merge(MPI_UNDEFINED, 0, rank == 2), 0, comm, error)
  if (rank == 2) print *, 'none', comm == MPI_COMM_NULL
  if (rank /= 2) call exchange('Comm_split of three', comm)
  call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, comm, error)
  call exchange('Comm_split_type', comm)
  call MPI_Comm_group(MPI_COMM_WORLD, everyone, error)
  call MPI_Group_incl(everyone, 3, (/3, 1, 0/), some, error)
  call MPI_Comm_create(MPI_COMM_WORLD, some, comm, error)
  if (rank /= 2) call exchange('Comm_create', comm)
  if (rank /= 2) call MPI_Comm_create_group(MPI_COMM_WORLD, some, 5, comm, error)
  if (rank /= 2) call exchange('Comm_create_group', comm)
  call MPI_Group_free(some, error)
  call MPI_Group_free(everyone, error)

  call MPI_Cart_create(MPI_COMM_WORLD, 2, (/2, 2/), (/.true., .false./), .false., grid, error)
  call MPI_Cart_coords(grid, rank, 2, coordinates, error)
  call MPI_Cart_shift(grid, 1, 1, down, up, error)
  print *, rank, 'at', coordinates, down == MPI_PROC_NULL, up == MPI_PROC_NULL
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, up, 1, got, 1, MPI_INTEGER, down, 1, grid, status, error)
  call MPI_Cart_sub(grid, (/.false., .true./), comm, error)
  call exchange('Cart_sub', comm)
  call exchange('Cart_create', grid)
  call MPI_Graph_create(MPI_COMM_WORLD, 4, (/1, 2, 3, 4/), (/1, 0, 3, 2/), .false., comm, error)
  call exchange('Graph_create', comm)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, (/modulo(rank + 1, 4)/), MPI_UNWEIGHTED, 1, &
                                      (/modulo(rank + 3, 4)/), MPI_UNWEIGHTED, MPI_INFO_NULL, .false., comm, error)
  call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, got, 1, MPI_INTEGER, comm, error)
  print *, rank, 'neighbour', got
  call exchange('Dist_graph_create_adjacent', comm)
  call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, (/rank/), (/1/), (/modulo(rank + 1, 4)/), (/3/), info_made, &
                             .false., comm, error)
  call exchange('Dist_graph_create', comm)
  call MPI_Info_free(info_made, error)

  ! Between communicators: the library's.
  call MPI_Comm_split(MPI_COMM_WORLD, modulo(rank, 2), rank, comm, error)
  call MPI_Intercomm_create(comm, 0, MPI_COMM_WORLD, 1 - modulo(rank, 2), 6, other, error)
  call MPI_Comm_test_inter(other, flag, error)
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, rank / 2, 1, got, 1, MPI_INTEGER, rank / 2, 1, other, status, error)
  print *, rank, 'across', got, flag
  call MPI_Intercomm_merge(other, modulo(rank, 2) == 0, grid, error)
  call exchange('Intercomm_merge', grid)
  call MPI_Comm_free(other, error)
  call exchange('split again', comm)

  ! Rank 0 receives what the others send while it waits in a window's or a file's function.
  one = 4
  bytes = 4 * one
  window_words = rank
  call MPI_Win_create(window_words, bytes, one, MPI_INFO_NULL, MPI_COMM_WORLD, window_made, error)
  call MPI_Irecv(got, 1, MPI_INTEGER, modulo(rank + 3, 4), 7, MPI_COMM_WORLD, request, error)
  call MPI_Win_fence(0, window_made, error)
  call MPI_Ssend(rank, 1, MPI_INTEGER, modulo(rank + 1, 4), 7, MPI_COMM_WORLD, error)
  place = 1
  call MPI_Put(rank, 1, MPI_INTEGER, modulo(rank + 1, 4), place, 1, MPI_INTEGER, window_made, error)
  call MPI_Win_fence(0, window_made, error)
  call MPI_Wait(request, status, error)
  call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window_made, error)
  call MPI_Get(source, 1, MPI_INTEGER, 0, place, 1, MPI_INTEGER, window_made, error)
  call MPI_Win_unlock(0, window_made, error)
  print *, rank, 'window', window_words, got, source
  call MPI_Win_free(window_made, error)
  call MPI_File_open(MPI_COMM_WORLD, 'communicators.data', ior(MPI_MODE_CREATE, MPI_MODE_RDWR) + &
                     MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, handle, error)
  if (error == MPI_SUCCESS) then
    offset = 4 * rank
    call MPI_File_write_at_all(handle, offset, rank, 1, MPI_INTEGER, status, error)
    offset = 0
    call MPI_File_set_view(handle, offset, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, error)
    call MPI_File_sync(handle, error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    offset = modulo(rank + 1, 4)
    call MPI_File_read_at(handle, offset, got, 1, MPI_INTEGER, status, error)
    call MPI_File_close(handle, error)
    print *, rank, 'file', got
  end if
  call MPI_Comm_disconnect(comm, error)
  call MPI_Finalize(error)

contains
  ! A ring on `comm`, which is freed.
  subroutine exchange(what, comm)
    character(*), intent(in) :: what
    COMM :: comm
    integer :: me, members, right, left, in
    call MPI_Comm_rank(comm, me, error)
    call MPI_Comm_size(comm, members, error)
    right = modulo(me + 1, members)
    left = modulo(me + members - 1, members)
    call MPI_Isend(me, 1, MPI_INTEGER, right, 3, comm, request, error)
    call MPI_Probe(MPI_ANY_SOURCE, 3, comm, status, error)
    call MPI_Recv(in, 1, MPI_INTEGER, OF(status, MPI_SOURCE), 3, comm, status, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call MPI_Barrier(comm, error)
    print *, rank, what, ' ', me, members, in, OF(status, MPI_SOURCE) == left
    if (what == 'split again') return
    call MPI_Comm_free(comm, error)
    print *, rank, comm == MPI_COMM_NULL
  end subroutine
end program
