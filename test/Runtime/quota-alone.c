/* Limits of control groups of both versions, read from directories that are made here. */
#include "check.h"
#include "progress/quota.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static char root[256], own[300];

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  CHECK(file && fputs(text, file) >= 0);
  fclose(file);
}

static void group(const char *path, const char *name, const char *text) {
  char whole[512];
  snprintf(whole, sizeof whole, "%s%s", root, path);
  mkdir(whole, 0700);
  snprintf(whole, sizeof whole, "%s%s/%s", root, path, name);
  write_file(whole, text);
}

static struct mpispec_quota read_quota(const char *lines) {
  struct mpispec_quota quota = {1, 1, 1};
  write_file(own, lines);
  mpispec_quota_read(root, own, &quota);
  return quota;
}

static void version_2(void) {
  CHECK(read_quota("0::/\n").thousandths == 0);
  group("/a", "cpu.max", "max 100000\n");
  group("/a/b", "cpu.max", "250000 100000\n");
  CHECK(read_quota("0::/a\n").thousandths == 0);
  const struct mpispec_quota inner = read_quota("0::/a/b\n");
  CHECK(inner.thousandths == 2500 && inner.group);
  CHECK(inner.scheduled == inner.group && !read_quota("0::/\n").scheduled);
  CHECK(read_quota("0::/a/b/c\n").scheduled == inner.group); /* the nearest with the controller */
  CHECK(read_quota("0::/a\n").scheduled && read_quota("0::/a\n").scheduled != inner.group);
  group("/a", "cpu.max", "50000 100000\n"); /* the group around it has less */
  const struct mpispec_quota outer = read_quota("0::/a/b\n");
  CHECK(outer.thousandths == 500 && outer.group != inner.group);
  CHECK(read_quota("0::/a/none/of/these\n").thousandths == 500);
  CHECK(read_quota("0::/../c\n").thousandths == 0);
  group("", "cpu.max", "1000 100000\n"); /* a container sees its own group there */
  CHECK(read_quota("0::/\n").thousandths == 10 && read_quota("0::/\n").scheduled);
  CHECK(read_quota("0::/../c\n").thousandths == 10);
  group("", "cpu.max", "1 100000\n");
  CHECK(read_quota("0::/\n").thousandths == 1); /* not 0, which means no limit */
  group("", "cpu.max", "max\n");
}

static void version_1(void) {
  group("/cpu", "cpu.cfs_quota_us", "-1\n");
  group("/cpu", "cpu.cfs_period_us", "100000\n");
  CHECK(read_quota("4:cpuacct:/x\n3:cpu:/\n0::/\n").thousandths == 0);
  group("/cpu/x", "cpu.cfs_quota_us", "150000\n");
  group("/cpu/x", "cpu.cfs_period_us", "50000\n");
  CHECK(read_quota("3:cpu,cpuacct:/x\n").thousandths == 3000 && read_quota("3:cpu,cpuacct:/x\n").scheduled);
  CHECK(!read_quota("3:cpu,cpuacct:/\n").scheduled); /* the topmost group has the files, too */
  CHECK(read_quota("3:cpuacct,cpu:/x/y\n").thousandths == 3000);
  CHECK(read_quota("3:cpuset:/x\n").thousandths == 0);
}

static void not_understood(void) {
  CHECK(read_quota("").thousandths == 0);
  CHECK(read_quota("3\n3:cpu\n:::\n").thousandths == 0);
  group("/a", "cpu.max", "some 100000\n");
  CHECK(read_quota("0::/a\n").thousandths == 0);
  group("/a", "cpu.max", "100000 0\n");
  CHECK(read_quota("0::/a\n").thousandths == 0);
  remove(own);
  struct mpispec_quota quota = {1, 1, 1};
  mpispec_quota_read(root, own, &quota);
  CHECK(quota.thousandths == 0);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  snprintf(root, sizeof root, "%s", argv[1]);
  snprintf(own, sizeof own, "%s.own", argv[1]);
  version_2();
  version_1();
  not_understood();
  return passed();
}

// RUN: %mpicc %include -I%S %s -o %t %runtime
// RUN: rm -rf %t.groups && mkdir %t.groups
// RUN: timeout 60 %t %t.groups | FileCheck %s
// CHECK: passed
