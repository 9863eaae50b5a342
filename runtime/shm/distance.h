/* How far apart the cores of two ranks are: what a handoff of a cache line costs depends on it, and
 * therefore what is the best way of a long message (p2p/cost_model.h). */
#ifndef MPISPEC_RUNTIME_DISTANCE_H
#define MPISPEC_RUNTIME_DISTANCE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Where a process may run. Each is the lowest number of the cores concerned, or -1 if the process
 * may leave them, or Linux does not name them. */
struct mpispec_location {
  int core;    /* the hardware threads of one core */
  int cache;   /* the cores behind one last-level cache */
  int package; /* those of one processor package */
};

/* The nearest level that two processes certainly share. */
enum mpispec_distance {
  MPISPEC_SAME_CORE,
  MPISPEC_SAME_CACHE,
  MPISPEC_SAME_PACKAGE,
  MPISPEC_SAME_MACHINE, /* and nothing less */
  MPISPEC_DISTANCES
};

/* The location of a process that may run on all cores of the calling thread's affinity mask, or on
 * one core. `cores` is the system's directory of cores, /sys/devices/system/cpu. */
struct mpispec_location mpispec_location_here(const char *cores);
struct mpispec_location mpispec_location_of_core(const char *cores, int core);

enum mpispec_distance mpispec_distance_between(const struct mpispec_location *one,
                                               const struct mpispec_location *other);

#ifdef __cplusplus
}
#endif
#endif
