/* Cross-memory attach: reads and writes the memory of another rank of the node where the system
 * allows it (process_vm_readv, process_vm_writev). Each byte is copied once, and the owner of the
 * memory does nothing.
 *
 * Permission is known for each peer and each direction. MPI_Init tries both with the random number
 * of the peer's segment. EPERM, ESRCH and ENOSYS end a permission; EFAULT concerns one message
 * alone: its memory may be of a device. */
#ifndef MPISPEC_RUNTIME_CMA_H
#define MPISPEC_RUNTIME_CMA_H

#include <stdint.h>

/* Permits all processes of this user to read and write this one's memory where Yama, a security
 * module of Linux, permits it to ancestors alone (kernel.yama.ptrace_scope is 1); or takes that
 * back. For all ranks of the node, before any of them tries. */
void mpispec_cma_permit(int permits);

/* Tries reading and writing for each peer, once, in MPI_Init. */
void mpispec_cma_open(void);
void mpispec_cma_close(void);

/* May this rank read the memory of a peer? */
int mpispec_cma_may_read(int peer);

/* May this rank write it? `waits`: the peer is inside a call that waits for the bytes. Nobody
 * writes into a process that may be about to fork on a kernel before Linux 5.9: such a kernel may
 * put the bytes into a page that only the child keeps. Nobody writes unless both ranks
 * are bound to one NUMA node, since fresh pages are placed on the writer's, or where a tool watches
 * which bytes are defined (valgrind, MemorySanitizer). */
int mpispec_cma_may_write(int peer, int waits);

/* Is there a peer that this rank may not read? */
int mpispec_cma_is_refused(void);

/* Reads `length` bytes at `address` of a peer. Returns 0 if any of them could not be read. */
int mpispec_cma_read(void *target, int64_t length, int peer, uint64_t address);

/* Writes `length` bytes to `address` of a peer, after a look whether its process still exists: the
 * number of a process that has ended may be given to another one. Returns 0 if any of them could
 * not be written; others may have been. */
int mpispec_cma_write(const void *source, int64_t length, int peer, uint64_t address);

#endif
