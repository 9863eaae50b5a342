/* The lock: at any time one thread runs the runtime.
 *
 * Below MPI_THREAD_MULTIPLE the program's thread holds it from MPI_Init on and gives it away only
 * while it sits in a blocking function of the MPI library, so the helper thread can carry on
 * (helper.h); no call of the program pays for it. With MPI_THREAD_MULTIPLE the lock is shared: each
 * call takes it, and a call that waits gives way between two looks. */
#ifndef MPISPEC_RUNTIME_LOCK_H
#define MPISPEC_RUNTIME_LOCK_H

extern int mpispec_lock_shared;

static inline int mpispec_lock_is_shared(void) { return mpispec_lock_shared; }

/* Once, at Init: `shared` if the program may call from several threads at a time. */
void mpispec_lock_open(int shared);

void mpispec_lock_acquire(void);
void mpispec_lock_release(void);
int mpispec_lock_try(void);

/* Around each call of the program. */
static inline void mpispec_lock(void) {
  if (__builtin_expect(mpispec_lock_shared, 0))
    mpispec_lock_acquire();
}
static inline void mpispec_unlock(void) {
  if (__builtin_expect(mpispec_lock_shared, 0))
    mpispec_lock_release();
}

#endif
