/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads the limits of control groups. See quota.h. */
#define _GNU_SOURCE
#include "progress/quota.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Reads up to two numbers of a file in `directory`. Returns how many there are. "max", which is no
 * number, means no limit. */
static int read_numbers(const char *directory, const char *name, long long numbers[2]) {
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path)
    return 0;
  FILE *file = fopen(path, "re");
  if (!file)
    return 0;
  const int read = fscanf(file, "%lld %lld", &numbers[0], &numbers[1]);
  fclose(file);
  return read < 0 ? 0 : read;
}

/* The limit of one group in thousandths of a processor; 0: none. */
static uint64_t limit_of(const char *directory) {
  long long quota[2], period[2];
  if (read_numbers(directory, "cpu.max", quota) != 2) {
    if (read_numbers(directory, "cpu.cfs_quota_us", quota) != 1 ||
        read_numbers(directory, "cpu.cfs_period_us", period) != 1)
      return 0;
    quota[1] = period[0];
  }
  if (quota[0] <= 0 || quota[1] <= 0)
    return 0;
  const uint64_t thousandths = (uint64_t)quota[0] * 1000 / (uint64_t)quota[1];
  return thousandths ? thousandths : 1;
}

static void take_smaller(const char *directory, struct mpispec_quota *quota) {
  struct stat status;
  const uint64_t limit = limit_of(directory);
  if (!limit || (quota->thousandths && quota->thousandths <= limit) || stat(directory, &status))
    return;
  quota->group = (uint64_t)status.st_ino;
  quota->thousandths = limit;
}

/* Linux schedules a group as a unit if the group has a file with a limit, even without a limit in
 * it. Called for inner groups first. */
static void take_nearest(const char *directory, const char *name, struct mpispec_quota *quota) {
  char path[PATH_MAX];
  struct stat status;
  if (!quota->scheduled &&
      snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path &&
      !stat(path, &status) && !stat(directory, &status))
    quota->scheduled = (uint64_t)status.st_ino;
}

/* Applies the limits of the group at `path` below `root`, and of all groups above it. The topmost
 * group of version 1 has a file with a limit, too, although it is no unit. */
static void walk_up(const char *root, const char *path, struct mpispec_quota *quota) {
  char directory[PATH_MAX];
  const size_t top = strlen(root);
  if (snprintf(directory, sizeof directory, "%s%s", root, path) >= (int)sizeof directory)
    return;
  for (char *slash; strlen(directory) > top + 1; *slash = 0) {
    take_smaller(directory, quota);
    take_nearest(directory, "cpu.max", quota);
    take_nearest(directory, "cpu.cfs_quota_us", quota);
    if (!(slash = strrchr(directory, '/')) || slash < directory + top)
      break;
  }
  take_smaller(root, quota);
  take_nearest(root, "cpu.max", quota);
}

/* Nonzero if "cpu" is in this list, which commas separate. */
static int has_cpu(const char *controllers) {
  for (const char *at = controllers; at; at = strchr(at, ',')) {
    at += *at == ',';
    if (!strncmp(at, "cpu", 3) && (at[3] == ',' || !at[3]))
      return 1;
  }
  return 0;
}

/* A line is "number:controllers:path"; version 2 has no controllers there. */
static void read_line(const char *root, char *line, struct mpispec_quota *quota) {
  char mount[PATH_MAX];
  char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
  if (!path)
    return;
  ++controllers;
  *path++ = 0;
  path[strcspn(path, "\n")] = 0;
  if (!*controllers) {
    walk_up(root, path, quota);
  } else if (has_cpu(controllers)) {
    snprintf(mount, sizeof mount, "%s/cpu", root); /* a link to "cpu,cpuacct" on most systems */
    walk_up(mount, path, quota);
  }
}

void mpispec_quota_read(const char *root, const char *own, struct mpispec_quota *quota) {
  char line[PATH_MAX];
  *quota = (struct mpispec_quota){0, 0, 0};
  FILE *file = fopen(own, "re");
  if (!file)
    return;
  while (fgets(line, sizeof line, file))
    read_line(root, line, quota);
  fclose(file);
}
