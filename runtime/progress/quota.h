/* The processor time that control groups leave to this process.
 *
 * A container with `--cpus 2` sees all processors of its machine in its affinity mask, and has the
 * time of two. The limit stands in the file of a control group: `cpu.max` in version 2 of control
 * groups, `cpu.cfs_quota_us` and `cpu.cfs_period_us` in version 1. Groups are nested, and the
 * smallest limit on the way up applies. */
#ifndef MPISPEC_RUNTIME_QUOTA_H
#define MPISPEC_RUNTIME_QUOTA_H

#include <stdint.h>

struct mpispec_quota {
  uint64_t group;       /* which control group has the limit: the inode of its directory */
  uint64_t thousandths; /* of a processor; 0: no limit */
};

/* Reads the smallest limit of the groups that the file `own` lists (/proc/self/cgroup), below the
 * directory `root` (/sys/fs/cgroup). A group whose directory is not visible has no limit. */
void mpispec_quota_read(const char *root, const char *own, struct mpispec_quota *quota);

#endif
