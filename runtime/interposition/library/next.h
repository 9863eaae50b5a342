/* What stands behind each of our functions: where a call goes that is not our business.
 *
 * That is the MPI library, under its name for tools (PMPI_Send behind MPI_Send). But where another
 * tool was loaded behind us, it must see the program's calls as if we were not there: then it is
 * the tool, and the runtime steps aside. Calls that we make ourselves always go to PMPI_*.
 *
 *   preloaded, or first in the link       linked after us             MPI library
 *   tool A: MPI_Send ..................   tool B: MPI_Send            PMPI_Send
 *      |         runtime: MPI_Send  ------>  |                           ^
 *      +-------------------------------------+---------------------------+
 *
 * A tool in front of us (A) hands its calls to PMPI_*, so a message might be sent on one road and
 * awaited on the other: the runtime steps aside, too, and each still sees what it takes. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_NEXT_H
#define MPISPEC_RUNTIME_INTERPOSITION_NEXT_H

#include "job/node.h"

#include <mpi.h>

struct mpispec_next {
#define TAKEN(NAME) __typeof__(&PMPI_##NAME) NAME;
#include "interposition/library/Taken.def"
#include "progress/tuning.h"
#undef TAKEN
};

/* Filled in when the runtime is loaded. */
extern struct mpispec_next mpispec_next;

/* The value of CALL, which sets *FLAG; more than once if there is a runtime that stood between. */
#define MPISPEC_AGAIN(FLAG, CALL)                                                                  \
  __extension__({                                                                                  \
    int error = (CALL);                                                                            \
    for (int look = 1; look < MPISPEC_LIBRARY_LOOKS && mpispec_node.size && !error && !*(FLAG);    \
         ++look)                                                                                   \
      error = (CALL);                                                                              \
    error;                                                                                         \
  })

/* Does another tool take a function of ours before us, or after us? Returns what to tell the user,
 * or null. */
const char *mpispec_tool_in_front(void);
const char *mpispec_tool_behind(void);

/* Another copy of the runtime stands before this one and gets all calls. It says so by the
 * function, the only one of ours that others may call. */
extern int mpispec_is_spare;
__attribute__((visibility("default"))) void mpispec_shared_rest(void);

#endif
