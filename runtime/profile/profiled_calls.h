/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Records of calls: the arguments of an MPI function, which a profile counts. Every profiled form
 * fills in a record, calls the function again, and counts the call. The gate does not stop the
 * second call, because it is within a profiled one. */
#ifndef MPISPEC_RUNTIME_PROFILED_CALLS_H
#define MPISPEC_RUNTIME_PROFILED_CALLS_H

#include "profile/path.h"
#include "profile/profile.h"

/* Evaluates CALL between the beginning and the end of its record. The macro stands in the profiled
 * form itself, because the return address of this form is the call site. On x86-64 and AArch64, the
 * return address is the word after the frame address. */
#define MPISPEC_COUNTED(RECORD, CALL)                                                              \
  ((RECORD).slot = (const void *const *)__builtin_frame_address(0) + 1,                            \
   (RECORD).caller = *(RECORD).slot, mpispec_profile_begin(&(RECORD)),                             \
   mpispec_profile_end(&(RECORD), CALL))

/* Returns the length of `count` elements in bytes, or 0 for arguments that MPI refuses. */
uint64_t mpispec_profile_bytes(MPI_Count count, MPI_Datatype datatype);

#endif
