/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Passes descriptors between ranks that are in different process namespaces, for example each in a
 * container of its own. There a rank cannot open another rank's segment through /proc, and a
 * process number means another process or none. Each rank sends the descriptor of its segment, and
 * one of its process (pidfd), to the socket of every other rank (SCM_RIGHTS).
 *
 * A socket has an abstract name if all ranks are in one network namespace, to which such a name
 * belongs. Otherwise its name is a file in /dev/shm, if all ranks have the same /dev/shm. */
#ifndef MPISPEC_RUNTIME_PASSING_H
#define MPISPEC_RUNTIME_PASSING_H

#include "shm/segment.h"

#include <stdint.h>

/* The number that the system gives to a namespace of this process, or 0 if it cannot be read:
 * "pid" for processes, "net" for sockets. */
uint64_t mpispec_namespace(const char *kind);

/* A number that identifies this process's directory /dev/shm, or 0 if the process cannot make files
 * there. */
uint64_t mpispec_passing_directory(void);

/* Whether these ranks can pass descriptors: their sockets can have names that all of them reach.
 * Equal on all ranks. */
int mpispec_can_pass(const struct mpispec_segment_address addresses[], int ranks);

struct mpispec_passed {
  int segment; /* the peer's file */
  int process; /* the peer's pidfd, or -1 if its system has none */
};

/* Collective over the ranks of these addresses, which can pass descriptors. Fills in the
 * descriptors of all other ranks, which the caller closes. Returns 0 with errno set if a rank's
 * descriptors have not arrived in time; those that have arrived are closed. */
int mpispec_pass(const struct mpispec_segment_address addresses[], int ranks, int rank,
                 struct mpispec_passed passed[]);

#endif
