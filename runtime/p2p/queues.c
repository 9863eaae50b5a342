/* See queues.h. A template may take a message out of its lane if there is nothing that comes
 * before: so all lanes are shut to templates while a receive from any source waits. */
#include "p2p/queues.h"

#include "mpispec/state.h"
#include "shm/shm.h"

struct mpispec_matching mpispec_queues;

static void shut_all(int any_waits) {
  mpispec_state.receive_size = any_waits ? 0 : mpispec_state.fast_size;
}

static struct mpispec_reader *reader_of(int peer) { return &mpispec_shm.incoming[peer].end; }

int mpispec_queues_open(int peers) {
  return mpispec_matching_open(&mpispec_queues, peers, reader_of, shut_all);
}

void mpispec_queues_close(void) { mpispec_matching_close(&mpispec_queues); }

void mpispec_templates_admit(unsigned world_size) {
  const int is_open = mpispec_queues.peers && !mpispec_matching_awaits_any(&mpispec_queues);
  mpispec_state.fast_size = world_size;
  mpispec_state.receive_size = is_open ? world_size : 0;
}

void mpispec_templates_pause(int is_away) {
  static unsigned admitted;
  if (is_away)
    admitted = mpispec_state.fast_size;
  mpispec_templates_admit(is_away ? 0 : admitted);
}
