/* The lock: at any time at most one thread of the process runs the runtime.
 *
 * With MPI_THREAD_MULTIPLE the lock is shared: each call of the program takes it, and a call that
 * waits releases it between two polls.
 *
 * Below that, the program's thread owns it, and no call takes it. It is lent to the helper thread
 * (helper.h) only while the program is in a blocking function of the MPI library. Lending and
 * reclaiming cost the program a store each; the helper, which seldom polls, pays for both sides
 * (lock.c). What runs on the program's thread meanwhile (callbacks, and what they call) takes the
 * lock for each call, as if it were shared. */
#ifndef MPISPEC_RUNTIME_LOCK_H
#define MPISPEC_RUNTIME_LOCK_H

extern int mpispec_lock_shared; /* between several threads of the program */

/* Each call takes it: shared, or lent. Here and below: not by way of a table of addresses, for it
 * is asked at every call. */
extern int mpispec_lock_per_call __attribute__((visibility("hidden")));

/* No call takes the fast path: calls take the lock, or a profile counts them first. */
extern int mpispec_fast_path_disabled __attribute__((visibility("hidden")));

static inline int mpispec_lock_is_shared(void) { return mpispec_lock_shared; }

/* Once, at Init: `shared` if the program may call from several threads at a time. */
void mpispec_lock_open(int shared);

/* For the program's threads. A thread may take what it holds again. */
void mpispec_lock_acquire(void);
void mpispec_lock_release(void);

/* Disables the fast path also while calls take no lock, or no longer. By the program's thread. */
extern int mpispec_fast_path_stays_disabled __attribute__((visibility("hidden")));
static inline void mpispec_fast_path_set_disabled(int disabled) {
  if (mpispec_lock_shared)
    return; /* disabled for good */
  mpispec_fast_path_stays_disabled = disabled;
  mpispec_fast_path_disabled = disabled | mpispec_lock_per_call;
}

/* Around each call of the program. */
static inline void mpispec_lock(void) {
  if (__builtin_expect(mpispec_lock_per_call, 0))
    mpispec_lock_acquire();
}
static inline void mpispec_unlock(void) {
  if (__builtin_expect(mpispec_lock_per_call, 0))
    mpispec_lock_release();
}

/* Between the program's thread and the helper, where the lock is not shared. */
void mpispec_lock_release_to_helper(void);
void mpispec_lock_reclaim_from_helper(void);

/* Before the lock is opened, or null: what each call of the program ends with (doorbell.h). Then
 * each call takes the lock, also where that is neither shared nor lent. */
void mpispec_lock_at_release(void (*then)(void));

/* Whom to tell that the lock has been lent with things under way: the helper, at Init. */
void mpispec_lock_on_release_to_helper(void (*callback)(void));

/* For the helper: has it if this returns nonzero. */
int mpispec_lock_helper_try_acquire(void);
void mpispec_lock_helper_release(void);

/* Is the lock lent at this moment? For the helper, before it sleeps. */
int mpispec_lock_is_with_helper(void);

/* Before the helper is created: asks the system for the fence that the helper pays for. */
void mpispec_lock_prepare_fences(void);

/* What either side writes before its fence, the other sees after its own. The program's costs
 * nothing, the helper's a system call. */
void mpispec_lock_light_fence(void);
void mpispec_lock_heavy_fence(void);

#endif
