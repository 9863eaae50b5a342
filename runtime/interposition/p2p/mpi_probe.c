/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Probe, MPI_Iprobe, MPI_Mprobe and MPI_Improbe.
 *
 * MPI_Mprobe and MPI_Improbe search the unexpected queue. If the message is not there, they move
 * the lane's messages to this queue, and search it again. MPI_Probe and MPI_Iprobe do the same only
 * if a peek at the lane does not suffice (p2p/peek.h). A matched message belongs to a request of
 * kind MPISPEC_MESSAGE. */
#include "interposition/arguments.h"
#include "interposition/library/next.h"
#include "job/node.h"
#include "job/pmpi.h"
#include "mpispec/machine.h"
#include "p2p/completion.h"
#include "p2p/delivery.h"
#include "p2p/ended_peers.h"
#include "p2p/network.h"
#include "p2p/peek.h"
#include "p2p/queues.h"
#include "p2p/receiver.h"
#include "p2p/request.h"
#include "p2p/request_wait.h"
#include "profile/profile.h"
#include "progress/lock.h"
#include "progress/parking.h"
#include "progress/progress.h"
#include "shm/liveness.h"
#include "shm/shm.h"

/* The arguments and the result of a probe. The result is a message of the runtime, a matched
 * message of the library, or only a status. */
struct probe {
  struct mpispec_call call;
  struct mpispec_receive pattern;
  int peer;  /* or MPISPEC_ANY_PEER */
  int takes; /* MPI_Mprobe or MPI_Improbe */
  int at;    /* the peer whose lane has the message at its head, or less than 0 */
  struct mpispec_message *message;
  MPI_Message library_message;
  MPI_Status library_status;
  int found;
};

static void visit_lanes(int from, void (*visit)(int peer)) {
  if (from != MPISPEC_ANY_PEER) {
    visit(from);
    return;
  }
  for (int peer = 0; peer < mpispec_node.size; ++peer)
    if (mpispec_shm_is_active(peer))
      visit(peer);
}

static void drain(int peer) { mpispec_receive_drain(peer, 1); }

/* If a link (shm/lane.h) is at the head of a lane, a peek does not find the message behind it. */
static void follow_link(int peer) { mpispec_lane_peek(&mpispec_shm.incoming[peer]); }

static struct mpispec_message *search(const struct probe *probe) {
  return (probe->takes ? mpispec_matching_take
                       : mpispec_matching_find)(&mpispec_queues, probe->peer, &probe->pattern);
}

/* Searches the lanes. Messages leave a lane only for MPI_Mprobe and MPI_Improbe, or if a peek does
 * not suffice. A peek does not suffice if, for example, another message or a posted receive comes
 * first. */
static void look_in_lanes(struct probe *probe) {
  const struct mpispec_wanted wanted =
      mpispec_wanted_on(probe->call.communicator->route.key, probe->call.tag);
  struct mpispec_reader *reader;
  probe->at = probe->takes ? mpispec_head_unsure : mpispec_peek(probe->peer, wanted, &reader);
  if (probe->at == mpispec_head_unsure && !probe->takes) {
    visit_lanes(probe->peer, follow_link);
    probe->at = mpispec_peek(probe->peer, wanted, &reader);
  }
  probe->found = probe->at >= 0;
  if (probe->found)
    mpispec_probe_fill_status(probe->at, wanted, &probe->library_status);
  if (probe->at != mpispec_head_unsure)
    return;
  probe->message = search(probe);
  if (!probe->message) {
    visit_lanes(probe->peer, drain);
    probe->message = search(probe);
  }
  probe->found = probe->message != NULL;
}

/* Searches the network. A probe must not find a message that a listed receive matches
 * (network.h). */
static void look_in_network(struct probe *probe) {
  const struct mpispec_call *call = &probe->call;
  MPI_Status *status = &probe->library_status;
  if (probe->takes) {
    mpispec_network_probe(call->communicator, call->peer, call->tag, &probe->found,
                          &probe->library_message, status);
    return;
  }
  mpispec_network_progress();
  mpispec_pmpi.Iprobe(call->peer, call->tag, call->communicator->handle, &probe->found, status);
  if (probe->found &&
      mpispec_network_overlaps_listed(call->communicator, status->MPI_SOURCE, status->MPI_TAG))
    probe->found = 0; /* progress gives it to the receive */
}

static int concerns_network(const struct probe *probe, enum mpispec_path path) {
  return path == MPISPEC_NETWORK ||
         (probe->call.peer == MPI_ANY_SOURCE && probe->call.communicator->spans_nodes);
}

static int test_once(struct probe *probe, enum mpispec_path path) {
  probe->found = 0;
  if (path == MPISPEC_LANE && !mpispec_network_is_first(&probe->call))
    look_in_lanes(probe);
  if (!probe->found && concerns_network(probe, path))
    look_in_network(probe);
  return probe->found;
}

static void set_status(const struct probe *probe, MPI_Status *status) {
  if (status == MPI_STATUS_IGNORE)
    return;
  const int error = status->MPI_ERROR; /* a probe does not change this field */
  if (probe->message)
    mpispec_status_set(
        status,
        mpispec_receive_source(probe->message->key, probe->message->header, probe->message->peer),
        mpispec_key_tag(probe->message->key),
        mpispec_message_length(probe->message->header, probe->message->word), 0);
  else
    *status = probe->library_status;
  status->MPI_ERROR = error;
}

static MPI_Message message_of(const struct probe *probe) {
  if (!probe->message)
    return probe->library_message;
  struct mpispec_request *holder = mpispec_request_begin(MPISPEC_MESSAGE, &probe->call, 0);
  holder->message = probe->message;
  ++mpispec_messages_held;
  return mpispec_message_handle(holder);
}

/* Probes by a peek at the lanes, if the communicator is on one node and calls take no lock. Most
 * probes need no more. Returns 0 if the peek is not enough, and then has changed nothing. */
static inline __attribute__((always_inline)) int
probe_at_once(int peer, int tag, MPI_Comm communicator, int *flag, MPI_Status *status) {
  const struct mpispec_communicator *known = mpispec_arguments_wild(peer, tag, communicator);
  if (!known)
    return 0;
  const struct mpispec_wanted wanted = mpispec_wanted_on(known->route.key, tag);
  struct mpispec_reader *reader;
  const int found = mpispec_peek(mpispec_receive_peer(known, peer), wanted, &reader);
  if (found == mpispec_head_unsure)
    return 0;
  *flag = found >= 0;
  if (!*flag)
    mpispec_progress_note_empty_poll();
  else if (status != MPI_STATUS_IGNORE)
    mpispec_probe_fill_status(found, wanted, status);
  return 1;
}

/* Nonzero if the processes of all ranks that can send the awaited message have ended. */
static int is_in_vain(const struct probe *probe, enum mpispec_path path, unsigned round,
                      struct mpispec_vigil *vigil) {
  if (!mpispec_vigil_is_due_in(vigil, round) || path != MPISPEC_LANE)
    return 0;
  return probe->peer == MPISPEC_ANY_PEER ? mpispec_others_have_ended(probe->call.communicator)
                                         : mpispec_peer_has_ended(probe->peer);
}

/* A parked thread (progress/parking.h) polls the heads of its lanes itself. Another thread that
 * drains a lane may move the awaited message to the unexpected queue, which is_over_for_parked
 * searches. */
static int has_head(const void *what) {
  const struct probe *probe = what;
  return mpispec_receive_has_head(probe->peer);
}

static int is_over_for_parked(const void *what) {
  const struct probe *probe = what;
  return mpispec_matching_find(&mpispec_queues, probe->peer, &probe->pattern) ||
         (probe->peer != MPISPEC_ANY_PEER && has_head(probe));
}

/* Executes the four probes. Returns 0 if the library must execute the call. If `wait` is nonzero,
 * waits until a message is found, or the peer has ended. */
static int probe(int peer, int tag, MPI_Comm communicator, int wait, int *flag,
                 MPI_Message *message, MPI_Status *status) {
  struct probe probe = {.takes = message != NULL, .at = mpispec_head_empty};
  if (!mpispec_status_is_there(status))
    return 0; /* the library reports the error */
  mpispec_lock();
  const enum mpispec_path path =
      mpispec_arguments_envelope(&probe.call, peer, tag, communicator, 1);
  if (path == MPISPEC_LIBRARY) {
    mpispec_unlock();
    return 0;
  }
  probe.call.contiguous = 1;
  if (path == MPISPEC_LANE) {
    probe.pattern = mpispec_receive_pattern(probe.call.communicator, tag);
    probe.peer = mpispec_receive_peer(probe.call.communicator, peer);
  }
  const unsigned polls = concerns_network(&probe, path) ? MPISPEC_LIBRARY_POLLS : 1;
  struct mpispec_awaited awaited = {
      .is_over = is_over_for_parked, .has_news = has_head, .what = &probe};
  struct mpispec_vigil vigil = {0};
  int in_vain = 0;
  for (unsigned round = 0; !test_once(&probe, path) && !in_vain && (wait || round + 1 < polls);
       ++round) {
    mpispec_progress();
    if (wait && !concerns_network(&probe, path))
      mpispec_wait_or_park(round, &awaited);
    else
      mpispec_wait_backoff(round);
    in_vain = wait && is_in_vain(&probe, path, round, &vigil);
  }
  *flag = probe.found;
  if (probe.found) {
    set_status(&probe, status);
    if (message)
      *message = message_of(&probe);
  } else {
    mpispec_progress_note_empty_poll();
  }
  mpispec_unlock();
  return 1;
}

/* The result of a probe that has waited. */
static int waited(int found, MPI_Comm communicator) {
  return found ? MPI_SUCCESS : mpispec_raise(communicator, MPI_ERR_PROC_ABORTED);
}

static __attribute__((noinline)) int long_Probe(int peer, int tag, MPI_Comm communicator,
                                                MPI_Status *status) {
  int flag;
  MPISPEC_PROFILED(Probe, peer, tag, communicator, status);
  if (probe(peer, tag, communicator, 1, &flag, NULL, status))
    return waited(flag, communicator);
  return MPISPEC_IN_LIBRARY(mpispec_next.Probe(peer, tag, communicator, status));
}

static __attribute__((noinline)) int long_Iprobe(int peer, int tag, MPI_Comm communicator,
                                                 int *flag, MPI_Status *status) {
  MPISPEC_GATE(Iprobe, peer, tag, communicator, flag, status);
  if (flag && probe(peer, tag, communicator, 0, flag, NULL, status))
    return MPI_SUCCESS;
  mpispec_lock();
  mpispec_progress();
  mpispec_foreign_test_begin();
  mpispec_unlock();
  return MPISPEC_AGAIN(flag, mpispec_next.Iprobe(peer, tag, communicator, flag, status));
}

/* The fast path of a probe that finds nothing. The arguments must be decoded before the state is
 * read. Decoding fails in a process whose calls take the lock, where another thread may change the
 * state. */
static inline __attribute__((always_inline)) int is_nothing(int peer, int tag,
                                                            MPI_Comm communicator) {
  if (!mpispec_arguments_wild(peer, tag, communicator) || !mpispec_state.empty_poll_budget ||
      !mpispec_state.heads.open || !mpispec_heads_are_empty())
    return 0;
  --mpispec_state.empty_poll_budget;
  return 1;
}

static __attribute__((noinline)) int other_Iprobe(int peer, int tag, MPI_Comm communicator,
                                                  int *flag, MPI_Status *status) {
  if (flag && mpispec_status_is_there(status) &&
      probe_at_once(peer, tag, communicator, flag, status))
    return MPI_SUCCESS;
  MPISPEC_JUMP long_Iprobe(peer, tag, communicator, flag, status);
}

/* A peek in a process whose calls acquire the lock. Returns 0 if the lock is not biased to this
 * thread, if the peek is not sure, or if progress is due, which may release the lock. */
static inline __attribute__((always_inline)) int
probe_biased(int peer, int tag, MPI_Comm communicator, int *flag, MPI_Status *status) {
  if (!flag || !mpispec_status_is_there(status) || !mpispec_lock_enter())
    return 0;
  const struct mpispec_communicator *known =
      mpispec_arguments_wild_on(mpispec_communicator_if_last(communicator), peer, tag);
  int found = mpispec_head_unsure;
  if (known && mpispec_state.empty_poll_budget) {
    const struct mpispec_wanted wanted = mpispec_wanted_on(known->route.key, tag);
    struct mpispec_reader *reader;
    found = mpispec_peek(mpispec_receive_peer(known, peer), wanted, &reader);
    if (found >= 0 && status != MPI_STATUS_IGNORE)
      mpispec_probe_fill_status(found, wanted, status);
    *flag = found >= 0;
    mpispec_state.empty_poll_budget -= found == mpispec_head_empty;
  }
  mpispec_biased_lock_leave();
  return found != mpispec_head_unsure;
}

int MPI_Probe(int peer, int tag, MPI_Comm communicator, MPI_Status *status) {
  int flag;
  if (__builtin_expect(mpispec_fast_path_disabled, 0)
          ? probe_biased(peer, tag, communicator, &flag, status) && flag
          : mpispec_status_is_there(status) &&
                probe_at_once(peer, tag, communicator, &flag, status) && flag)
    return MPI_SUCCESS;
  MPISPEC_JUMP long_Probe(peer, tag, communicator, status);
}

/* The gate of a profile (MPISPEC_PROFILED) is in a function of its own. If the gate were in
 * other_Iprobe, each call of other_Iprobe would save registers before the gate. */
static __attribute__((noinline)) int biased_Iprobe(int peer, int tag, MPI_Comm communicator,
                                                   int *flag, MPI_Status *status) {
  MPISPEC_PROFILED(Iprobe, peer, tag, communicator, flag, status);
  if (probe_biased(peer, tag, communicator, flag, status))
    return MPI_SUCCESS;
  MPISPEC_JUMP long_Iprobe(peer, tag, communicator, flag, status);
}

int MPI_Iprobe(int peer, int tag, MPI_Comm communicator, int *flag, MPI_Status *status) {
  if (flag && mpispec_status_is_there(status) && is_nothing(peer, tag, communicator)) {
    *flag = 0;
    return MPI_SUCCESS;
  }
  if (__builtin_expect(mpispec_fast_path_disabled, 0))
    MPISPEC_JUMP biased_Iprobe(peer, tag, communicator, flag, status);
  MPISPEC_JUMP other_Iprobe(peer, tag, communicator, flag, status);
}

int MPI_Mprobe(int peer, int tag, MPI_Comm communicator, MPI_Message *message, MPI_Status *status) {
  int flag;
  MPISPEC_PROFILED(Mprobe, peer, tag, communicator, message, status);
  if (message && probe(peer, tag, communicator, 1, &flag, message, status))
    return waited(flag, communicator);
  return MPISPEC_IN_LIBRARY(mpispec_next.Mprobe(peer, tag, communicator, message, status));
}

int MPI_Improbe(int peer, int tag, MPI_Comm communicator, int *flag, MPI_Message *message,
                MPI_Status *status) {
  MPISPEC_GATE(Improbe, peer, tag, communicator, flag, message, status);
  if (flag && message && probe(peer, tag, communicator, 0, flag, message, status))
    return MPI_SUCCESS;
  mpispec_lock();
  mpispec_progress();
  mpispec_foreign_test_begin();
  mpispec_unlock();
  return MPISPEC_AGAIN(flag, mpispec_next.Improbe(peer, tag, communicator, flag, message, status));
}
