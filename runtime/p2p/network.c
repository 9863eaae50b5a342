/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Receives that a message from another node may satisfy, on communicators that span nodes.
 *
 * A receive from any source is posted for the lanes (matching.h) and listed here, for the network.
 * While one is listed, a later receive from a rank of another node that may match the same messages
 * is listed, too. In the MPI library it would be matched before the earlier receive.
 *
 * Messages are taken from the library one by one, each for the first receive in the list that it
 * matches. The list is in the order of posting, and messages of one source come in their order.
 * PMPI_Iprobe is called with the arguments of each receive in turn. A message that it finds may
 * have come after the probe for an earlier receive, and match that receive, too. Then the probe for
 * the earlier receive is repeated, and may find another message. PMPI_Improbe takes a message only
 * if no earlier receive matches it. Messages for receives that were posted in the library need no
 * such order, because a probe never finds them. */
#include "p2p/network.h"

#include "comm/communicator.h"
#include "job/memory.h"
#include "job/pmpi.h"
#include "p2p/queues.h"
#include "p2p/request.h"
#include "progress/progress.h"

#include <stdlib.h>

static struct mpispec_request *first, *last;
size_t mpispec_network_under_way;

void mpispec_network_list(struct mpispec_request *request) {
  request->next = NULL;
  request->previous = last;
  *(last ? &last->next : &first) = request;
  last = request;
  request->listed = 1;
  ++mpispec_network_under_way;
  mpispec_progress_begins();
}

void mpispec_network_remove(struct mpispec_request *request) {
  if (!request->listed)
    return;
  *(request->previous ? &request->previous->next : &first) = request->next;
  *(request->next ? &request->next->previous : &last) = request->previous;
  request->listed = 0;
  --mpispec_network_under_way;
}

int mpispec_network_is_first(const struct mpispec_call *call) {
  enum {
    CALLS = 16 /* from one turn of the network to the next: a probe of the library is slow */
  };
  static unsigned calls;
  return call->peer == MPI_ANY_SOURCE && call->communicator->spans_nodes && ++calls % CALLS == 0;
}

/* Nonzero if both patterns can match the same message. */
static int overlap(int one, int other, int wildcard) {
  return one == other || one == wildcard || other == wildcard;
}

static struct mpispec_request *first_overlap(const struct mpispec_communicator *communicator,
                                             int source, int tag) {
  struct mpispec_request *r = first;
  while (r &&
         (r->call.communicator != communicator || !overlap(r->call.peer, source, MPI_ANY_SOURCE) ||
          !overlap(r->call.tag, tag, MPI_ANY_TAG)))
    r = r->next;
  return r;
}

int mpispec_network_overlaps_listed(const struct mpispec_communicator *communicator, int source,
                                    int tag) {
  return first_overlap(communicator, source, tag) != NULL;
}

/* Receives a message that is longer than its receive. MPICH would raise the error on
 * MPI_COMM_WORLD. Therefore the library receives the whole message, and the runtime raises the
 * error on the communicator. */
static void receive_too_long(struct mpispec_request *r, MPI_Count length, MPI_Message *message) {
  r->staging = mpispec_check_allocation(malloc((size_t)length));
  r->result.length = r->call.bytes;
  r->result.error = MPI_ERR_TRUNCATE;
  PMPI_Imrecv_c(r->staging, length, MPI_PACKED, message, &r->foreign[0]);
}

/* Lets a receive get `message`, which PMPI_Improbe has matched. */
static void assign(struct mpispec_request *r, const MPI_Status *status, MPI_Message *message) {
  MPI_Count length = 0;
  mpispec_network_remove(r);
  mpispec_receive_withdraw(r);
  PMPI_Get_elements_x(status, MPI_BYTE, &length);
  if (length > r->call.bytes)
    receive_too_long(r, length, message);
  else
    PMPI_Imrecv_c(r->call.buffer, r->call.count, r->call.datatype, message, &r->foreign[0]);
  r->in_library = 1;
}

/* Takes the message that a probe has found. Returns 0 if another thread has taken it before. */
static int take(MPI_Comm communicator, MPI_Status *status, MPI_Message *message) {
  int found;
  mpispec_pmpi.Improbe(status->MPI_SOURCE, status->MPI_TAG, communicator, &found, message, status);
  return found;
}

static int is_alike(const struct mpispec_call *one, const struct mpispec_call *other) {
  return one->communicator == other->communicator && one->peer == other->peer &&
         one->tag == other->tag;
}

/* Programs post many receives with equal arguments. If one of them is probed for in vain, so are
 * the next ones. */
void mpispec_network_progress(void) {
  const struct mpispec_call *vain = NULL;
  for (struct mpispec_request *r = first; r;) {
    if (vain && is_alike(vain, &r->call)) {
      r = r->next;
      continue;
    }
    const struct mpispec_communicator *communicator = r->call.communicator;
    MPI_Message message;
    MPI_Status status;
    int found;
    mpispec_pmpi.Iprobe(r->call.peer, r->call.tag, communicator->handle, &found, &status);
    vain = found ? NULL : &r->call;
    struct mpispec_request *receiver =
        found ? first_overlap(communicator, status.MPI_SOURCE, status.MPI_TAG) : r->next;
    if (found && receiver == r) {
      if (take(communicator->handle, &status, &message))
        assign(r, &status, &message);
      receiver = first;
    }
    r = receiver;
  }
}

/* A message for which a listed receive waits goes to that receive, and the search begins anew. */
void mpispec_network_probe(const struct mpispec_communicator *communicator, int source, int tag,
                           int *found, MPI_Message *message, MPI_Status *status) {
  for (;;) {
    mpispec_pmpi.Iprobe(source, tag, communicator->handle, found, status);
    if (!*found)
      return;
    if (!mpispec_network_overlaps_listed(communicator, status->MPI_SOURCE, status->MPI_TAG))
      break;
    mpispec_network_progress();
  }
  *found = take(communicator->handle, status, message);
}
