/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A runtime in a process whose MPI library has another interface.
 *
 * The functions of a preloaded runtime would misread their arguments there, and could not even pass
 * them on. Therefore it starts that program again before the program's code runs: with the runtime
 * for its library if that is installed, otherwise without a runtime. A program that is linked with
 * the wrong runtime ends with a message. */
#ifndef MPISPEC_RUNTIME_ABI_FOREIGN_H
#define MPISPEC_RUNTIME_ABI_FOREIGN_H

/* Ends the process with a message. The object `who` uses the library for which the runtime `name`
 * is built. It is a plugin of a program that was started without MPI. */
_Noreturn void mpispec_foreign_end(const char *who, const char *name);

#endif
