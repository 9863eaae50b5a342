/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* weak_state.h - the weak definition of the state in a rewritten object
 *
 * It is weak, so that the runtime's definition replaces it where the runtime is linked. It is
 * visible, so that one copy serves the program and its shared libraries. Its fast_size is 0, so
 * that every template declines without the runtime. */
#ifndef MPISPEC_WEAK_STATE_H
#define MPISPEC_WEAK_STATE_H

#include "state.h"

__attribute__((__weak__, __visibility__("default"))) struct mpispec_state mpispec_state;

/* One byte in each object with specialised calls. `mpispec doctor` counts these bytes in a program,
 * because inlined templates leave no other trace. */
static const char mpispec_specialised_object __attribute__((__used__)) = 1;

#endif
