/* Cross-memory attach: reads the memory of another rank of the node, where the system allows it:
 * one copy, and nothing for its owner to do. */
#ifndef MPISPEC_RUNTIME_CMA_H
#define MPISPEC_RUNTIME_CMA_H

#include <stdint.h>

/* Reads `wanted` bytes at `address` of another rank. Returns 0 if the system does not let us; then
 * it is not asked again. */
int mpispec_cma_read(void *target, int64_t wanted, int peer, uint64_t address);

#endif
