/* For functions that stand in for the system's. They let the MPI library's own calls through: UCX reads its own memory
 * in MPI_Init. The file that includes this defines _GNU_SOURCE. */
#include <dlfcn.h>
#include <string.h>

/* Whether a call comes from a shared library that is not the runtime. */
static int is_of_another_library(void *caller) {
  Dl_info object;
  if (!dladdr(caller, &object))
    return 0;
  const char *directory = strrchr(object.dli_fname, '/');
  const char *name = directory ? directory + 1 : object.dli_fname;
  return strstr(name, ".so") && strncmp(name, "libmpispec", 10);
}
