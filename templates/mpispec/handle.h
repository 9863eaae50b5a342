/* handle.h - requests and statuses, as far as a template touches them
 *
 * They have the layout of MPICH's ABI. A template comes to use it only where there are lanes, and
 * the runtime opens none over an MPI library with another layout (runtime/request.c asserts it). */
#ifndef MPISPEC_HANDLE_H
#define MPISPEC_HANDLE_H

enum {
  mpispec_request_null = 0x2c000000,
  mpispec_request_over = 0x1dffffff,  /* a send that was over when its call returned */
  mpispec_request_first = 0x1d000000, /* ours, counted from here */
  mpispec_undefined = -32766,
  mpispec_any_source = -2,
  mpispec_any_tag = -1
};

/* Programs read what templates write here as another type, MPI_Status. */
struct __attribute__((__may_alias__)) mpispec_status {
  int count_low;                /* bytes */
  int count_high_and_cancelled; /* their upper half, shifted by one, and the mark */
  int source;
  int tag;
  int error; /* set only by completions of several requests */
};

/* How a receipt is in use. */
enum {
  mpispec_receipt_free,
  mpispec_receipt_under_way, /* it is a request that only the runtime can end */
  mpispec_receipt_over
};

/* A receive that was over when its call returned: what its completion will say. The runtime's
 * requests begin with one. */
struct mpispec_receipt {
  struct mpispec_receipt *next; /* the next free one */
  int handle;                   /* of the request */
  int use;
  struct mpispec_status status;
  int unused;
};

/* What a program passes as MPI_STATUS_IGNORE is address 1. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_status_is_ignored(const void *status) {
  return (unsigned long)status == 1;
}

static __inline__ __attribute__((__always_inline__, __unused__,
                                 __no_instrument_function__)) struct mpispec_status *
mpispec_status_wanted(void *status) {
  return mpispec_status_is_ignored(status) ? (struct mpispec_status *)0
                                           : (struct mpispec_status *)status;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_status_fill(struct mpispec_status *status, int source, int tag, unsigned int bytes) {
  const unsigned long long count = bytes; /* both parts in one store */
  __builtin_memcpy(status, &count, sizeof count);
  status->source = source;
  status->tag = tag;
}

#endif
