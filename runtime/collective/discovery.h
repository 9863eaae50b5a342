/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds the order in which the MPI library combines parts, by trials. discovery.c describes which
 * operations of the program cause a trial. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_DISCOVERY_H
#define MPISPEC_RUNTIME_COLLECTIVE_DISCOVERY_H

#include "collective/trial.h"

/* Sets the order of a reduction whose result depends on it. Returns 0 if the MPI library is to
 * execute the operation, or if collective->error is set. All ranks get the same result. Called with
 * the lock held; the function releases it during a trial. */
int mpispec_order_find(struct mpispec_collective *collective,
                       const struct mpispec_question *question,
                       struct mpispec_reduction *reduction);

struct mpispec_known_class;

/* Called when the members of a communicator on one node have agreed on a slot. `has_table`: all of
 * them have the same table (library_orders.h). `agreed`: results that all of them have kept
 * (known_orders.h), or null; the function takes the list. */
void mpispec_orders_agreed(struct mpispec_collective *collective, uint64_t hints, int has_table,
                           struct mpispec_known_class *agreed);

/* Called when the communicator is freed. */
void mpispec_orders_close(struct mpispec_collective *collective);

#endif
