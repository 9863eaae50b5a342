/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See core_list.h. */
#define _GNU_SOURCE
#include "shm/core_list.h"

#include <stdio.h>

static int read_open(FILE *list, cpu_set_t *cores) {
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

int mpispec_core_list_read(const char *path, cpu_set_t *cores) {
  CPU_ZERO(cores);
  FILE *list = fopen(path, "re");
  if (!list)
    return 0;
  const int is_list = read_open(list, cores);
  fclose(list);
  return is_list;
}

int mpispec_core_list_has(const char *path, const cpu_set_t *cores) {
  cpu_set_t own, both;
  if (!mpispec_core_list_read(path, &own))
    return 0;
  CPU_AND(&both, &own, cores);
  return CPU_EQUAL(&both, cores);
}

int mpispec_core_list_first(const cpu_set_t *cores) {
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, cores))
      return core;
  return -1;
}
