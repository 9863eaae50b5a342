/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The next definition of each function that the runtime defines. The runtime passes calls to it
 * that it does not execute itself.
 *
 * It is the MPI library's, under the name that MPI gives tools (PMPI_Send for MPI_Send). If another
 * tool was loaded after the runtime, it must see the program's calls as if the runtime were not
 * there. Then the next definition is the tool's, and the runtime takes no message. Calls that the
 * runtime makes for its own sake always go to PMPI_*.
 *
 *   preloaded, or first in the link       linked after us             MPI library
 *   tool A: MPI_Send ..................   tool B: MPI_Send            PMPI_Send
 *      |         runtime: MPI_Send  ------>  |                           ^
 *      +-------------------------------------+---------------------------+
 *
 * A tool before the runtime (A) hands its calls to PMPI_*, past the runtime. A message might then
 * be sent by a lane and awaited from the library. Therefore the runtime takes no message either,
 * and both tools see the calls that they define. */
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

/* Filled in when the runtime is loaded. */
extern struct mpispec_next mpispec_next;

/* Called by functions that begin MPI, with their return address, whose object determines the MPI
 * library. Returns nonzero if the runtime is built for another one. Then each of its functions is
 * redirected to the library's. */
int mpispec_next_begin(const void *caller);

/* Times that a test of the MPI library is called before its answer "not yet" is believed. MPICH
 * tests first and makes progress afterwards. In a plain program each collective and each receive
 * makes progress, too; those that the runtime takes do not. Programs that test once where a plain
 * run is always done (mpi4py's test of windows' synchronisation) need them. */
enum { MPISPEC_LIBRARY_POLLS = 4 };

/* The value of CALL, a test of the MPI library's that sets *FLAG; it is called again until it sets
 * it, so many times. */
#define MPISPEC_AGAIN(FLAG, CALL)                                                                  \
  __extension__({                                                                                  \
    int error = (CALL);                                                                            \
    for (int look = 1; look < MPISPEC_LIBRARY_POLLS && mpispec_node.size && !error && !*(FLAG);    \
         ++look)                                                                                   \
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

/* Does another tool define one of these functions, and is it found before the runtime's definition,
 * or after it? Returns what to tell the user, or null. */
const char *mpispec_tool_in_front(void);
const char *mpispec_tool_behind(void);

/* The definition of `name` after the runtime's, if a tool has one; null if the next is the MPI
 * library's. The MPI library's is found by its `profiling` name. */
void *mpispec_tool_function_behind(const char *name, const char *profiling);

/* The definition of `name` that a call from a library reaches. */
void *mpispec_definition_reached(const char *name);

/* Like mpispec_definition_reached, but also finds a definition that only some libraries reach.
 * Returns null if there is none. */
void *mpispec_definition(const char *name);

/* The first definition in a library that is searched after the runtime, other copies of the runtime
 * left out; null if there is none. Libraries that only their own users see count, too. */
void *mpispec_definition_behind(const char *name);

/* Nonzero if another copy of the runtime is found before this one and gets all calls. The other
 * copy calls mpispec_shared_rest, the only function of this one that it may call. */
extern int mpispec_is_duplicate;
__attribute__((visibility("default"))) void mpispec_shared_rest(void);

#endif
