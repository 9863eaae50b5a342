/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A binding of Fortran that is linked into the program statically. The dynamic symbols of the
 * program do not show its functions. Therefore they are read from the symbol table of the program's
 * file. In a program without this table (strip), no binding is found. */
#ifndef MPISPEC_RUNTIME_PROFILE_STATIC_BINDING_H
#define MPISPEC_RUNTIME_PROFILE_STATIC_BINDING_H

/* Nonzero if the return address `address`, which is in the program, belongs to a function of such a
 * binding. The first call reads the table. The caller holds the profile's lock. */
int mpispec_static_binding_has(const void *address);

#endif
