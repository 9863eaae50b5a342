/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The NUMA node to which this process is bound. Linux places a fresh page on the node of the core
 * that writes to the page first. */
#ifndef MPISPEC_RUNTIME_NUMA_H
#define MPISPEC_RUNTIME_NUMA_H

/* Returns the NUMA node that contains all cores on which this process may run. Returns -1 if these
 * cores are on several nodes, or if they are unknown. `nodes` is the directory in which Linux lists
 * the nodes, /sys/devices/system/node. Returns 0 if there is no such directory. */
int mpispec_numa_node(const char *nodes);

#endif
