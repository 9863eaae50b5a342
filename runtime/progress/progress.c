/* Everything once round: lanes that somebody listens to, offers and pipes, other nodes. */
#include "job/launcher.h"
#include "job/patience.h"
#include "p2p/completion.h"
#include "p2p/transfer.h"
#include "progress/lock.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
  SPINS = 1 << 9,      /* looks before a waiting call yields its core, */
  FEW_LOOKS = 1 << 5,  /* the same where ranks outnumber cores, */
  POKE_EVERY = 1 << 8, /* looks between two visits of the MPI library, if none takes long */
  PASSES = 1 << 2,     /* the same for calls that found at once what they wanted, */
  POKE_PAUSE = 1 << 16 /* and clock ticks between two such visits, some 20 us */
};

static void drain_lanes(void) {
  const struct mpispec_matching *matching = &mpispec_node.matching;
  if (!matching->posted_count)
    return;
  struct mpispec_segment_header *own = mpispec_node_header(mpispec_node.rank);
  for (int word = 0; word * 64 < mpispec_node.size; ++word) {
    uint64_t talkers = atomic_load_explicit(&own->talkers[word], memory_order_relaxed);
    for (; talkers; talkers &= talkers - 1) {
      const int peer = word * 64 + __builtin_ctzll(talkers);
      if (mpispec_matching_listens(matching, peer))
        mpispec_receive_drain(peer, 0);
    }
  }
}

void mpispec_progress_lanes(void) {
  drain_lanes();
  if (!mpispec_long_is_idle())
    mpispec_long_progress();
}

void mpispec_progress(void) {
  mpispec_progress_lanes();
  if (!mpispec_network_is_idle())
    mpispec_network_progress();
  mpispec_requests_reap();
}

int mpispec_progress_is_needed(void) {
  return mpispec_lock_is_shared() || mpispec_node.matching.posted_count ||
         !mpispec_long_is_idle() || !mpispec_network_is_idle();
}

/* A receive that never ends, on a communicator of its own: to test it makes the library look after
 * everything that is under way there. (MPI_Iprobe on MPI_COMM_SELF does not, in MPICH.) */
static MPI_Comm own = MPI_COMM_NULL;
static MPI_Request endless = MPI_REQUEST_NULL;

/* Not so many where a rank that looks keeps another from its core. */
static unsigned looks = SPINS;

void mpispec_progress_open(void) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  looks = mpispec_node.size > cores || mpispec_launcher_ranks_here() > cores ? FEW_LOOKS : SPINS;
  PMPI_Comm_dup(MPI_COMM_SELF, &own);
  PMPI_Irecv(NULL, 0, MPI_BYTE, 0, 0, own, &endless);
}

void mpispec_progress_close(void) {
  PMPI_Cancel(&endless);
  PMPI_Wait(&endless, MPI_STATUS_IGNORE);
  PMPI_Comm_free(&own);
}

static unsigned long long poked_at;

static void poke_library(void) {
  int done;
  poked_at = __builtin_ia32_rdtsc();
  if (endless != MPI_REQUEST_NULL)
    PMPI_Test(&endless, &done, MPI_STATUS_IGNORE);
}

static int poke_is_due(void) { return __builtin_ia32_rdtsc() - poked_at > POKE_PAUSE; }

/* What a call that waits does now and then: also, memory goes back that a flood has left. */
static void look_around(void) {
  poke_library();
  mpispec_arena_trim(&mpispec_node.arena);
}

int mpispec_progress_is_crowded(void) { return looks == FEW_LOOKS; }

unsigned mpispec_progress_looks(void) { return looks; }

/* Nobody keeps the lock who gives the core away. */
static void yield(void) {
  if (mpispec_lock_is_shared())
    mpispec_lock_release();
  mpispec_patient_yield();
  if (mpispec_lock_is_shared())
    mpispec_lock_acquire();
}

/* A look that yields may take as long as the system likes. */
void mpispec_progress_relax(unsigned round) {
  if (round % POKE_EVERY == POKE_EVERY - 1 || (round > looks && poke_is_due()))
    look_around();
  if (round > looks) {
    yield();
  } else if (mpispec_lock_is_shared()) {
    mpispec_lock_release();
    mpispec_lock_acquire();
  } else {
    __builtin_ia32_pause();
  }
}

/* A loop around MPI_Test is a waiting call written out. */
void mpispec_progress_idle(void) {
  static unsigned calls;
  if (++calls % POKE_EVERY)
    return;
  look_around();
  yield();
}

void mpispec_progress_in_passing(void) {
  static unsigned passes;
  if (mpispec_progress_is_needed())
    mpispec_progress();
  if (++passes % PASSES == 0 && poke_is_due())
    poke_library();
}

void *mpispec_must_have(void *memory) {
  if (memory)
    return memory;
  fprintf(stderr, "mpispec: out of memory\n");
  abort();
}
