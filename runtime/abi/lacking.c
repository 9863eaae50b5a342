/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Implements the functions of MPI-4 that the runtime calls, for libraries that lack them. The
 * functions below call those of MPI-3. A program that uses such a library can pass only counts of
 * type int. Therefore only lengths in bytes, which the runtime computes, may exceed an int. Their
 * datatype is MPI_BYTE or MPI_PACKED. */
#include "abi/mpi.h"

#include <limits.h>
#include <stdint.h>

/* Data whose count is an int. */
struct data {
  int count;
  MPI_Datatype datatype;
  int is_made; /* the datatype was made for one call, and release_data frees it */
};

#define UNUSED __attribute__((__unused__)) /* in some libraries */

/* Returns a datatype of `length` elements of one byte each. */
UNUSED static MPI_Datatype make_large(MPI_Count length, MPI_Datatype byte) {
  enum { PIECE = 1 << 30 };
  MPI_Datatype piece, made;
  PMPI_Type_contiguous(PIECE, byte, &piece);
  const int lengths[] = {(int)(length / PIECE), (int)(length % PIECE)};
  const MPI_Aint places[] = {0, (MPI_Aint)(length - length % PIECE)};
  const MPI_Datatype types[] = {piece, byte};
  PMPI_Type_create_struct(2, lengths, places, types, &made);
  PMPI_Type_commit(&made);
  PMPI_Type_free(&piece);
  return made;
}

UNUSED static struct data narrow(MPI_Count count, MPI_Datatype datatype) {
  return count <= INT_MAX ? (struct data){(int)count, datatype, 0}
                          : (struct data){1, make_large(count, datatype), 1};
}

/* Called when the call has begun. An operation that is not complete keeps its datatype. Returns
 * `error`. */
UNUSED static int release_data(struct data *data, int error) {
  if (data->is_made)
    PMPI_Type_free(&data->datatype);
  return error;
}

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
  struct data data = narrow(count, datatype);
  return release_data(&data, PMPI_Send(buffer, data.count, data.datatype, peer, tag, communicator));
}
#endif

#ifdef MPISPEC_LACKS_Isend_c
int PMPI_Isend_c(const void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                 MPI_Comm communicator, MPI_Request *request) {
  struct data data = narrow(count, datatype);
  return release_data(
      &data, PMPI_Isend(buffer, data.count, data.datatype, peer, tag, communicator, request));
}
#endif

#ifdef MPISPEC_LACKS_Issend_c
int PMPI_Issend_c(const void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                  MPI_Comm communicator, MPI_Request *request) {
  struct data data = narrow(count, datatype);
  return release_data(
      &data, PMPI_Issend(buffer, data.count, data.datatype, peer, tag, communicator, request));
}
#endif

#ifdef MPISPEC_LACKS_Recv_c
int PMPI_Recv_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                MPI_Comm communicator, MPI_Status *status) {
  struct data data = narrow(count, datatype);
  return release_data(
      &data, PMPI_Recv(buffer, data.count, data.datatype, peer, tag, communicator, status));
}
#endif

#ifdef MPISPEC_LACKS_Irecv_c
int PMPI_Irecv_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                 MPI_Comm communicator, MPI_Request *request) {
  struct data data = narrow(count, datatype);
  return release_data(
      &data, PMPI_Irecv(buffer, data.count, data.datatype, peer, tag, communicator, request));
}
#endif

#ifdef MPISPEC_LACKS_Imrecv_c
int PMPI_Imrecv_c(void *buffer, MPI_Count count, MPI_Datatype datatype, MPI_Message *message,
                  MPI_Request *request) {
  struct data data = narrow(count, datatype);
  return release_data(&data, PMPI_Imrecv(buffer, data.count, data.datatype, message, request));
}
#endif

#ifdef MPISPEC_LACKS_Iallreduce_c
int PMPI_Iallreduce_c(const void *in, void *out, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                      MPI_Comm communicator, MPI_Request *request) {
  return PMPI_Iallreduce(in, out, (int)count, datatype, op, communicator, request);
}
#endif

#ifdef MPISPEC_LACKS_Ireduce_c
int PMPI_Ireduce_c(const void *in, void *out, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                   int root, MPI_Comm communicator, MPI_Request *request) {
  return PMPI_Ireduce(in, out, (int)count, datatype, op, root, communicator, request);
}
#endif

#ifdef MPISPEC_LACKS_Iexscan_c
int PMPI_Iexscan_c(const void *in, void *out, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm communicator, MPI_Request *request) {
  return PMPI_Iexscan(in, out, (int)count, datatype, op, communicator, request);
}
#endif

#ifdef MPISPEC_LACKS_Ibcast_c
int PMPI_Ibcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root,
                  MPI_Comm communicator, MPI_Request *request) {
  struct data data = narrow(count, datatype);
  return release_data(&data,
                      PMPI_Ibcast(buffer, data.count, data.datatype, root, communicator, request));
}
#endif

/* --- packing -----------------------------------------------------------------------------------*/

#ifdef MPISPEC_LACKS_Pack_c
/* Packs or unpacks one element of more bytes than an int counts, by a message to this process. No
 * other messages may be on the communicator. */
static int convert_large(int packs, char *typed, MPI_Datatype datatype, char *packed,
                         MPI_Count size, MPI_Comm self) {
  MPI_Datatype large = make_large(size, MPI_PACKED);
  const int error = packs ? PMPI_Sendrecv(typed, 1, datatype, 0, 0, packed, 1, large, 0, 0, self,
                                          MPI_STATUS_IGNORE)
                          : PMPI_Sendrecv(packed, 1, large, 0, 0, typed, 1, datatype, 0, 0, self,
                                          MPI_STATUS_IGNORE);
  PMPI_Type_free(&large);
  return error;
}

/* Packs elements at `typed` into `packed` from `*position` on, or unpacks them from there. MPI_Pack
 * counts bytes with an int. Therefore each call converts as many elements as fit. */
static int convert(int packs, char *typed, MPI_Count count, MPI_Datatype datatype, char *packed,
                   MPI_Count *position, MPI_Comm communicator) {
  MPI_Aint lower, extent;
  MPI_Count size;
  PMPI_Type_get_extent(datatype, &lower, &extent);
  PMPI_Type_size_x(datatype, &size);
  const int most = size > INT_MAX ? 1 : size ? (int)(INT_MAX / size) : INT_MAX;
  int error = MPI_SUCCESS;
  for (MPI_Count done = 0; done < count && !error; done += most) {
    const int some = count - done < most ? (int)(count - done) : most;
    char *here = typed + done * extent, *there = packed + *position;
    int at = 0;
    if (size > INT_MAX)
      error = convert_large(packs, here, datatype, there, size, communicator);
    else
      error = packs
                  ? PMPI_Pack(here, some, datatype, there, (int)(some * size), &at, communicator)
                  : PMPI_Unpack(there, (int)(some * size), &at, here, some, datatype, communicator);
    *position += size > INT_MAX ? size : at;
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
 * (mpi_reduce_scatter.c). Nobody reads the counts again, but the library may until the operation
 * ends. Therefore they become ints in their own memory. */
int PMPI_Ireduce_scatter_c(const void *in, void *out, const MPI_Count counts[],
                           MPI_Datatype datatype, MPI_Op op, MPI_Comm communicator,
                           MPI_Request *request) {
  int size;
  PMPI_Comm_size(communicator, &size);
  int *narrow = (int *)(uintptr_t)counts;
  for (int i = 0; i < size; ++i)
    narrow[i] = (int)counts[i];
  return PMPI_Ireduce_scatter(in, out, narrow, datatype, op, communicator, request);
}
#endif
