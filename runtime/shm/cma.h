/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cross-memory attach (CMA): reads and writes the memory of another rank of the node, where the
 * system allows it (process_vm_readv, process_vm_writev). Each byte is copied once, and the owner
 * of the memory executes nothing.
 *
 * A process number of another process namespace means nothing here. Therefore ranks of different
 * namespaces have no permission for each other.
 *
 * A rank keeps a permission for each peer and each direction. MPI_Init tries both directions with
 * the random number in the peer's segment. Any error of a later copy ends the permission, except
 * EFAULT and ENOMEM. These concern one message only, for example if its memory belongs to a
 * device. */
#ifndef MPISPEC_RUNTIME_CMA_H
#define MPISPEC_RUNTIME_CMA_H

#include <stdint.h>

/* Yama is a security module of Linux. If kernel.yama.ptrace_scope is 1, it permits only ancestors
 * of a process to read and write its memory. A process may name one other process, whose
 * descendants get the permission, too. This function names the process `launcher`, because all
 * ranks are its descendants. It does nothing if `launcher` is 0 (unknown). It is called before the
 * MPI library's initialization, because the library may name another process, and only the last
 * name counts. */
void mpispec_cma_permit_job(int launcher);

/* Permits all processes of this user to read and write this process's memory, or revokes the
 * permission. All ranks of the node call the function before any of them tries to read or write. */
void mpispec_cma_permit(int permits);

/* Tries to read and to write the memory of each peer. Called once, in MPI_Init, after all segments
 * are mapped and before mpispec_node_agree: until all ranks have agreed, none unmaps its segment.
 */
void mpispec_cma_open(void);
void mpispec_cma_close(void);

/* Whether a peer whose kernel is older than Linux 5.9 may write this rank's memory during a call
 * that waits (`blocking`). The function returns 0 if another thread may fork meanwhile, because the
 * program may have threads (its level is not MPI_THREAD_SINGLE). MPI_Init sets
 * `mpispec_cma_threaded` to 1 then. */
extern int mpispec_cma_threaded;
static inline int mpispec_cma_waits(int blocking) { return blocking && !mpispec_cma_threaded; }

/* Whether this rank may read the memory of a peer. */
int mpispec_cma_may_read(int peer);

/* Whether this rank may write the memory of a peer. `waits`: mpispec_cma_waits of the peer. The
 * function returns 0 in each of these cases:
 * - The kernel is older than Linux 5.9, and `waits` is 0. If the peer forks during the
 *   write, such a kernel may put the bytes into a page that only the child keeps.
 * - The two ranks are not bound to one NUMA node. Linux places fresh pages on the writer's node.
 * - A tool (valgrind, MemorySanitizer) records which bytes are defined. */
int mpispec_cma_may_write(int peer, int waits);

/* The reason why this rank may not read the memory of some peer, or null if it may read all. */
const char *mpispec_cma_obstacle(void);

/* Reads `length` bytes at `address` in the process of a peer. The function then tests whether the
 * process still exists, because the system may give its number to another process. Returns 0 if it
 * has ended, or if any of the bytes could not be read. */
int mpispec_cma_read(void *target, int64_t length, int peer, uint64_t address);

/* Writes `length` bytes to `address` in the process of a peer. The function first tests whether the
 * process still exists, for the same reason. Returns 0 if any of the bytes could not be written;
 * others may have been written. */
int mpispec_cma_write(const void *source, int64_t length, int peer, uint64_t address);

#endif
