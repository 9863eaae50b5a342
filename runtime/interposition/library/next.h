/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The next definition of each function that the runtime defines. The runtime passes on to this
 * definition the calls that it does not execute itself.
 *
 * Normally it is the MPI library's, under its PMPI name (PMPI_Send for MPI_Send). If another tool
 * was loaded after the runtime, it must get all calls of the program. Then the next definition is
 * the tool's, and the runtime sends no message by lanes. The runtime's own calls always go to
 * PMPI_*.
 *
 *   preloaded, or first in the link       linked after the runtime    MPI library
 *   tool A: MPI_Send ..................   tool B: MPI_Send            PMPI_Send
 *      |         runtime: MPI_Send  ------>  |                           ^
 *      +-------------------------------------+---------------------------+
 *
 * A tool before the runtime (A) passes its calls to PMPI_*, and they bypass the runtime. A message
 * might then be sent by a lane and received from the library. Therefore the runtime sends no
 * message by lanes in this case, either. In each of the two cases, the tool gets all calls of the
 * functions that it defines. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_NEXT_H
#define MPISPEC_RUNTIME_INTERPOSITION_NEXT_H

#include "abi/mpi.h"
#include "job/node.h"
#include "progress/helper.h"

struct mpispec_next {
#define TAKEN(NAME) __typeof__(&PMPI_##NAME) NAME;
#include "interposition/library/Taken.def"
#undef TAKEN
};

/* Filled in when the runtime is loaded. If the MPI library is loaded later, mpispec_next_begin
 * fills it in again. */
extern struct mpispec_next mpispec_next;

/* Called by functions that begin MPI, with their return address. The object that contains this
 * address determines the MPI library. Returns nonzero if the runtime is built for another library.
 * In this case each function of the runtime is redirected to that of the library. If a redirection
 * fails, the process ends. */
int mpispec_next_begin(const void *caller);

/* The runtime calls a test of the MPI library up to this number of times before it returns "not
 * complete". MPICH tests first and makes progress afterwards. A collective operation or a receive
 * that the library executes makes progress in the library, but one that the runtime executes does
 * not. Some programs test only once, because without the runtime the first test always returns
 * "complete" (mpi4py's test of windows' synchronisation). */
enum { MPISPEC_LIBRARY_POLLS = 4 };

/* The value of CALL, a test by the MPI library that sets *FLAG. If there are lanes, CALL is
 * repeated while *FLAG is 0, up to MPISPEC_LIBRARY_POLLS times. */
#define MPISPEC_AGAIN(FLAG, CALL)                                                                  \
  __extension__({                                                                                  \
    int error = (CALL);                                                                            \
    for (int poll = 1; poll < MPISPEC_LIBRARY_POLLS && mpispec_node.size && !error && !*(FLAG);    \
         ++poll)                                                                                   \
      error = (CALL);                                                                              \
    error;                                                                                         \
  })

/* The value of CALL, a blocking function of the MPI library, during which the helper thread makes
 * progress. */
#define MPISPEC_IN_LIBRARY(CALL)                                                                   \
  __extension__({                                                                                  \
    mpispec_library_call_begin();                                                                  \
    const int returned = (CALL);                                                                   \
    mpispec_library_call_end();                                                                    \
    returned;                                                                                      \
  })

/* The same while mpispec_progress_is_needed returns 0. */
#define MPISPEC_ALONE_IN_LIBRARY(CALL)                                                             \
  __extension__({                                                                                  \
    mpispec_library_wait_begin();                                                                  \
    const int returned = (CALL);                                                                   \
    mpispec_library_wait_end();                                                                    \
    returned;                                                                                      \
  })

/* Return a text for the user if another tool defines one of these functions before, or after, the
 * runtime's definition in the order of search. Otherwise return null. */
const char *mpispec_tool_in_front(void);
const char *mpispec_tool_behind(void);

/* Returns the next definition of `name` after the runtime's if it is a tool's, or null if it is the
 * MPI library's. The object that defines `profiling` is the MPI library. */
void *mpispec_tool_function_behind(const char *name, const char *profiling);

/* The definition of `name` that a call from a library reaches. */
void *mpispec_definition_reached(const char *name);

/* Like mpispec_definition_reached, but also finds a definition that only some libraries reach.
 * Returns null if there is none. */
void *mpispec_definition(const char *name);

/* Returns the first definition in a library that was loaded after the runtime, or null. Other
 * copies of the runtime are skipped. Libraries that were loaded with RTLD_LOCAL are searched,
 * too. */
void *mpispec_definition_behind(const char *name);

/* Nonzero if another copy of the runtime is found before this one and gets all calls. The other
 * copy calls mpispec_shared_rest, the only function of this one that it may call. Builds of other
 * versions call it by this name. */
extern int mpispec_is_duplicate;
__attribute__((visibility("default"))) void mpispec_shared_rest(void);

/* Nonzero if another copy of the runtime defines `function`, which may be null. */
int mpispec_is_of_other_copy(void *function);

#endif
