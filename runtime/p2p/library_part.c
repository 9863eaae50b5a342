/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See library_part.h.
 *
 * The number of a message is its tag in the library. Each sender counts its tags upwards, and
 * begins again at 0 after MPI_TAG_UB. Therefore at most MPI_TAG_UB + 1 messages of one sender may
 * wait to be received at a time. */
#include "p2p/library_part.h"

#include "job/accelerator.h"
#include "job/node.h"
#include "p2p/send_cells.h"
#include "progress/progress.h"

static MPI_Comm carrier = MPI_COMM_NULL;
static struct mpispec_request *first, *last;
size_t mpispec_library_parts_due;

void mpispec_library_parts_open(void) {
  PMPI_Comm_dup(MPI_COMM_WORLD, &carrier);
  PMPI_Comm_set_errhandler(carrier, MPI_ERRORS_RETURN);
}

void mpispec_library_parts_close(void) {
  if (carrier != MPI_COMM_NULL)
    PMPI_Comm_free(&carrier);
}

static int next_number(void) {
  static unsigned number;
  number = number < mpispec_state.largest_tag ? number + 1 : 0;
  return (int)number;
}

/* Records that the request of the MPI library is under way, or that it has failed with `error`. */
static void note(struct mpispec_request *request, int error) {
  request->has_library_part = 1;
  request->in_library = !error;
  request->complete = error != MPI_SUCCESS;
  if (error)
    request->result.error = error;
}

void mpispec_library_part_send(struct mpispec_request *request, int peer) {
  const struct mpispec_call *call = &request->call;
  const int number = next_number(), to = mpispec_node.world_ranks[peer];
  const int error = (call->mode == mpispec_synchronous ? PMPI_Issend_c : PMPI_Isend_c)(
      call->buffer, call->count, call->datatype, to, number, carrier, &request->foreign[0]);
  note(request, error);
  ++mpispec_accelerator_counts.messages;
  if (!error)
    mpispec_send_words(call, peer, MPISPEC_BY_LIBRARY,
                       (uint64_t[]){(uint64_t)number, 0, (uint64_t)call->bytes});
}

void mpispec_library_part_receive(struct mpispec_request *request, int peer, uint64_t number) {
  request->complete = 0;
  request->peer = peer;
  request->library_number = (int)number;
  request->next = NULL;
  *(last ? &last->next : &first) = request;
  last = request;
  ++mpispec_library_parts_due;
  mpispec_progress_begins();
}

/* A request holds its datatype, except a type of contiguous elements. The program may have freed
 * this type meanwhile. Therefore contiguous elements are received as bytes. */
static void begin(struct mpispec_request *request) {
  const struct mpispec_call *call = &request->call;
  const int from = mpispec_node.world_ranks[request->peer];
  note(request, PMPI_Irecv_c(call->buffer, call->contiguous ? call->bytes : call->count,
                             call->contiguous ? MPI_BYTE : call->datatype, from,
                             request->library_number, carrier, &request->foreign[0]));
}

void mpispec_library_parts_progress(void) {
  while (first) {
    struct mpispec_request *request = first;
    first = request->next;
    if (!first)
      last = NULL;
    --mpispec_library_parts_due;
    begin(request);
  }
}
