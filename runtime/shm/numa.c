/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See numa.h. */
#define _GNU_SOURCE
#include "shm/numa.h"

#include "shm/core_list.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>

/* Nonzero if the node contains all of the cores. */
static int has(const char *nodes, int node, const cpu_set_t *cores) {
  char path[512];
  snprintf(path, sizeof path, "%s/node%d/cpulist", nodes, node);
  return mpispec_core_list_has(path, cores);
}

int mpispec_numa_node(const char *nodes) {
  cpu_set_t cores;
  DIR *directory = opendir(nodes);
  if (!directory)
    return 0;
  int node = -1, found = -1;
  if (!sched_getaffinity(0, sizeof cores, &cores))
    for (struct dirent *entry; found < 0 && (entry = readdir(directory));)
      if (sscanf(entry->d_name, "node%d", &node) == 1 && has(nodes, node, &cores))
        found = node;
  closedir(directory);
  return found;
}
