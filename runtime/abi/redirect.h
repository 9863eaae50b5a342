/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Redirects all calls of a function to another one. The arguments of the two may have different
 * types.
 *
 * Handles of another MPI library may be wider. A function of the runtime that passed them on would
 * truncate them. A test in front of each function would cost every call. Therefore the first
 * instructions of the function are replaced. */
#ifndef MPISPEC_RUNTIME_ABI_REDIRECT_H
#define MPISPEC_RUNTIME_ABI_REDIRECT_H

/* Replaces the first instructions of `function` by a jump to `target`. Returns 0 if the system does
 * not allow the write, or if the function has no room for the jump. A function that is not exported
 * is not changed, because only the runtime calls it. No thread may execute the function
 * meanwhile. */
int mpispec_redirect(void *function, void *target);

/* Sets to null all pointers to the exported function that the dynamic linker has stored in other
 * loaded objects. The pointers by which the procedure linkage tables jump are not changed. Programs
 * test the other pointers to find out which functions their library has. Returns 0 if the system
 * does not allow the write. */
int mpispec_unbind(void *function);

#endif
