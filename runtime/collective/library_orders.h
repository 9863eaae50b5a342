/* Orders that are known of MPI libraries before any trial: the algorithms that their sources choose
 * if no setting of the user chooses.
 *
 * They are expectations. No sum is combined in such an order before a trial has confirmed it on the
 * members of the communicator (discovery.c). Only libraries are listed whose choice depends on
 * operation, size of the communicator, count and bytes alone, on one node. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_LIBRARY_ORDERS_H
#define MPISPEC_RUNTIME_COLLECTIVE_LIBRARY_ORDERS_H

#include "collective/known_orders.h"

/* A number for the table of the library at hand; 0: there is none, or settings of the user may
 * contradict it. Members with different numbers must not use their tables. */
uint64_t mpispec_library_orders_table(void);

/* A digest of the variables by which a user may have chosen algorithms or thresholds; 0: none. */
uint64_t mpispec_library_orders_settings(void);

/* Fills in the expected orders of one class in a communicator of `size` ranks, all on one node.
 * `bytes` is the size of an element. Octaves that are known or expected already stay as they are.
 */
void mpispec_library_orders_expect(int size, const struct mpispec_known_key *key, int64_t bytes,
                                   struct mpispec_octave octaves[MPISPEC_OCTAVES]);

#endif
