/* Which NUMA node a process is bound to, as directories of nodes tell it that are made here. */
#include "check.h"
#include "shm/numa.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static char root[256];

static void node(int number, const char *list) {
  char path[512];
  snprintf(path, sizeof path, "%s/node%d", root, number);
  mkdir(path, 0700);
  snprintf(path, sizeof path, "%s/node%d/cpulist", root, number);
  FILE *file = fopen(path, "w");
  fputs(list, file);
  fclose(file);
}

static void directory(const char *parent, int number) {
  snprintf(root, sizeof root, "%s/%d", parent, number);
  mkdir(root, 0700);
}

/* Runs on core 0 alone, or on 0 and 1. The second argument is the node if the cores are of two nodes. */
int main(int argc, char **argv) {
  CHECK(argc == 3);
  snprintf(root, sizeof root, "%s/none", argv[1]);
  CHECK(mpispec_numa_node(root) == 0); /* a kernel without nodes */

  directory(argv[1], 1);
  CHECK(mpispec_numa_node(root) == -1);
  node(3, "0-3,8,10-11\n");
  node(4, "4-7,9\n");
  CHECK(mpispec_numa_node(root) == 3);

  directory(argv[1], 2);
  node(0, "1-1023\n");
  node(12, "0\n");
  CHECK(mpispec_numa_node(root) == atoi(argv[2]));
  node(12, "");
  CHECK(mpispec_numa_node(root) == -1);

  directory(argv[1], 3); /* directories that cannot be parsed are ignored */
  node(0, "0-2000\n");
  CHECK(mpispec_numa_node(root) == -1);
  node(0, "0-3;4\n");
  CHECK(mpispec_numa_node(root) == -1);
  return passed();
}

// RUN: %mpicc %include %s -o %t %runtime
// RUN: rm -rf %t.one %t.two && mkdir %t.one %t.two
// RUN: taskset -c 0 %t %t.one 12 | FileCheck %s
// RUN: taskset -c 0,1 %t %t.two -1 | FileCheck %s
// CHECK: passed
