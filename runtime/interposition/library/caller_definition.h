/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The definition of a transport's function that a caller would have reached without the runtime.
 *
 * This definition depends on the caller. A process may have two copies of a transport: the
 * system's, and one in a wheel of Python under another file name. An object of one copy
 * must not reach the other copy's functions. Therefore each caller gets the definition that the
 * dynamic linker would have given it. It is the next one behind the runtime in the scope of the
 * process, for instance that of another preloaded library. If there is none, it is the first in the
 * caller's own library and the libraries that it needs. The last choice is the first definition in
 * a library that was loaded after the runtime. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_CALLER_DEFINITION_H
#define MPISPEC_RUNTIME_INTERPOSITION_CALLER_DEFINITION_H

/* `caller` is a return address. The search loads no library. Returns null if there is no
 * definition other than the runtime's. */
void *mpispec_definition_for_caller(const char *name, void *caller);

/* Nonzero if one program or library contains both addresses. */
int mpispec_are_in_one_object(const void *one, const void *other);

#endif
