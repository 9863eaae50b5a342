/* Records of calls: the arguments of a function of MPI, as a profile counts them. Every profiled
 * form fills a record in, makes the call again, this time through the gate, and counts it. */
#ifndef MPISPEC_RUNTIME_PROFILED_CALLS_H
#define MPISPEC_RUNTIME_PROFILED_CALLS_H

#include "profile/path.h"
#include "profile/profile.h"

/* The result of CALL, between the beginning and the end of its record. In the profiled form itself,
 * because the call's site is the address that this form returns to. */
#define MPISPEC_COUNTED(RECORD, CALL)                                                              \
  ((RECORD).caller = __builtin_return_address(0), mpispec_profile_begin(&(RECORD)),                \
   mpispec_profile_end(&(RECORD), CALL))

/* The bytes of so many elements; 0 for arguments that MPI will refuse. */
uint64_t mpispec_profile_bytes(MPI_Count count, MPI_Datatype datatype);

#endif
