/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* argument_cache.c - see argument_cache.h. This is a table with one place for each hash. The
 * paper's text was not available. Therefore the organisation is the simplest with a cheap hit. */
#define ARGUMENT_CACHE_ITSELF
#include "argument_cache.h"
#include <stdint.h>

enum { PLACES = 256 };

struct arguments {
  const void *buffer;
  MPI_Datatype datatype;
  MPI_Comm comm;
  int count, peer, tag, receives;
};

static struct place {
  struct arguments arguments;
  MPI_Request request;
  int used;
} places[PLACES];

static int same(const struct arguments *a, const struct arguments *b) {
  return a->buffer == b->buffer && a->count == b->count && a->tag == b->tag && a->peer == b->peer &&
         a->datatype == b->datatype && a->comm == b->comm && a->receives == b->receives;
}

static struct place *place_of(const struct arguments *a) {
  uint64_t hash = (uint64_t)(uintptr_t)a->buffer >> 3;
  hash = hash * 31 + (uint64_t)a->count;
  hash = hash * 31 + (uint64_t)a->peer;
  hash = hash * 31 + (uint64_t)a->tag;
  hash = hash * 31 + (uint64_t)(uintptr_t)a->datatype;
  hash = hash * 31 + (uint64_t)(uintptr_t)a->comm * 2 + (uint64_t)a->receives;
  return &places[(hash * 0x9e3779b97f4a7c15u) >> 56];
}

/* The persistent request for these arguments. A failure is reported by MPI's error handler. */
static MPI_Request *request_for(const struct arguments *a) {
  struct place *place = place_of(a);
  if (place->used && same(&place->arguments, a))
    return &place->request;
  if (place->used)
    MPI_Request_free(&place->request);
  if (a->receives)
    MPI_Recv_init((void *)(uintptr_t)a->buffer, a->count, a->datatype, a->peer, a->tag, a->comm,
                  &place->request);
  else
    MPI_Send_init(a->buffer, a->count, a->datatype, a->peer, a->tag, a->comm, &place->request);
  place->arguments = *a;
  place->used = 1;
  return &place->request;
}

int argument_cache_send(const void *buffer, int count, MPI_Datatype datatype, int peer, int tag,
                        MPI_Comm comm) {
  MPI_Request *request =
      request_for(&(struct arguments){buffer, datatype, comm, count, peer, tag, 0});
  MPI_Start(request);
  return MPI_Wait(request, MPI_STATUS_IGNORE);
}

int argument_cache_recv(void *buffer, int count, MPI_Datatype datatype, int peer, int tag,
                        MPI_Comm comm, MPI_Status *status) {
  MPI_Request *request =
      request_for(&(struct arguments){buffer, datatype, comm, count, peer, tag, 1});
  MPI_Start(request);
  return MPI_Wait(request, status);
}

static void clear(void) {
  for (struct place *place = places; place < places + PLACES; ++place)
    if (place->used) {
      MPI_Request_free(&place->request);
      place->used = 0;
    }
}

int argument_cache_type_free(MPI_Datatype *datatype) {
  clear();
  return MPI_Type_free(datatype);
}

int argument_cache_comm_free(MPI_Comm *comm) {
  clear();
  return MPI_Comm_free(comm);
}

int argument_cache_finalize(void) {
  clear();
  return MPI_Finalize();
}
