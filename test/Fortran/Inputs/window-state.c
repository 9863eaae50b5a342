/* What the runtime knows of windows, for window-epochs.f90. Where ranks share no processor, nobody sleeps, and there
 * are no targets to wake. */
#include "check.h"
#include "progress/doorbell.h"
#include "progress/origin.h"
#include "progress/progress.h"

void expect_window_state(int has_windows, int has_targets) {
  CHECK(mpispec_doorbells_used);
  CHECK(mpispec_progress_has_windows() == has_windows);
  CHECK(!mpispec_origin_has_targets() == !has_targets);
}
