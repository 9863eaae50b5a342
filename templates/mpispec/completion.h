/* completion.h - the end of a request that a template made
 *
 *   over     a send that was over when its call returned: all such share one handle
 *   receipt  a receive that was over when its call returned: the receipt has its status
 *
 * A null request is over, too. All others, also that of an Issend, are left to the ordinary call.
 */
#ifndef MPISPEC_COMPLETION_H
#define MPISPEC_COMPLETION_H

#include "state.h"

/* The receipt behind a handle, or null if that is of another kind, or not among those known. */
static __inline__ __attribute__((__always_inline__, __unused__,
                                 __no_instrument_function__)) struct mpispec_receipt *
mpispec_receipt_find(int handle) {
  const unsigned int place = (unsigned int)handle - mpispec_request_first;
  struct mpispec_receipt *receipt;
  if (place >= mpispec_state_receipts)
    return 0;
  receipt = mpispec_state.known[place];
  return receipt->use == mpispec_receipt_over ? receipt : 0;
}

/* Is the request over, and null or made by a template? */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_handle_is_over(int handle) {
  return handle == mpispec_request_over || handle == mpispec_request_null ||
         mpispec_receipt_find(handle);
}

/* Makes the handle null, gives its receipt back and fills in `status` unless it is null. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_handle_finish(int *handle, struct mpispec_status *status) {
  struct mpispec_receipt *receipt = mpispec_receipt_find(*handle);
  if (receipt) {
    receipt->use = mpispec_receipt_free;
    receipt->next = mpispec_state.receipts;
    mpispec_state.receipts = receipt;
    if (status)
      mpispec_status_fill(status, receipt->status.source, receipt->status.tag,
                          (unsigned int)receipt->status.count_low);
  } else if (status) {
    mpispec_status_fill(status, mpispec_any_source, mpispec_any_tag, 0);
  }
  *handle = mpispec_request_null;
}

#endif
