/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The profiled form of each collective operation (profiled_calls.h). */
#include "profile/profiled_calls.h"

/* `root` is -1 where there is none; `path` depends on whether the function has a template. */
static inline struct mpispec_profile_call
collective(const char *function, const void *buffer, uint64_t bytes, MPI_Datatype type, int root,
           MPI_Comm comm, enum mpispec_profile_path path(const struct mpispec_profile_call *call)) {
  struct mpispec_profile_call call = {.function = function,
                                      .waits_for = MPISPEC_WAITS_FOR_ALL,
                                      .buffer = buffer,
                                      .bytes = bytes,
                                      .datatype = type,
                                      .peer = root,
                                      .tag = -1,
                                      .communicator = comm,
                                      .has_arguments = 1};
  call.path = path(&call);
  return call;
}

/* The number of members of a communicator, or of the remote group. A call has a block for each. */
static int members_of(MPI_Comm communicator) {
  int size = 0, is_between = 0;
  if (communicator == MPI_COMM_NULL)
    return 0;
  PMPI_Comm_test_inter(communicator, &is_between);
  (is_between ? PMPI_Comm_remote_size : PMPI_Comm_size)(communicator, &size);
  return size;
}

/* The number of members of this rank's group. */
static int own_members_of(MPI_Comm communicator) {
  int size = 0;
  if (communicator != MPI_COMM_NULL)
    PMPI_Comm_size(communicator, &size);
  return size;
}

/* The bytes of blocks, one for each of `members`. `counts` are int or MPI_Count, which have `width`
 * bytes. `stride` is 0 if all blocks have the datatype types[0], else 1. */
static uint64_t bytes_of_blocks(const void *counts, size_t width, const MPI_Datatype types[],
                                int stride, int members) {
  uint64_t sum = 0;
  for (int i = 0; i < members && counts && types; ++i)
    sum += mpispec_profile_bytes(width == sizeof(int) ? ((const int *)counts)[i]
                                                      : ((const MPI_Count *)counts)[i],
                                 types[stride * i]);
  return sum;
}
#define BYTES_OF_BLOCKS(COUNTS, TYPE, MEMBERS)                                                     \
  bytes_of_blocks(COUNTS, sizeof *(COUNTS), &(TYPE), 0, MEMBERS(comm))

/* Between two groups, the other ranks of the root's group take no part. Their datatypes may be
 * invalid. */
static MPI_Datatype significant(MPI_Datatype type, int root) {
  return root == MPI_PROC_NULL ? MPI_DATATYPE_NULL : type;
}

static uint64_t bytes_of(MPI_Count count, MPI_Datatype type, int root) {
  return root == MPI_PROC_NULL ? 0 : mpispec_profile_bytes(count, type);
}

/* The bytes of a rank's own block in a Gather or a Scatter. There is none in place, and none on the
 * root of an operation between two groups. */
static uint64_t bytes_of_own(const void *buffer, MPI_Count count, MPI_Datatype type, int root) {
  return buffer == MPI_IN_PLACE || root == MPI_ROOT ? 0 : bytes_of(count, type, root);
}

int mpispec_seen_Barrier(MPI_Comm comm) {
  struct mpispec_profile_call call =
      collective("Barrier", NULL, 0, MPI_DATATYPE_NULL, -1, comm, mpispec_path_of_step);
  return MPISPEC_COUNTED(call, MPI_Barrier(comm));
}

#define BCAST(NAME, COUNT)                                                                         \
  int mpispec_seen_##NAME(void *buffer, COUNT count, MPI_Datatype type, int root, MPI_Comm comm) { \
    struct mpispec_profile_call call =                                                             \
        collective(#NAME, buffer, bytes_of(count, type, root), significant(type, root), root,      \
                   comm, mpispec_path_of_step);                                                    \
    return MPISPEC_COUNTED(call, MPI_##NAME(buffer, count, type, root, comm));                     \
  }
BCAST(Bcast, int)
BCAST(Bcast_c, MPI_Count)

#define REDUCE(NAME, COUNT)                                                                        \
  int mpispec_seen_##NAME(const void *send, void *receive, COUNT count, MPI_Datatype type,         \
                          MPI_Op op, int root, MPI_Comm comm) {                                    \
    struct mpispec_profile_call call =                                                             \
        collective(#NAME, send, bytes_of(count, type, root), significant(type, root), root, comm,  \
                   mpispec_path_of_none);                                                          \
    call.op = op;                                                                                  \
    call.path = mpispec_path_of_reduction(&call);                                                  \
    return MPISPEC_COUNTED(call, MPI_##NAME(send, receive, count, type, op, root, comm));          \
  }
REDUCE(Reduce, int)
REDUCE(Reduce_c, MPI_Count)

#define ALLREDUCE(NAME, COUNT, PATH)                                                               \
  int mpispec_seen_##NAME(const void *send, void *receive, COUNT count, MPI_Datatype type,         \
                          MPI_Op op, MPI_Comm comm) {                                              \
    struct mpispec_profile_call call = collective(#NAME, send, mpispec_profile_bytes(count, type), \
                                                  type, -1, comm, mpispec_path_of_none);           \
    call.op = op;                                                                                  \
    call.path = PATH(&call);                                                                       \
    return MPISPEC_COUNTED(call, MPI_##NAME(send, receive, count, type, op, comm));                \
  }
ALLREDUCE(Allreduce, int, mpispec_path_of_reduction)
ALLREDUCE(Allreduce_c, MPI_Count, mpispec_path_of_reduction)
ALLREDUCE(Scan, int, mpispec_path_of_none)
ALLREDUCE(Scan_c, MPI_Count, mpispec_path_of_none)
ALLREDUCE(Exscan, int, mpispec_path_of_none)
ALLREDUCE(Exscan_c, MPI_Count, mpispec_path_of_none)
ALLREDUCE(Reduce_scatter_block, int, mpispec_path_of_none)
ALLREDUCE(Reduce_scatter_block_c, MPI_Count, mpispec_path_of_none)

#define REDUCE_SCATTER(NAME, COUNT)                                                                \
  int mpispec_seen_##NAME(const void *send, void *receive, const COUNT counts[],                   \
                          MPI_Datatype type, MPI_Op op, MPI_Comm comm) {                           \
    struct mpispec_profile_call call =                                                             \
        collective(#NAME, send, BYTES_OF_BLOCKS(counts, type, own_members_of), type, -1, comm,     \
                   mpispec_path_of_none);                                                          \
    return MPISPEC_COUNTED(call, MPI_##NAME(send, receive, counts, type, op, comm));               \
  }
REDUCE_SCATTER(Reduce_scatter, int)
REDUCE_SCATTER(Reduce_scatter_c, MPI_Count)

/* Counts the blocks that this rank sends; in place, the blocks of its receive buffer. */
#define BLOCKS(NAME, COUNT, MEMBERS)                                                               \
  int mpispec_seen_##NAME(const void *send, COUNT sent, MPI_Datatype send_type, void *receive,     \
                          COUNT received, MPI_Datatype receive_type, MPI_Comm comm) {              \
    const MPI_Datatype type = send == MPI_IN_PLACE ? receive_type : send_type;                     \
    const MPI_Count count = send == MPI_IN_PLACE ? received : sent;                                \
    struct mpispec_profile_call call =                                                             \
        collective(#NAME, send, mpispec_profile_bytes(count, type) * (unsigned)(MEMBERS), type,    \
                   -1, comm, mpispec_path_of_none);                                                \
    return MPISPEC_COUNTED(                                                                        \
        call, MPI_##NAME(send, sent, send_type, receive, received, receive_type, comm));           \
  }
BLOCKS(Allgather, int, 1)
BLOCKS(Allgather_c, MPI_Count, 1)
BLOCKS(Alltoall, int, members_of(comm))
BLOCKS(Alltoall_c, MPI_Count, members_of(comm))

#define ROOTED(NAME, COUNT, OWN_BYTES)                                                             \
  int mpispec_seen_##NAME(const void *send, COUNT sent, MPI_Datatype send_type, void *receive,     \
                          COUNT received, MPI_Datatype receive_type, int root, MPI_Comm comm) {    \
    struct mpispec_profile_call call =                                                             \
        collective(#NAME, send, OWN_BYTES, MPI_DATATYPE_NULL, root, comm, mpispec_path_of_none);   \
    return MPISPEC_COUNTED(                                                                        \
        call, MPI_##NAME(send, sent, send_type, receive, received, receive_type, root, comm));     \
  }
ROOTED(Gather, int, bytes_of_own(send, sent, send_type, root))
ROOTED(Gather_c, MPI_Count, bytes_of_own(send, sent, send_type, root))
ROOTED(Scatter, int, bytes_of_own(receive, received, receive_type, root))
ROOTED(Scatter_c, MPI_Count, bytes_of_own(receive, received, receive_type, root))

#define GATHERV(NAME, COUNT, PLACE)                                                                \
  int mpispec_seen_##NAME(const void *send, COUNT sent, MPI_Datatype send_type, void *receive,     \
                          const COUNT counts[], const PLACE places[], MPI_Datatype receive_type,   \
                          int root, MPI_Comm comm) {                                               \
    struct mpispec_profile_call call =                                                             \
        collective(#NAME, send, bytes_of_own(send, sent, send_type, root), MPI_DATATYPE_NULL,      \
                   root, comm, mpispec_path_of_none);                                              \
    return MPISPEC_COUNTED(call, MPI_##NAME(send, sent, send_type, receive, counts, places,        \
                                            receive_type, root, comm));                            \
  }
GATHERV(Gatherv, int, int)
GATHERV(Gatherv_c, MPI_Count, MPI_Aint)

#define SCATTERV(NAME, COUNT, PLACE)                                                               \
  int mpispec_seen_##NAME(const void *send, const COUNT counts[], const PLACE places[],            \
                          MPI_Datatype send_type, void *receive, COUNT received,                   \
                          MPI_Datatype receive_type, int root, MPI_Comm comm) {                    \
    struct mpispec_profile_call call =                                                             \
        collective(#NAME, send, bytes_of_own(receive, received, receive_type, root),               \
                   MPI_DATATYPE_NULL, root, comm, mpispec_path_of_none);                           \
    return MPISPEC_COUNTED(call, MPI_##NAME(send, counts, places, send_type, receive, received,    \
                                            receive_type, root, comm));                            \
  }
SCATTERV(Scatterv, int, int)
SCATTERV(Scatterv_c, MPI_Count, MPI_Aint)

/* The bytes that a rank passes to an Allgatherv: in place, its block of the receive buffer. */
static uint64_t bytes_of_gathered(const void *send, MPI_Count sent, MPI_Datatype send_type,
                                  const void *counts, size_t width, MPI_Datatype receive_type,
                                  MPI_Comm communicator) {
  int rank = 0;
  if (send != MPI_IN_PLACE)
    return mpispec_profile_bytes(sent, send_type);
  if (communicator == MPI_COMM_NULL || !counts)
    return 0;
  PMPI_Comm_rank(communicator, &rank);
  return bytes_of_blocks((const char *)counts + (size_t)rank * width, width, &receive_type, 0, 1);
}

#define ALLGATHERV(NAME, COUNT, PLACE)                                                             \
  int mpispec_seen_##NAME(const void *send, COUNT sent, MPI_Datatype send_type, void *receive,     \
                          const COUNT counts[], const PLACE places[], MPI_Datatype receive_type,   \
                          MPI_Comm comm) {                                                         \
    struct mpispec_profile_call call = collective(                                                 \
        #NAME, send,                                                                               \
        bytes_of_gathered(send, sent, send_type, counts, sizeof *counts, receive_type, comm),      \
        MPI_DATATYPE_NULL, -1, comm, mpispec_path_of_none);                                        \
    return MPISPEC_COUNTED(                                                                        \
        call, MPI_##NAME(send, sent, send_type, receive, counts, places, receive_type, comm));     \
  }
ALLGATHERV(Allgatherv, int, int)
ALLGATHERV(Allgatherv_c, MPI_Count, MPI_Aint)

#define ALLTOALLV(NAME, COUNT, PLACE)                                                              \
  int mpispec_seen_##NAME(const void *send, const COUNT sent[], const PLACE from[],                \
                          MPI_Datatype send_type, void *receive, const COUNT received[],           \
                          const PLACE to[], MPI_Datatype receive_type, MPI_Comm comm) {            \
    const COUNT *counts = send == MPI_IN_PLACE ? received : sent;                                  \
    const MPI_Datatype type = send == MPI_IN_PLACE ? receive_type : send_type;                     \
    struct mpispec_profile_call call =                                                             \
        collective(#NAME, send, BYTES_OF_BLOCKS(counts, type, members_of), type, -1, comm,         \
                   mpispec_path_of_none);                                                          \
    return MPISPEC_COUNTED(                                                                        \
        call, MPI_##NAME(send, sent, from, send_type, receive, received, to, receive_type, comm)); \
  }
ALLTOALLV(Alltoallv, int, int)
ALLTOALLV(Alltoallv_c, MPI_Count, MPI_Aint)

#define ALLTOALLW(NAME, COUNT, PLACE)                                                              \
  int mpispec_seen_##NAME(const void *send, const COUNT sent[], const PLACE from[],                \
                          const MPI_Datatype send_types[], void *receive, const COUNT received[],  \
                          const PLACE to[], const MPI_Datatype receive_types[], MPI_Comm comm) {   \
    const int in_place = send == MPI_IN_PLACE;                                                     \
    struct mpispec_profile_call call =                                                             \
        collective(#NAME, send,                                                                    \
                   bytes_of_blocks(in_place ? received : sent, sizeof *sent,                       \
                                   in_place ? receive_types : send_types, 1, members_of(comm)),    \
                   MPI_DATATYPE_NULL, -1, comm, mpispec_path_of_none);                             \
    return MPISPEC_COUNTED(call, MPI_##NAME(send, sent, from, send_types, receive, received, to,   \
                                            receive_types, comm));                                 \
  }
ALLTOALLW(Alltoallw, int, int)
ALLTOALLW(Alltoallw_c, MPI_Count, MPI_Aint)
