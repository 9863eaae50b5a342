/* See numa.h. */
#define _GNU_SOURCE
#include "shm/numa.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>

/* Adds the cores of a list as the system writes it, "0-3,8,10-11". Returns 0 if it is none. */
static int read_list(FILE *list, cpu_set_t *cores) {
  int first, last, comma = ',';
  while (comma == ',' && fscanf(list, "%d", &first) == 1) {
    last = first;
    comma = getc(list);
    if (comma == '-' && fscanf(list, "%d", &last) == 1)
      comma = getc(list);
    if (first < 0 || last >= CPU_SETSIZE)
      return 0;
    for (int core = first; core <= last; ++core)
      CPU_SET(core, cores);
  }
  return comma == '\n' || comma == EOF;
}

/* Does the node have all of the cores? */
static int has(const char *nodes, int node, const cpu_set_t *cores) {
  char path[512];
  cpu_set_t own, both;
  CPU_ZERO(&own);
  snprintf(path, sizeof path, "%s/node%d/cpulist", nodes, node);
  FILE *list = fopen(path, "re");
  if (!list)
    return 0;
  const int is_list = read_list(list, &own);
  fclose(list);
  CPU_AND(&both, &own, cores);
  return is_list && CPU_EQUAL(&both, cores);
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
