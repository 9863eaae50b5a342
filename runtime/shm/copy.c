/* See copy.h. */
#include "shm/copy.h"

#include "progress/ticks.h"
#include "progress/tuning.h"

/* By the time that some lines of it take to come. They are written, without a change: to read
 * fresh pages would have them mapped twice. */
int mpispec_copy_is_cached(unsigned char *memory, int64_t length) {
  const uint64_t start = mpispec_ticks();
  for (int i = 0; i < MPISPEC_CACHE_SPOTS; ++i)
    mpispec_touch(&memory[length / MPISPEC_CACHE_SPOTS * i]);
  mpispec_await_memory();
  return mpispec_ticks() - start < MPISPEC_CACHE_SPOTS * mpispec_ticks_in(MPISPEC_CACHE_SPOT);
}

void mpispec_copy_in(void *to, const void *from, int64_t length) {
  if (mpispec_vectors_are_faster())
    mpispec_copy_by_vectors(to, from, length);
  else
    memcpy(to, from, (size_t)length);
}

void mpispec_copy_out(void *to, const void *from, int64_t length, int uncached) {
  if ((uncached && mpispec_vector_width() != MPISPEC_IS_NARROW) || mpispec_vectors_are_faster())
    mpispec_copy_by_vectors(to, from, length);
  else
    memcpy(to, from, (size_t)length);
}
