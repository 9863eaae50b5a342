/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Detects members of a communicator that are in different collective operations. An MPI library
 * alone would hang, give wrong data, or raise an error somewhere.
 *
 * The word of a cell contains the operations that its writer has called (mpispec/signature.h).
 * Therefore no rank reads data of another operation: it waits for the word. A rank that waits for a
 * long time searches all slots for one of these signs:
 *
 *   - a member that has shown or awaits another word than this rank in the same step
 *   - a member that has left this step without showing the awaited cell
 *   - a member that has found a mismatch itself
 *
 * If the rank finds one, it flags the mismatch in its slot and writes a note of its own call there.
 * It waits for the notes of the others (MPISPEC_NOTES_TIMEOUT). Then it raises an error on the
 * communicator, with the calls of all members in its text. Each further collective operation on the
 * communicator raises the same error. Therefore members that arrive later get the error, and no
 * member hangs.
 *
 * A rank that only shows data (the root of a Bcast) may leave before a mismatch can be found.
 * MPI_Finalize searches once more, for the case of two such ranks.
 *
 * Operations that the MPI library executes (nonblocking ones, user-defined reductions) leave no
 * words. A mismatch with one of them is found only when a communicator is freed, or in
 * MPI_Finalize. leaders/leaders_mismatch.h detects mismatches between nodes. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_MISMATCH_H
#define MPISPEC_RUNTIME_COLLECTIVE_MISMATCH_H

#include "abi/mpi.h"

#include <stdint.h>

struct mpispec_collective;
struct mpispec_slot_cell;
struct mpispec_text;

/* Called by a rank that has waited for a long time in the step of `word`, for `cell` unless it is
 * null. Returns nonzero, with collective->error set, if the wait would never end. */
int mpispec_mismatch_poll(struct mpispec_collective *collective,
                          const struct mpispec_slot_cell *cell, uint64_t word);

/* Called when the communicator is freed or MPI ends (`kind`, an enum mpispec_collective_kind). The
 * function publishes this call, for members that still wait for this rank. */
void mpispec_mismatch_leave(struct mpispec_collective *collective, int kind);

/* Searches all slots for members that are or were in other operations than this rank. Returns an
 * error code, or 0 if no slot shows a mismatch. */
int mpispec_mismatch_check(struct mpispec_collective *collective);

/* Called by a leader: raises the error on its node. `here` is the call of this node, `elsewhere`
 * the call of another node, both as text. */
void mpispec_mismatch_between_nodes(struct mpispec_collective *collective, const char *here,
                                    const char *elsewhere);

/* Appends this rank's current call and its place in the program. */
void mpispec_mismatch_append_call(struct mpispec_text *text,
                                  const struct mpispec_collective *collective);

/* Called in MPI_Finalize, with the lock held. Publishes the end on all communicators, for members
 * that still wait. Returns the error of the first communicator whose members were in different
 * operations, and sets `*where` to it; or returns 0. */
int mpispec_collectives_leave(MPI_Comm *where);

#endif
