/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The processor time that control groups (cgroups) allow to this process.
 *
 * In a container with `--cpus 2`, the affinity mask contains all processors of the machine, but the
 * process may use the time of two. The limit is in a file of the control group: `cpu.max` in
 * version 2, `cpu.cfs_quota_us` and `cpu.cfs_period_us` in version 1. Groups are nested, and the
 * smallest limit of a group and all groups above it applies. */
#ifndef MPISPEC_RUNTIME_QUOTA_H
#define MPISPEC_RUNTIME_QUOTA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct mpispec_quota {
  uint64_t group;       /* the control group with the limit: the inode of its directory */
  uint64_t thousandths; /* the limit, in thousandths of a processor; 0: no limit */
  uint64_t scheduled;   /* the nearest group that Linux schedules as a unit; 0: none */
};

/* Reads the smallest limit of the groups that the file `own` lists (/proc/self/cgroup). Their
 * directories are below `root` (/sys/fs/cgroup). Groups without a visible directory have no limit.
 */
void mpispec_quota_read(const char *root, const char *own, struct mpispec_quota *quota);

#ifdef __cplusplus
}
#endif
#endif
