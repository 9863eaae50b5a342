/* What happens when members of a communicator are in different collective operations, which plain
 * MPI libraries answer by hanging, by wrong data or by an error somewhere.
 *
 * Words of cells carry what their writer has called (mpispec/signature.h), so nobody reads what
 * another operation has written: it waits. Whoever waits for long looks around, and finds
 *
 *   - a cell of this step whose word is another one
 *   - a member that waits in this step, too, for another word; or that has left this step and never
 *     showed what is waited for
 *   - a member that has found a mismatch itself
 *
 * Then it says so in its slot, writes down what it has called, gives the others a moment to do the
 * same, and raises an error whose text has all of that, on the communicator. From then on each
 * collective operation on it raises the same error, so whoever comes later is told, and nobody
 * hangs.
 *
 * A rank that only shows (the root of a Bcast) is done before anyone can know. MPI_Finalize looks
 * once more, for two such ranks.
 *
 * Not seen: an operation of ours against one that is the MPI library's (nonblocking forms,
 * operations that the program defines), but for what a freed communicator and MPI_Finalize leave
 * behind. Ranks of different nodes: leaders/leaders_mismatch.h. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_MISMATCH_H
#define MPISPEC_RUNTIME_COLLECTIVE_MISMATCH_H

#include "abi/mpi.h"

#include <stdint.h>

struct mpispec_collective;
struct mpispec_slot_cell;
struct mpispec_text;

/* For a rank that has waited for long: in the step of `word`, for `cell` if that is not null.
 * Returns nonzero if that will never come; collective->error says why then. */
int mpispec_mismatch_look(struct mpispec_collective *collective,
                          const struct mpispec_slot_cell *cell, uint64_t word);

/* The communicator is freed or MPI ends: `kind` is an enum mpispec_collective_kind. Those who still
 * wait for us are to know. */
void mpispec_mismatch_leave(struct mpispec_collective *collective, int kind);

/* Are others in, or have they been in, other operations than we? As far as can be seen now. */
int mpispec_mismatch_check(struct mpispec_collective *collective);

/* For a leader: its node has called `here`, another one `elsewhere`, and both are texts. */
void mpispec_mismatch_between_nodes(struct mpispec_collective *collective, const char *here,
                                    const char *elsewhere);

/* What this rank has called, with the place. */
void mpispec_mismatch_say_call(struct mpispec_text *text,
                               const struct mpispec_collective *collective);

/* MPI ends: tells those who still wait for us on any communicator. Returns an error of the first
 * one whose members were in different operations, and which that is; or 0. With the lock held. */
int mpispec_collectives_leave(MPI_Comm *where);

#endif
