/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See unwinder.h. */
#define _GNU_SOURCE
#include "profile/unwinder.h"

#include <dlfcn.h>
#include <stddef.h>
#include <unwind.h>

/* From libgcc_s, which nearly every process has. Null if this process has not. */
static __typeof__(&_Unwind_Backtrace) backtrace;
static __typeof__(&_Unwind_GetIP) address_in;
static __typeof__(&_Unwind_GetCFA) stack_below;

int mpispec_unwinder_open(void) {
  void *unwinder = dlopen("libgcc_s.so.1", RTLD_LAZY);
  if (!unwinder)
    return 0;
  address_in = (__typeof__(address_in))dlsym(unwinder, "_Unwind_GetIP");
  stack_below = (__typeof__(stack_below))dlsym(unwinder, "_Unwind_GetCFA");
  backtrace = (__typeof__(backtrace))dlsym(unwinder, "_Unwind_Backtrace");
  return 1;
}

struct walk {
  const void *caller;
  int is_above; /* the walk has reached the caller */
  mpispec_unwinder_visit *visit;
  void *data;
};

/* While a frame is visited, _Unwind_GetCFA returns the frame address of the function that this
 * frame has called. The return address of that function is the word before it. */
static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *frame, void *data) {
  struct walk *walk = data;
  const void *address = (const void *)address_in(frame);
  walk->is_above |= address == walk->caller;
  if (!walk->is_above || !walk->visit(address, stack_below(frame) - sizeof(void *), walk->data))
    return _URC_NO_REASON;
  return _URC_END_OF_STACK;
}

void mpispec_unwinder_walk(const void *caller, mpispec_unwinder_visit *visit, void *data) {
  struct walk walk = {.caller = caller, .visit = visit, .data = data};
  if (backtrace)
    backtrace(visit_frame, &walk);
}
