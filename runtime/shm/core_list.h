/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads lists of cores in the form in which Linux writes them in /sys: "0-3,8,10-11". A file that
 * includes this header must define _GNU_SOURCE. */
#ifndef MPISPEC_RUNTIME_CORE_LIST_H
#define MPISPEC_RUNTIME_CORE_LIST_H

#include <sched.h>

/* Reads the list in a file. Returns 0 if the file does not exist or contains no list. */
int mpispec_core_list_read(const char *path, cpu_set_t *cores);

/* Whether the list in a file contains all of `cores`. */
int mpispec_core_list_has(const char *path, const cpu_set_t *cores);

/* The lowest core of a set, or -1 if the set is empty. */
int mpispec_core_list_first(const cpu_set_t *cores);

#endif
