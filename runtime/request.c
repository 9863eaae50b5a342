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

struct slot {
  struct mpispec_request request; /* first: a request is its slot */
  struct slot *next_free;
  int index, in_use;
};

static struct slot *chunks[MAXIMUM_CHUNKS];
static int chunk_count;
static struct slot *free_slots;

static int grow(void) {
  if (chunk_count == MAXIMUM_CHUNKS - 1)
    return 0;
  struct slot *chunk = calloc(CHUNK, sizeof *chunk);
  if (!chunk)
    return 0;
  for (int i = CHUNK - 1; i >= 0; --i) {
    chunk[i].index = chunk_count * CHUNK + i;
    chunk[i].next_free = free_slots;
    free_slots = &chunk[i];
  }
  chunks[chunk_count++] = chunk;
  return 1;
}

struct mpispec_request *mpispec_request_new(enum mpispec_request_kind kind) {
  if (!free_slots && !grow())
    return NULL;
  struct slot *slot = free_slots;
  free_slots = slot->next_free;
  slot->in_use = 1;
  memset(&slot->request, 0, sizeof slot->request);
  slot->request.kind = kind;
  return &slot->request;
}

void mpispec_request_delete(struct mpispec_request *request) {
  struct slot *slot = (struct slot *)request;
  slot->in_use = 0;
  slot->next_free = free_slots;
  free_slots = slot;
}

static int index_of(const struct mpispec_request *request) {
  return ((const struct slot *)request)->index;
}

static struct mpispec_request *at(int handle) {
  const int index = handle & 0xffffff;
  if (handle >> 24 != HANDLE_MARK || index >= chunk_count * CHUNK)
    return NULL;
  struct slot *slot = &chunks[index / CHUNK][index % CHUNK];
  return slot->in_use ? &slot->request : NULL;
}

MPI_Request mpispec_request_handle(const struct mpispec_request *request) {
  return (MPI_Request)(HANDLE_MARK << 24 | index_of(request));
}

struct mpispec_request *mpispec_request_find(MPI_Request handle) { return at((int)handle); }

MPI_Message mpispec_message_handle(const struct mpispec_request *request) {
  return (MPI_Message)(HANDLE_MARK << 24 | index_of(request));
}

struct mpispec_request *mpispec_message_find(MPI_Message handle) { return at((int)handle); }
