/* receipt.h - the end of a request that a template made
 *
 *   over     a send that was over when its call returned: all such share one handle
 *   receipt  a receive that was over when its call returned: the receipt has its status
 *
 * A null request is over, too. All others, also that of an Issend, are left to the ordinary call.
 */
#ifndef MPISPEC_RECEIPT_H
#define MPISPEC_RECEIPT_H

#include "state.h"
#include "status.h"

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

/* Is the request null, or that of a send that was over? */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_handle_is_sent(int handle) {
  return handle == mpispec_request_over || handle == mpispec_request_null;
}

/* Makes the handle null, gives its receipt back and fills in `status` unless it is null; 0 if the
 * request is not over. Out of line: at a call, the end of a send is enough. */
static __attribute__((__noinline__, __unused__, __no_instrument_function__)) int
mpispec_handle_end_any(int *handle, struct mpispec_status *status) {
  struct mpispec_receipt *receipt = mpispec_receipt_find(*handle);
  if (!mpispec_handle_is_sent(*handle) && !receipt)
    return 0;
  *handle = mpispec_request_null;
  if (receipt) {
    receipt->use = mpispec_receipt_free;
    receipt->next = mpispec_state.receipts;
    mpispec_state.receipts = receipt;
  }
  if (!status)
    return 1;
  if (receipt)
    __builtin_memcpy(status, &receipt->status, 16); /* all but the error */
  else
    mpispec_status_fill(status, mpispec_any_source, mpispec_any_tag, 0);
  return 1;
}

/* The same, inline if no status is wanted and it is the end of a send. That none is wanted is
 * hidden from the compiler, or it would make a second function for that. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_handle_end(int *handle, struct mpispec_status *status) {
  if (status || !mpispec_handle_is_sent(*handle)) {
    __asm__("" : "+r"(status));
    return mpispec_handle_end_any(handle, status);
  }
  *handle = mpispec_request_null;
  return 1;
}

#endif
