/* A check of the runtime's state for window-epochs.f90: whether the program has made a window, and whether targets may
 * have to be woken. The ranks must share processors. */
#include "check.h"
#include "progress/doorbell.h"
#include "progress/origin.h"
#include "progress/progress.h"

void expect_window_state(int has_windows, int has_targets) {
  CHECK(mpispec_doorbells_used);
  CHECK(mpispec_progress_has_windows() == has_windows);
  CHECK(!mpispec_origin_has_targets() == !has_targets);
}
