/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The distance between the cores of two ranks. The cost of a cache line's transfer depends on the
 * distance, and so does the fastest way of a long message (p2p/cost_model.h). */
#ifndef MPISPEC_RUNTIME_DISTANCE_H
#define MPISPEC_RUNTIME_DISTANCE_H

#ifdef __cplusplus
extern "C" {
#endif

/* The cores on which a process may run, at three levels. Each member names a group of cores by the
 * lowest number in it. A member is -1 if no group of its level contains all of these cores, or if
 * Linux does not list the group. */
struct mpispec_location {
  int core;    /* the group: hardware threads of one core */
  int cache;   /* the group: cores with a common last-level cache */
  int package; /* the group: cores of one processor package */
};

/* The lowest level that the cores of two processes share in every case. */
enum mpispec_distance {
  MPISPEC_SAME_CORE,
  MPISPEC_SAME_CACHE,
  MPISPEC_SAME_PACKAGE,
  MPISPEC_SAME_MACHINE, /* no lower level is certain */
  MPISPEC_DISTANCES
};

/* The location of a process that may run on all cores of the calling thread's affinity mask, or on
 * one given core. `cores` is the directory in which Linux lists cores, /sys/devices/system/cpu. */
struct mpispec_location mpispec_location_here(const char *cores);
struct mpispec_location mpispec_location_of_core(const char *cores, int core);

enum mpispec_distance mpispec_distance_between(const struct mpispec_location *one,
                                               const struct mpispec_location *other);

#ifdef __cplusplus
}
#endif
#endif
