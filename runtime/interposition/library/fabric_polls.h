/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Observes polls of libfabric that find nothing (progress/library_polls.h).
 *
 * MPI libraries poll libfabric by fi_cq_read. This function has no symbol: it is an inline call
 * through the table of operations of a completion queue. Therefore the runtime replaces tables:
 *
 *   fi_fabric (ours)   opens the fabric        its table gets our `domain`
 *   domain (ours)      opens a domain          its table gets our `cq_open`
 *   cq_open (ours)     opens a queue           its table gets our `read`
 *   read (ours)        reads by the provider's `read`, and reports the result
 *
 * Our fi_fabric is found first if the runtime is preloaded, or part of the program. Some polls are
 * not observed: those of a libfabric inside libmpi, and those of one that is opened by dlopen and
 * dlsym (Intel MPI). The same holds for queues that providers open for other providers. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FABRIC_POLLS_H
#define MPISPEC_RUNTIME_INTERPOSITION_FABRIC_POLLS_H

struct mpispec_fabric_attributes; /* libfabric's struct fi_fabric_attr */
struct mpispec_fabric_object;     /* libfabric's struct fid_fabric */

/* Weak: a program that libfabric is linked into has libfabric's definition. This declaration holds
 * for callers that were built with libfabric 1.5 or later. */
__attribute__((visibility("default"), weak)) int
fi_fabric(struct mpispec_fabric_attributes *attributes, struct mpispec_fabric_object **fabric,
          void *context);

/* Nonzero after a queue was read: the MPI library polls libfabric. */
int mpispec_fabric_polls_are_seen(void);

#endif
