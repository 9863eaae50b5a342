/* Waiting within a step. What a rank does meanwhile is what every waiting call does: progress for
 * everything that is under way, in the lanes and in the MPI library. */
#include "collective/collective.h"

#include "transfer.h"

enum {
  LOOKS = 128,             /* before anything else is thought of, */
  FEW_LOOKS = 8,           /* the same where another rank may need the core, */
  EARLY_ROUND = 1 << 9,    /* rounds of mpispec_progress_relax below this keep the core, */
  LATE_ROUND = 1 << 16,    /* and those from here on yield it */
  PATIENT_LOOKS = 1 << 12, /* for which a rank keeps it that has a core to itself */
};

static unsigned round_of(const struct mpispec_collective *collective, unsigned look) {
  return collective->crowded || look > PATIENT_LOOKS ? LATE_ROUND + look : look % EARLY_ROUND;
}

void mpispec_step_wait(const struct mpispec_collective *collective,
                       const struct mpispec_slot_cell *cell) {
  const int looks = collective->crowded ? FEW_LOOKS : LOOKS;
  for (int look = 0; look < looks; ++look) {
    __builtin_ia32_pause();
    if (mpispec_steps_are_shown(&collective->steps, cell))
      return;
  }
  for (unsigned look = 0; !mpispec_steps_are_shown(&collective->steps, cell); ++look) {
    mpispec_progress();
    mpispec_progress_relax(round_of(collective, look));
  }
}

/* The same for a template, which knows the steps alone. */
void mpispec_steps_wait(const struct mpispec_steps *steps, const struct mpispec_slot_cell *cell) {
  mpispec_step_wait((const struct mpispec_collective *)steps, cell);
}

/* The first step that some member may not have left. */
static uint64_t look_for_room(const struct mpispec_collective *collective) {
  uint64_t least = collective->steps.step;
  for (int i = 0; i < collective->steps.members; ++i) {
    if (i == collective->steps.self)
      continue;
    const uint64_t left = mpispec_slot_told_left(collective->steps.slots[i]);
    least = left < least ? left : least;
  }
  return least;
}

void mpispec_step_make_room(struct mpispec_collective *collective, uint64_t places) {
  collective->steps.left = look_for_room(collective);
  for (unsigned look = 0; collective->steps.step - collective->steps.left >= places; ++look) {
    mpispec_progress();
    mpispec_progress_relax(round_of(collective, look));
    collective->steps.left = look_for_room(collective);
  }
}
