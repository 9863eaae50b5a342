/* Preloaded where ranks outnumber cores: MPICH, which waits by polling, gives its core to the rank
 * it waits for. Without, each message costs a time slice of the system's: mpi4py's suite takes an
 * hour instead of minutes. It works below the MPI library, where UCX is asked for progress, and
 * changes nothing that MPI does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>

unsigned ucp_worker_progress(void *worker) {
  static unsigned (*next)(void *);
  if (!next) /* by name: where Python loads the libraries for one module, they are not next to us */
    next = (unsigned (*)(void *))dlsym(dlopen("libucp.so.0", RTLD_LAZY), "ucp_worker_progress");
  const unsigned done = next(worker);
  if (!done)
    sched_yield();
  return done;
}
