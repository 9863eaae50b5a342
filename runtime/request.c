/* The pool of requests. Requests live in chunks that never move, so a request can be a member of
 * lists; free ones are chained, last freed first used. request.h says what a handle is. */
#include "request.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 256, MAXIMUM_CHUNKS = 1 << 14 };

/* The mark in bits 24 to 29; bits 30 and 31, the kind of a handle, stay zero. MPI_REQUEST_NULL of
 * MPICH has the same kind and the mark 0x2c. */
enum { HANDLE_MARK = 0x1d };
static_assert(CHUNK * MAXIMUM_CHUNKS <= 1 << 24, "an index fits beside the mark");
static_assert(sizeof(MPI_Request) == sizeof(int), "handles of this MPI library are integers");

const MPI_Request mpispec_request_done = (MPI_Request)(HANDLE_MARK << 24 | 0xffffff);

static_assert(mpispec_request_over == (HANDLE_MARK << 24 | 0xffffff), "templates use the same");
static_assert(mpispec_request_null == MPI_REQUEST_NULL, "as above");
static_assert(mpispec_any_source == MPI_ANY_SOURCE && mpispec_any_tag == MPI_ANY_TAG, "as above");
static_assert(offsetof(MPI_Status, count_lo) == offsetof(struct mpispec_status, count_low) &&
                  offsetof(MPI_Status, count_hi_and_cancelled) ==
                      offsetof(struct mpispec_status, count_high_and_cancelled) &&
                  offsetof(MPI_Status, MPI_SOURCE) == offsetof(struct mpispec_status, source) &&
                  offsetof(MPI_Status, MPI_TAG) == offsetof(struct mpispec_status, tag) &&
                  sizeof(MPI_Status) == sizeof(struct mpispec_status),
              "templates fill in statuses of this layout");

static struct mpispec_request *chunks[MAXIMUM_CHUNKS];
static int chunk_count;

/* Makes a request a free one: a receipt that a template may take as it is. */
static void put_back(struct mpispec_request *request) {
  request->kind = MPISPEC_RECEIPT;
  request->complete = request->active = 1;
  request->persistent = request->released = request->raised = 0;
  request->result.error = MPI_SUCCESS;
  request->call.communicator = NULL;
  request->receipt.in_use = 0;
  request->receipt.next = mpispec_state.receipts;
  mpispec_state.receipts = &request->receipt;
}

static int grow(void) {
  if (chunk_count == MAXIMUM_CHUNKS - 1)
    return 0;
  struct mpispec_request *chunk = calloc(CHUNK, sizeof *chunk);
  if (!chunk)
    return 0;
  for (int i = CHUNK - 1; i >= 0; --i) {
    chunk[i].receipt.handle = HANDLE_MARK << 24 | (chunk_count * CHUNK + i);
    put_back(&chunk[i]);
  }
  chunks[chunk_count++] = chunk;
  return 1;
}

void mpispec_requests_open(void) { grow(); }

struct mpispec_request *mpispec_request_new(enum mpispec_request_kind kind) {
  if (!mpispec_state.receipts && !grow())
    return NULL;
  struct mpispec_request *request = (struct mpispec_request *)mpispec_state.receipts;
  mpispec_state.receipts = request->receipt.next;
  memset(&request->posted, 0, sizeof *request - offsetof(struct mpispec_request, posted));
  request->receipt.in_use = 1;
  request->kind = kind;
  return request;
}

void mpispec_request_delete(struct mpispec_request *request) { put_back(request); }

static struct mpispec_request *at(int handle) {
  const int index = handle & 0xffffff;
  if (handle >> 24 != HANDLE_MARK || index >= chunk_count * CHUNK)
    return NULL;
  struct mpispec_request *request = &chunks[index / CHUNK][index % CHUNK];
  return request->receipt.in_use ? request : NULL;
}

struct mpispec_request *mpispec_request_find(MPI_Request handle) { return at((int)handle); }

struct mpispec_request *mpispec_message_find(MPI_Message handle) { return at((int)handle); }
