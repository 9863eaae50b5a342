/* Waiting within a step. What a rank does meanwhile is what every waiting call does: progress for
 * everything that is under way, in the lanes and in the MPI library. */
#include "collective/collective.h"

#include "transfer.h"

enum {
  LOOKS = 128,            /* before anything else is thought of */
  YIELD_AT_ONCE = 1 << 16 /* a round of mpispec_progress_relax that yields the core */
};

static unsigned first_round(const struct mpispec_collective *collective) {
  return collective->crowded ? YIELD_AT_ONCE : 0;
}

void mpispec_step_wait(const struct mpispec_collective *collective,
                       const struct mpispec_slot_cell *cell) {
  for (int look = 0; look < LOOKS; ++look) {
    __builtin_ia32_pause();
    if (mpispec_step_is_shown(collective, cell))
      return;
  }
  for (unsigned round = first_round(collective); !mpispec_step_is_shown(collective, cell);
       ++round) {
    mpispec_progress();
    mpispec_progress_relax(round);
  }
}

/* The first step that some member may not have left. */
static uint64_t look_for_room(const struct mpispec_collective *collective) {
  uint64_t least = collective->step;
  for (int i = 0; i < collective->members; ++i) {
    if (i == collective->self)
      continue;
    /* Pair E, acquire: what they read comes before what we write. */
    const uint64_t left = atomic_load_explicit(&collective->slots[i]->left, memory_order_acquire);
    least = left < least ? left : least;
  }
  return least;
}

void mpispec_step_make_room(struct mpispec_collective *collective, uint64_t places) {
  collective->left = look_for_room(collective);
  for (unsigned round = first_round(collective); collective->step - collective->left >= places;
       ++round) {
    mpispec_progress();
    mpispec_progress_relax(round);
    collective->left = look_for_room(collective);
  }
}
