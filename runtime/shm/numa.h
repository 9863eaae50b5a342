/* Which NUMA node this process is bound to: fresh pages are placed on the node of the core that
 * first writes to them. */
#ifndef MPISPEC_RUNTIME_NUMA_H
#define MPISPEC_RUNTIME_NUMA_H

/* The node that has all cores on which this process may run; or -1 if they are of several nodes, or
 * cannot be found out. `nodes` is the system's directory of nodes, /sys/devices/system/node: 0
 * where there is none. */
int mpispec_numa_node(const char *nodes);

#endif
