/* Glances at the heads of lanes. See glance.h. */
#include "p2p/glance.h"

#include "job/node.h"
#include "mpispec/receive.h"
#include "p2p/completion.h"
#include "p2p/plain.h"
#include "p2p/queues.h"
#include "p2p/receiver.h"
#include "progress/progress.h"
#include "shm/shm.h"

#include <string.h>

/* One lane: its peer, if the next message fits, or what else the glance shows. */
static inline int glance_at(int peer, struct mpispec_wanted wanted) {
  const struct mpispec_reader *reader = mpispec_queues.readers[peer];
  const uint64_t key = mpispec_cell_look(reader->next) ^ reader->lap;
  if (key > MPISPEC_KEY_MASK)
    return MPISPEC_NOTHING_NEW; /* another lap */
  const int fits = key > UINT32_MAX && reader->limit && !((key ^ wanted.key) & wanted.mask);
  return fits ? peer : MPISPEC_UNSURE;
}

/* From 64 peers, those in the set, beginning with the one at `begin` and round to it. */
static inline __attribute__((always_inline)) int
glance_at_set(int first, uint64_t set, unsigned begin, struct mpispec_wanted wanted) {
  int shown = MPISPEC_NOTHING_NEW;
  for (set = set >> begin | set << (-begin & 63); set; set &= set - 1) {
    const int seen = glance_at(first + (int)((unsigned)__builtin_ctzll(set) + begin) % 64, wanted);
    if (seen >= 0) {
      mpispec_queues.next_peer = seen + 1;
      return seen;
    }
    shown = seen < shown ? seen : shown;
  }
  return shown;
}

static __attribute__((noinline)) int glance_at_many(const _Atomic uint64_t *talkers,
                                                    struct mpispec_wanted wanted) {
  const int words = (mpispec_node.size + 63) / 64;
  int shown = MPISPEC_NOTHING_NEW, word = mpispec_queues.next_peer / 64 % words;
  for (int n = 0; n < words; ++n, word = (word + 1) % words) {
    const unsigned begin = n ? 0 : (unsigned)mpispec_queues.next_peer % 64;
    const uint64_t set = atomic_load_explicit(&talkers[word], memory_order_relaxed);
    const int seen = glance_at_set(word * 64, set, begin, wanted);
    if (seen >= 0)
      return seen;
    shown = seen < shown ? seen : shown;
  }
  return shown;
}

/* Begins behind the peer found last. */
static inline __attribute__((always_inline)) int glance_at_all(struct mpispec_wanted wanted) {
  const _Atomic uint64_t *talkers = mpispec_shm_header(mpispec_node.rank)->talkers;
  if (mpispec_node.size > 64)
    return glance_at_many(talkers, wanted);
  return glance_at_set(0, atomic_load_explicit(talkers, memory_order_relaxed),
                       (unsigned)mpispec_queues.next_peer % 64, wanted);
}

static inline __attribute__((always_inline)) int glance(int peer, struct mpispec_wanted wanted) {
  if (mpispec_matching_awaits_any(&mpispec_queues) || mpispec_queues.unexpected_count)
    return MPISPEC_UNSURE;
  return peer == MPISPEC_ANY_PEER ? glance_at_all(wanted) : glance_at(peer, wanted);
}

int mpispec_glance_receive(int peer, struct mpispec_wanted wanted, void *buffer, int64_t room,
                           struct mpispec_status *status) {
  peer = glance(peer, wanted);
  if (peer < 0)
    return 0;
  struct mpispec_reader *reader = mpispec_queues.readers[peer];
  struct mpispec_cell *cell = reader->next;
  const uint64_t key = cell->envelope ^ reader->lap, header = cell->header;
  const unsigned length = (unsigned)header; /* of another kind: far too long */
  if (length > mpispec_cell_payload || length > room)
    return 0;
  if (cell >= reader->end && mpispec_receive_tend(reader) == 0)
    return 0;
  mpispec_receive_copy(buffer, cell->payload, length);
  reader->next = cell + 1;
  if (status)
    mpispec_status_fill(status, mpispec_receive_source(key, header, peer), mpispec_key_tag(key),
                        length);
  return 1;
}

int mpispec_glance_probe(int peer, struct mpispec_wanted wanted, MPI_Status *status) {
  peer = glance(peer, wanted);
  if (peer < 0 || status == MPI_STATUS_IGNORE)
    return peer;
  const struct mpispec_reader *reader = mpispec_queues.readers[peer];
  const struct mpispec_cell *cell = reader->next;
  const uint64_t key = cell->envelope ^ reader->lap;
  uint64_t words[3];
  memcpy(words, cell->payload, sizeof words);
  mpispec_status_set(status, mpispec_receive_source(key, cell->header, peer), mpispec_key_tag(key),
                     mpispec_message_length(cell->header, words), 0);
  return peer;
}
