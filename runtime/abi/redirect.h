/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Redirects all calls of a function to another one. The arguments of the two may have different
 * types.
 *
 * Handles of another MPI library differ in width. A function of the runtime that passed them on
 * would truncate them. A test in front of each function would cost every call. Therefore the first
 * instructions of the function are replaced. */
#ifndef MPISPEC_RUNTIME_ABI_REDIRECT_H
#define MPISPEC_RUNTIME_ABI_REDIRECT_H

/* Returns 0 if the system does not allow it. A function that is not exported is not changed,
 * because only the runtime calls it. No thread may be in the function. */
int mpispec_redirect(void *function, void *target);

/* The dynamic linker has stored pointers to the exported function in loaded objects. Sets all these
 * pointers to null. Programs test these pointers to find out which functions their library has.
 * Returns 0 if the system does not allow it. */
int mpispec_unbind(void *function);

#endif
