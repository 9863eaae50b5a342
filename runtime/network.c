/* Receives that a message from another node may satisfy, on communicators that span nodes.
 *
 * A receive from any source is posted for the lanes (matching.h) and listed here, for the network.
 * While one is listed, a receive from a rank of another node must not go to the MPI library as it
 * stands: it would be matched there first although it was posted later. It is listed here, too.
 *
 * Messages are taken from the library one by one with PMPI_Improbe, each for the first in the list
 * that it fits: so the list is in the order of posting, and messages of one source come in theirs.
 * Receives posted earlier in the library have had their messages before Improbe could see them. */
#include "transfer.h"

static struct mpispec_request *first, *last;

void mpispec_network_list(struct mpispec_request *request) {
  request->next = NULL;
  request->previous = last;
  *(last ? &last->next : &first) = request;
  last = request;
  request->listed = 1;
}

void mpispec_network_remove(struct mpispec_request *request) {
  if (!request->listed)
    return;
  *(request->previous ? &request->previous->next : &first) = request->next;
  *(request->next ? &request->next->previous : &last) = request->previous;
  request->listed = 0;
}

/* Could a message that one pattern takes be taken by the other? */
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

int mpispec_network_is_listed(const struct mpispec_communicator *communicator, int source,
                              int tag) {
  return first_overlap(communicator, source, tag) != NULL;
}

/* The library holds `message` for us. */
static void assign(struct mpispec_request *r, MPI_Message *message) {
  mpispec_network_remove(r);
  if (r->posted.waiting)
    mpispec_matching_withdraw(&mpispec_node.matching, &r->posted);
  PMPI_Imrecv_c(r->call.buffer, r->call.count, r->call.datatype, message, &r->foreign[0]);
  r->in_library = 1;
}

/* Takes a message out of the library unless there is none. What a listed receive waits for goes to
 * that receive, and the search begins anew. */
void mpispec_network_probe(const struct mpispec_communicator *communicator, int source, int tag,
                           int *found, MPI_Message *message, MPI_Status *status) {
  for (;;) {
    PMPI_Improbe(source, tag, communicator->handle, found, message, status);
    if (!*found)
      return;
    struct mpispec_request *r = first_overlap(communicator, status->MPI_SOURCE, status->MPI_TAG);
    if (!r)
      return;
    assign(r, message);
  }
}

void mpispec_network_progress(void) {
  for (struct mpispec_request *r = first; r;) {
    MPI_Message message;
    MPI_Status status;
    int found = 0;
    PMPI_Improbe(r->call.peer, r->call.tag, r->call.communicator->handle, &found, &message,
                 &status);
    if (found)
      assign(first_overlap(r->call.communicator, status.MPI_SOURCE, status.MPI_TAG), &message);
    r = found ? first : r->next;
  }
}

int mpispec_network_is_idle(void) { return !first; }
