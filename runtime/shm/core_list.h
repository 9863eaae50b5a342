/* Lists of cores as Linux writes them in /sys: "0-3,8,10-11". The including file defines
 * _GNU_SOURCE. */
#ifndef MPISPEC_RUNTIME_CORE_LIST_H
#define MPISPEC_RUNTIME_CORE_LIST_H

#include <sched.h>

/* Reads the list in a file. Returns 0 if there is no such file or it has no list. */
int mpispec_core_list_read(const char *path, cpu_set_t *cores);

/* Has the list in a file all of `cores`? */
int mpispec_core_list_has(const char *path, const cpu_set_t *cores);

/* The lowest core of a set, or -1. */
int mpispec_core_list_first(const cpu_set_t *cores);

#endif
