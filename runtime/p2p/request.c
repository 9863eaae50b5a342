/* The pool of requests. Requests live in chunks that never move, so a request can be a member of
 * lists; free ones are chained, last freed first used. request.h says what a handle is. */
#include "p2p/request.h"

#include "job/memory.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = MPISPEC_REQUEST_CHUNK, MAXIMUM_CHUNKS = 1 << 14 };

static_assert(CHUNK * MAXIMUM_CHUNKS <= 1 << 24, "an index fits beside the mark");
static_assert(sizeof(MPI_Request) == sizeof(int), "handles of this MPI library are integers");

const MPI_Request mpispec_request_done = (MPI_Request)(MPISPEC_HANDLE_MARK << 24 | 0xffffff);

static_assert(mpispec_request_over == (MPISPEC_HANDLE_MARK << 24 | 0xffffff),
              "templates use the same");
static_assert(mpispec_request_first == MPISPEC_HANDLE_MARK << 24, "as above");
static_assert(mpispec_request_null == MPI_REQUEST_NULL, "as above");
static_assert(mpispec_any_source == MPI_ANY_SOURCE && mpispec_any_tag == MPI_ANY_TAG, "as above");
static_assert(offsetof(MPI_Status, count_lo) == offsetof(struct mpispec_status, count_low) &&
                  offsetof(MPI_Status, count_hi_and_cancelled) ==
                      offsetof(struct mpispec_status, count_high_and_cancelled) &&
                  offsetof(MPI_Status, MPI_SOURCE) == offsetof(struct mpispec_status, source) &&
                  offsetof(MPI_Status, MPI_TAG) == offsetof(struct mpispec_status, tag) &&
                  sizeof(MPI_Status) == sizeof(struct mpispec_status),
              "templates fill in statuses of this layout");

struct mpispec_request *mpispec_request_chunks[MAXIMUM_CHUNKS];
int mpispec_request_count;

/* Makes a request a free one: a receipt that a template may take as it is. */
static void put_back(struct mpispec_request *request) {
  request->kind = MPISPEC_RECEIPT;
  request->complete = request->active = 1;
  request->persistent = request->released = request->raised = 0;
  request->result.error = MPI_SUCCESS;
  request->call.communicator = NULL;
  request->call.map = NULL;
  request->receipt.use = mpispec_receipt_free;
  request->receipt.next = mpispec_state.receipts;
  mpispec_state.receipts = &request->receipt;
}

static int grow(void) {
  const int chunks = mpispec_request_count / CHUNK;
  if (chunks == MAXIMUM_CHUNKS - 1)
    return 0;
  struct mpispec_request *chunk = calloc(CHUNK, sizeof *chunk);
  if (!chunk)
    return 0;
  for (int i = CHUNK - 1; i >= 0; --i) {
    chunk[i].receipt.handle = MPISPEC_HANDLE_MARK << 24 | (mpispec_request_count + i);
    put_back(&chunk[i]);
  }
  mpispec_request_chunks[chunks] = chunk;
  mpispec_request_count += CHUNK;
  return 1;
}

struct mpispec_request *mpispec_request_new(enum mpispec_request_kind kind) {
  if (!mpispec_state.receipts && !grow())
    return NULL;
  struct mpispec_request *request = (struct mpispec_request *)mpispec_state.receipts;
  mpispec_state.receipts = request->receipt.next;
  memset(&request->posted, 0, sizeof *request - offsetof(struct mpispec_request, posted));
  request->receipt.use = mpispec_receipt_under_way;
  request->kind = kind;
  return request;
}

static void open_known(void) {
  static struct mpispec_receipt *known[mpispec_state_receipts];
  while (mpispec_request_count < mpispec_state_receipts)
    if (!grow())
      mpispec_must_have(NULL);
  for (int i = 0; i < mpispec_state_receipts; ++i)
    known[i] = &mpispec_request_chunks[i / CHUNK][i % CHUNK].receipt;
  mpispec_state.known = known;
}

static void open_awaited(void) {
  struct mpispec_request *awaited = mpispec_must_have(mpispec_request_new(MPISPEC_AWAITED));
  awaited->active = 1;
  awaited->receipt.use = mpispec_receipt_free;
  mpispec_state.awaited = &awaited->receipt;
}

void mpispec_requests_open(void) {
  open_known();
  open_awaited();
}

void mpispec_request_delete(struct mpispec_request *request) {
  if (request->kind != MPISPEC_AWAITED) {
    put_back(request);
    return;
  }
  request->receipt.use = mpispec_receipt_free;
  request->released = 0;
}

/* Free requests, and those that a template took, are receipts. */
int mpispec_requests_hold(MPI_Datatype handle) {
  int count = 0;
  for (int i = 0; i < mpispec_request_count; ++i) {
    const struct mpispec_request *request = &mpispec_request_chunks[i / CHUNK][i % CHUNK];
    count += request->kind != MPISPEC_RECEIPT && request->holds && request->call.datatype == handle;
  }
  return count;
}
