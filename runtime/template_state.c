/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fills the state that templates read. See template_state.h. */
#include "template_state.h"

#include "collective/collective.h"
#include "job/node.h"
#include "mpispec/message.h"
#include "p2p/decoded_exchange.h"
#include "p2p/decoded_recv.h"
#include "p2p/decoded_send.h"
#include "p2p/simple_receive.h"
#include "profile/profile.h"
#include "progress/doorbell.h"
#include "shm/shm.h"

#include <stddef.h>

void mpispec_template_state_open(int is_full, int thread_level) {
  struct mpispec_segment_header *own = mpispec_shm_header(mpispec_node.rank);
  mpispec_state.send_issued = 0;
  mpispec_state.fin = &own->fin;
  own->fin = mpispec_fin; /* no Ssend is under way */
  mpispec_state.fin_at = offsetof(struct mpispec_segment_header, fin);
  mpispec_state.rank = (unsigned)mpispec_node.world_rank;
  mpispec_state.await = mpispec_steps_wait;
  mpispec_state.complete = mpispec_simple_complete;
  mpispec_state.complete_prefix = mpispec_simple_complete_prefix;
  mpispec_state.test = mpispec_simple_test;
  mpispec_state.send[mpispec_standard] = mpispec_send_standard;
  mpispec_state.send[mpispec_buffered] = mpispec_send_buffered;
  mpispec_state.send[mpispec_synchronous] = mpispec_send_synchronous;
  mpispec_state.receive = mpispec_recv_immediate;
  mpispec_state.post = mpispec_recv_post;
  mpispec_state.exchange = mpispec_exchange_now;
  const int may_use = is_full && thread_level != MPI_THREAD_MULTIPLE && !mpispec_profile_is_on &&
                      !mpispec_doorbells_used && !mpispec_node.queries_memory;
  mpispec_templates_admit(may_use ? (unsigned)mpispec_node.world_size : 0);
}
