/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The orders that are expected of an MPI library before any trial. The table contains the
 * algorithms that the library's source code chooses by default, without settings of the user.
 *
 * No reduction uses an expected order before a trial has confirmed it on the members of the
 * communicator (discovery.c). The table contains only libraries whose choice on one node depends on
 * operation, communicator size, count and bytes alone. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_LIBRARY_ORDERS_H
#define MPISPEC_RUNTIME_COLLECTIVE_LIBRARY_ORDERS_H

#include "collective/known_orders.h"

/* A number for the table of the library in use. 0: there is no table, or settings of the user may
 * contradict it. Members with different numbers must not use their tables. */
uint64_t mpispec_library_orders_table(void);

/* A digest of the environment variables by which users choose algorithms or thresholds; 0: none. */
uint64_t mpispec_library_orders_settings(void);

/* Fills in the expected orders of one class in a communicator of `size` ranks, all on one node.
 * Octaves that are known or already expected do not change. */
void mpispec_library_orders_expect(int size, const struct mpispec_known_key *key,
                                   struct mpispec_octave octaves[MPISPEC_OCTAVES]);

#endif
