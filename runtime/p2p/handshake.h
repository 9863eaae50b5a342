/* The handshake of a long message, and the lists of requests that have one: what both sides of
 * rendezvous.h know. rendezvous.c draws it. */
#ifndef MPISPEC_RUNTIME_HANDSHAKE_H
#define MPISPEC_RUNTIME_HANDSHAKE_H

#include "mpispec/state.h"
#include "p2p/request.h"
#include "progress/tuning.h"
#include "shm/shm.h"

#include <assert.h>
#include <stdatomic.h>

enum mpispec_handshake_state {
  MPISPEC_OPEN,
  MPISPEC_PIPED,
  MPISPEC_FIN = mpispec_fin,
  MPISPEC_FILLING,
  MPISPEC_READING
};
struct mpispec_handshake {
  _Alignas(64) _Atomic uint32_t state;
  int64_t wanted;
  _Atomic int64_t emptied;
  _Alignas(64) _Atomic int64_t filled;
  uint64_t pipe;
  _Atomic uint32_t attended;
};
static_assert(sizeof(struct mpispec_handshake) == 128, "one line for each side");

static inline struct mpispec_handshake *mpispec_handshake_at(int peer, uint64_t offset) {
  return (struct mpispec_handshake *)(mpispec_shm.segments[peer] + offset);
}

/* Where in the pipe the next byte is. */
static inline int64_t mpispec_pipe_place(const struct mpispec_request *request) {
  return request->moved % MPISPEC_PIPE_BYTES;
}

/* A request is in one list at most. */
struct mpispec_request_list {
  struct mpispec_request *first, *last;
};

/* At the end; both count mpispec_rendezvous_under_way. */
void mpispec_request_list_add(struct mpispec_request_list *list, struct mpispec_request *request);
void mpispec_request_list_remove(struct mpispec_request_list *list,
                                 struct mpispec_request *request);

/* The receiving side (pull.c): looks at each message that is being pulled. */
void mpispec_pulls_progress(void);

#endif
