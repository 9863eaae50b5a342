/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sends all calls of a function to another one, whose arguments may have other types.
 *
 * Handles of another MPI library differ in width. A function of the runtime that passed them on
 * would cut them off. A test in front of each function would cost every call. Therefore the first
 * instructions of the function are replaced. */
#ifndef MPISPEC_RUNTIME_ABI_REDIRECT_H
#define MPISPEC_RUNTIME_ABI_REDIRECT_H

/* Returns 0 if the system does not allow it. A function that is not exported stays, because only
 * the runtime calls it. No thread may be in the function. */
int mpispec_redirect(void *function, void *target);

/* Makes all pointers of loaded objects to the exported function null that the dynamic linker has
 * set for its name. Programs test these pointers to find out which functions their library has.
 * Returns 0 if the system does not allow it. */
int mpispec_unbind(void *function);

#endif
