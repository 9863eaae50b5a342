/* Which order the MPI library combines in: found out by trying it, once for each class of
 * operations that the program makes often enough. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_DISCOVERY_H
#define MPISPEC_RUNTIME_COLLECTIVE_DISCOVERY_H

#include "collective/trial.h"

/* Fills in the order of a reduction that has none of its own accord. Returns 0 if the operation is
 * the library's, or collective->error says why there is none; all ranks get the same answer. The
 * lock is held, and given up if the library is tried. */
int mpispec_order_learn(struct mpispec_collective *collective,
                        const struct mpispec_question *question,
                        struct mpispec_reduction *reduction);

struct mpispec_known_class;

/* When the members have agreed on a slot, on one node: whether all of them have one table
 * (library_orders.h), and what all of them know (known_orders.h), or null. Takes the list. */
void mpispec_orders_agreed(struct mpispec_collective *collective, uint64_t hints, int has_table,
                           struct mpispec_known_class *agreed);

/* When the communicator is freed. */
void mpispec_orders_close(struct mpispec_collective *collective);

#endif
