/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Implements the functions of MPI-4 that the runtime calls, for libraries that lack them. The
 * functions below call those of MPI-3. A program that uses such a library can pass only counts of
 * type int. Therefore only lengths in bytes, which the runtime computes, may exceed an int. */
#include "abi/mpi.h"

#include <limits.h>
#include <stdio.h>

#ifdef MPISPEC_LACKS_Type_get_envelope_c
int PMPI_Type_get_envelope_c(MPI_Datatype datatype, MPI_Count *integers, MPI_Count *addresses,
                             MPI_Count *large, MPI_Count *types, int *combiner) {
  int i = 0, a = 0, t = 0;
  const int error = PMPI_Type_get_envelope(datatype, &i, &a, &t, combiner);
  *integers = i;
  *addresses = a;
  *large = 0;
  *types = t;
  return error;
}
#endif

#ifdef MPISPEC_LACKS_Type_create_hindexed_c
int PMPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count lengths[],
                                const MPI_Count places[], MPI_Datatype old, MPI_Datatype *made) {
  /* The runtime makes types of one block only. */
  const int length = (int)lengths[0];
  const MPI_Aint place = (MPI_Aint)places[0];
  return PMPI_Type_create_hindexed((int)count, &length, &place, old, made);
}
#endif

#ifdef MPISPEC_LACKS_Send_c
int PMPI_Send_c(const void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                MPI_Comm communicator) {
  return PMPI_Send(buffer, (int)count, datatype, peer, tag, communicator);
}
#endif

#ifdef MPISPEC_LACKS_Isend_c
int PMPI_Isend_c(const void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                 MPI_Comm communicator, MPI_Request *request) {
  return PMPI_Isend(buffer, (int)count, datatype, peer, tag, communicator, request);
}
#endif

#ifdef MPISPEC_LACKS_Issend_c
int PMPI_Issend_c(const void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                  MPI_Comm communicator, MPI_Request *request) {
  return PMPI_Issend(buffer, (int)count, datatype, peer, tag, communicator, request);
}
#endif

#ifdef MPISPEC_LACKS_Recv_c
int PMPI_Recv_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                MPI_Comm communicator, MPI_Status *status) {
  return PMPI_Recv(buffer, (int)count, datatype, peer, tag, communicator, status);
}
#endif

#ifdef MPISPEC_LACKS_Irecv_c
int PMPI_Irecv_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                 MPI_Comm communicator, MPI_Request *request) {
  return PMPI_Irecv(buffer, (int)count, datatype, peer, tag, communicator, request);
}
#endif

#ifdef MPISPEC_LACKS_Imrecv_c
int PMPI_Imrecv_c(void *buffer, MPI_Count count, MPI_Datatype datatype, MPI_Message *message,
                  MPI_Request *request) {
  return PMPI_Imrecv(buffer, (int)count, datatype, message, request);
}
#endif

#ifdef MPISPEC_LACKS_Iallreduce_c
int PMPI_Iallreduce_c(const void *in, void *out, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                      MPI_Comm communicator, MPI_Request *request) {
  return PMPI_Iallreduce(in, out, (int)count, datatype, op, communicator, request);
}
#endif

#ifdef MPISPEC_LACKS_Iexscan_c
int PMPI_Iexscan_c(const void *in, void *out, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm communicator, MPI_Request *request) {
  return PMPI_Iexscan(in, out, (int)count, datatype, op, communicator, request);
}
#endif

/* --- lengths in bytes --------------------------------------------------------------------------*/

enum { PIECE = 1 << 30 };

#ifdef MPISPEC_LACKS_Ibcast_c
/* Returns a datatype whose size is `bytes`. */
static MPI_Datatype make_large(MPI_Count bytes) {
  MPI_Datatype piece, made;
  PMPI_Type_contiguous(PIECE, MPI_BYTE, &piece);
  const int lengths[] = {(int)(bytes / PIECE), (int)(bytes % PIECE)};
  const MPI_Aint places[] = {0, (MPI_Aint)(bytes - bytes % PIECE)};
  const MPI_Datatype types[] = {piece, MPI_BYTE};
  PMPI_Type_create_struct(2, lengths, places, types, &made);
  PMPI_Type_commit(&made);
  PMPI_Type_free(&piece);
  return made;
}

/* Called only for MPI_BYTE. */
int PMPI_Ibcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root,
                  MPI_Comm communicator, MPI_Request *request) {
  if (count <= INT_MAX)
    return PMPI_Ibcast(buffer, (int)count, datatype, root, communicator, request);
  MPI_Datatype large = make_large(count);
  const int error = PMPI_Ibcast(buffer, 1, large, root, communicator, request);
  PMPI_Type_free(&large);
  return error;
}
#endif

#ifdef MPISPEC_LACKS_Pack_c
/* Returns the most elements that one call of MPI_Pack can convert. MPI_Pack counts bytes with an
 * int. */
static int elements_of_piece(MPI_Datatype datatype, MPI_Aint *extent, MPI_Count *size) {
  MPI_Aint lower;
  PMPI_Type_get_extent(datatype, &lower, extent);
  PMPI_Type_size_x(datatype, size);
  if (*size > INT_MAX) {
    fprintf(stderr, "mpispec: this MPI library packs no element of more than 2 GiB\n");
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
  return *size ? (int)(INT_MAX / *size) : INT_MAX;
}

/* Packs elements at `typed` into `packed` from `*position` on, or unpacks them from there. */
static int convert(int packs, char *typed, MPI_Count count, MPI_Datatype datatype, char *packed,
                   MPI_Count *position, MPI_Comm communicator) {
  MPI_Aint extent;
  MPI_Count size;
  const int most = elements_of_piece(datatype, &extent, &size);
  int error = MPI_SUCCESS;
  for (MPI_Count done = 0; done < count && !error; done += most) {
    const int some = count - done < most ? (int)(count - done) : most;
    const int bytes = (int)(some * size);
    char *here = typed + done * extent, *there = packed + *position;
    int at = 0;
    error = packs ? PMPI_Pack(here, some, datatype, there, bytes, &at, communicator)
                  : PMPI_Unpack(there, bytes, &at, here, some, datatype, communicator);
    *position += at;
  }
  return error;
}

int PMPI_Pack_c(const void *buffer, MPI_Count count, MPI_Datatype datatype, void *bytes,
                MPI_Count length, MPI_Count *position, MPI_Comm communicator) {
  (void)length;
  return convert(1, (char *)buffer, count, datatype, bytes, position, communicator);
}

int PMPI_Unpack_c(const void *bytes, MPI_Count length, MPI_Count *position, void *buffer,
                  MPI_Count count, MPI_Datatype datatype, MPI_Comm communicator) {
  (void)length;
  return convert(0, buffer, count, datatype, (char *)bytes, position, communicator);
}
#endif

#ifdef MPISPEC_LACKS_Ireduce_scatter_c
/* In collective/leaders, a count is the sum of the counts of one node's ranks, which fits an int
 * (mpi_reduce_scatter.c). */
int PMPI_Ireduce_scatter_c(const void *in, void *out, const MPI_Count counts[],
                           MPI_Datatype datatype, MPI_Op op, MPI_Comm communicator,
                           MPI_Request *request) {
  int size;
  PMPI_Comm_size(communicator, &size);
  int narrow[size];
  for (int i = 0; i < size; ++i)
    narrow[i] = (int)counts[i];
  return PMPI_Ireduce_scatter(in, out, narrow, datatype, op, communicator, request);
}
#endif
