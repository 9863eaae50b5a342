/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Chooses the method in MPI_Init. See library_yield.h. */
#define _GNU_SOURCE
#include "interposition/library/library_yield.h"

#include "abi/mpi.h"
#include "interposition/library/fabric_polls.h"
#include "interposition/library/next.h"
#include "interposition/library/transport_polls.h"
#include "job/launcher.h"
#include "progress/library_polls.h"
#include "progress/library_progress.h"
#include "progress/lock.h"
#include "progress/oversubscription.h"
#include "progress/processors.h"
#include "progress/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef _Bool yield_switch(_Bool yields);

/* The switch of Open MPI, if the runtime turns it; otherwise null. */
static yield_switch *own_switch;

#ifdef MPISPEC_STYLE_OMPI
enum { LIBRARY_IS_OPEN_MPI = 1 };
#else
enum { LIBRARY_IS_OPEN_MPI = 0 };
#endif

/* Returns the function of Open MPI 1.2 to 5 that sets whether opal_progress yields when it finds
 * nothing. That function returns the previous setting. */
static yield_switch *switch_of_open_mpi(void) {
  return LIBRARY_IS_OPEN_MPI
             ? (yield_switch *)mpispec_definition("opal_progress_set_yield_when_idle")
             : NULL;
}

/* Nonzero if mpi_yield_when_idle has a value of the environment, which mpirun sets, too, or of a
 * file of parameters. Open MPI 1.7 and later state the source of a parameter's value. */
static int is_set_by_user(void) {
  enum { IS_DEFAULT = 0 };
  int number, source = IS_DEFAULT;
  int (*find)(const char *name, int *number) = mpispec_definition("mca_base_var_find_by_name");
  int (*get)(int number, const void *value, int *source, const char **file) =
      mpispec_definition("mca_base_var_get_value");
  if (find && get && !find("mpi_yield_when_idle", &number))
    get(number, NULL, &source, NULL);
  return source != IS_DEFAULT || getenv("OMPI_MCA_mpi_yield_when_idle");
}

static int is_intel(void) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length;
  PMPI_Get_library_version(version, &length);
  return strstr(version, "Intel(R) MPI") != NULL;
}

/* The number of processors in the affinity masks of this process and of its parent, the launcher. A
 * launcher binds its children but not itself, so that its own mask has the other processors. */
static int processors_of_launcher(void) {
  return mpispec_processors_of_processes(getpid(), getppid());
}

void mpispec_library_yield_prepare(int is_wanted) {
  const int processors = is_wanted ? processors_of_launcher() : 0;
  mpispec_oversubscription_guess(processors && mpispec_launcher_ranks_here() > processors);
  if (is_wanted)
    mpispec_library_polls_open();
}

enum yield_method { NEVER, NONE, SWITCH, CHOSEN, UCX, FABRIC, INTEL };

static enum yield_method transport_seen(void) {
  return mpispec_transport_polls_are_seen() ? UCX : mpispec_fabric_polls_are_seen() ? FABRIC : NONE;
}

/* Polls the library at most TIMES times, because MPI_Init may have completed without a poll of its
 * transport. */
static enum yield_method find_transport(void) {
  enum { TIMES = 64 };
  mpispec_lock();
  for (int i = 0; i < TIMES && transport_seen() == NONE; ++i)
    mpispec_library_progress();
  mpispec_unlock();
  return transport_seen();
}

/* Finds the method that `print_method` prints. Yields by a transport begin with the first observed
 * poll, and do not need this function. Called only if the method is printed, because the function
 * polls the library. */
static enum yield_method find_way(int is_wanted) {
  if (!is_wanted)
    return NEVER;
  if (own_switch)
    return SWITCH;
  return switch_of_open_mpi() ? CHOSEN : is_intel() ? INTEL : find_transport();
}

static void print_method(enum yield_method method) {
  static const char *const words[] = {
      [NEVER] = "polls as without mpispec",
      [NONE] = "cannot be made to yield while it polls",
      [SWITCH] = "yields while it polls, by opal_progress_set_yield_when_idle",
      [CHOSEN] = "polls as mpi_yield_when_idle says",
      [UCX] = "yields while it polls, by ucp_worker_progress",
      [FABRIC] = "yields while it polls, by fi_cq_read",
      [INTEL] = "yields while it polls, by itself",
  };
  fprintf(stderr, "mpispec: ranks share processors, and the MPI library: %s\n", words[method]);
}

void mpispec_library_yield_find_switch(int is_wanted) {
  own_switch = is_wanted ? switch_of_open_mpi() : NULL;
  if (mpispec_library_polls_use_switch(own_switch, own_switch && is_set_by_user()))
    own_switch = NULL;
}

void mpispec_library_yield_open(int is_wanted, int has_lanes, int is_verbose) {
  if (!has_lanes) {
    mpispec_oversubscription_guess(0);
    mpispec_library_polls_close();
    return;
  }
  mpispec_library_polls_end_init();
  if (is_verbose && mpispec_is_oversubscribed())
    print_method(find_way(is_wanted));
}

void mpispec_library_yield_close(int is_verbose) {
  mpispec_library_polls_close();
  if (is_verbose && mpispec_library_yields())
    fprintf(stderr, "mpispec: yields while the MPI library polled: %lu\n",
            mpispec_library_yields());
}
