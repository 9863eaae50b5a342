/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Call sites of programs in Fortran. Their calls reach the functions of C through the MPI library's
 * binding of Fortran, or through the runtime's functions of mpi_f08. Therefore the return address
 * of a function of C is the same for all sites, and the program's own is further up the stack:
 *
 *   program --> mpi_send_f08ts_ --> MPIR_Send_cdesc --> MPI_Send of the runtime --> ... begin
 *   (wanted)    \______ the binding: any number of frames _____/
 *
 * The unwinder (unwinder.h) finds the program's return address for every spelling, module and
 * compiler. */
#ifndef MPISPEC_RUNTIME_PROFILE_BINDING_FRAMES_H
#define MPISPEC_RUNTIME_PROFILE_BINDING_FRAMES_H

/* Nonzero if code at `address` belongs to a binding of Fortran. Takes microseconds. */
int mpispec_binding_has(const void *address);

/* The program's return address of a call. The call's return address, which is in the binding, is at
 * `slot` on the stack. Returns null if there is no unwinder, or if it finds none. */
const void *mpispec_binding_caller(const void *const *slot);

/* Like mpispec_binding_caller, but from the results of earlier walks, without a walk up the stack.
 * Returns null if a walk is due. If the frames of the binding vary in size, the result may be a
 * wrong word of the stack. */
const void *mpispec_binding_guess(const void *const *slot);

#endif
