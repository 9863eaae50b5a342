/* Asks the MPI library what it is as soon as the runtime is loaded. library.h says why. */
#define _GNU_SOURCE
#include "job/library.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The version may be asked for at any time, and takes no handle. A library of the MPI-5 ABI may be
 * MPICH, too: its file's name tells. */
const char *mpispec_library_foreign(void) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length;
  Dl_info info;
  if (dladdr((void *)PMPI_Init, &info) && info.dli_fname && strstr(info.dli_fname, "libmpi_abi."))
    return "a library of the MPI-5 ABI";
  PMPI_Get_library_version(version, &length);
  return strstr(version, "Open MPI") ? "Open MPI" : NULL;
}

static int is_this_file(const char *name) {
  Dl_info info;
  struct stat ours, theirs;
  return dladdr((void *)mpispec_library_foreign, &info) && !stat(info.dli_fname, &ours) &&
         !stat(name, &theirs) && ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

/* LD_PRELOAD without us, in its own place. Returns 0 if we are not in it. */
static int leave_preloads(char *preloads) {
  char *rest = NULL, *kept = strdup(preloads);
  int found = 0;
  if (!kept)
    return 0;
  *kept = '\0';
  char *copy = strdup(preloads);
  for (char *name = copy ? strtok_r(copy, " :", &rest) : NULL; name;
       name = strtok_r(NULL, " :", &rest)) {
    if (is_this_file(name)) {
      found = 1;
      continue;
    }
    if (*kept)
      strcat(kept, ":");
    strcat(kept, name);
  }
  setenv("LD_PRELOAD", kept, 1);
  free(copy);
  free(kept);
  return found;
}

/* One line a job, as far as launchers tell ranks. */
static int is_first(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (getenv(names[i]))
      return !strcmp(getenv(names[i]), "0");
  return 1;
}

/* Before the program runs. A C library that hands no arguments to constructors has none of ours. */
__attribute__((constructor(101))) static void leave_foreign(int argc, char **argv) {
  const char *foreign = mpispec_library_foreign(), *preloads = getenv("LD_PRELOAD");
  if (!foreign)
    return;
  char *own = preloads ? strdup(preloads) : NULL;
  const int preloaded = own && argc > 0 && leave_preloads(own);
  free(own);
  if (is_first() || !preloaded)
    fprintf(stderr, "mpispec: this program uses %s, the runtime is built for MPICH: %s\n", foreign,
            preloaded ? "it runs without; take libmpispec.so out of LD_PRELOAD"
                      : "link it without libmpispec");
  if (preloaded)
    execv("/proc/self/exe", argv);
  _exit(1);
}
