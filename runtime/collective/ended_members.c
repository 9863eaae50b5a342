/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See ended_members.h. */
#include "collective/ended_members.h"

#include "abi/mpi.h"
#include "collective/collective.h"

void mpispec_members_fail(struct mpispec_collective *collective) {
  if (collective->error)
    return;
  const uint64_t word = mpispec_steps_word(&collective->steps, 0);
  __atomic_store_n(&collective->steps.own->mismatch, word, __ATOMIC_RELEASE);
  mpispec_collective_fail(collective, MPI_ERR_PROC_ABORTED);
}

int mpispec_members_check(struct mpispec_collective *collective, const void *word,
                          struct mpispec_vigil *vigil) {
  const int member = mpispec_collective_owner(collective, word);
  if (!mpispec_vigil_is_due(vigil) || member < 0 ||
      !mpispec_peer_has_ended(collective->peers[member]))
    return 0;
  mpispec_members_fail(collective);
  return 1;
}

int mpispec_members_have_ended(struct mpispec_collective *collective) {
  int any = 0;
  for (int i = 0; i < collective->steps.members; ++i)
    any |= mpispec_peer_has_ended_now(collective->peers[i]);
  if (any)
    mpispec_members_fail(collective);
  return any;
}
