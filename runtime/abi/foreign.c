/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A runtime in a process whose MPI library has another interface. See foreign.h. */
#define _GNU_SOURCE
#include "abi/foreign.h"

#include "abi/library.h"
#include "abi/library_table.h"
#include "abi/mpi.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the name of the library for messages. For Open MPI, version_of completes the name,
 * because the version distinguishes the interfaces. */
static const char *title_of(const char *name) {
  return mpispec_library_has_handles_of_mpich(name) ? "MPICH"
         : !strcmp(name, "abi")                     ? "MPI-5's ABI"
                                                    : "Open MPI ";
}

static const char *version_of(const char *name) {
  return strncmp(name, "openmpi", 7) ? "" : name + 7;
}

static int is_this_file(const char *name) {
  Dl_info info;
  struct stat ours, theirs;
  if (!dladdr((void *)mpispec_foreign_report, &info) || stat(info.dli_fname, &ours))
    return 0;
  if (!strchr(name, '/')) /* found in the loader's search path */
    return !strcmp(name, basename(info.dli_fname));
  return !stat(name, &theirs) && ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

/* Stores the path where this installation has the runtime for the library `name`. Returns 0 if
 * there is no file. The file may be this runtime itself. */
static int find_installed(const char *name, char path[PATH_MAX]) {
  char own[PATH_MAX];
  Dl_info info;
  if (!dladdr((void *)mpispec_foreign_report, &info) || !realpath(info.dli_fname, own))
    return 0;
  for (int up = 0; up < 2; ++up) { /* lib/mpispec/<name>/libmpispec.so */
    char *end = strrchr(own, '/');
    if (!end)
      return 0;
    *end = 0;
  }
  return snprintf(path, PATH_MAX, "%s/%s/libmpispec.so", own, name) < PATH_MAX &&
         !access(path, R_OK);
}

/* Like find_installed, but also returns 0 if the file is this runtime itself, for example by a
 * symbolic link. A restart with this runtime would change nothing. */
static int find_other_runtime(const char *name, char path[PATH_MAX]) {
  return find_installed(name, path) && !is_this_file(path);
}

/* Replaces this runtime in LD_PRELOAD by `other`, or removes it if `other` is null. Another entry
 * for this runtime is removed. Returns 0 if LD_PRELOAD does not contain this runtime. */
static int replace_preload(const char *preloads, const char *other) {
  char *rest = NULL, *copy = strdup(preloads);
  char *made = malloc(strlen(preloads) + PATH_MAX);
  int found = 0;
  if (!copy || !made)
    return 0;
  *made = 0;
  for (char *name = strtok_r(copy, " :", &rest); name; name = strtok_r(NULL, " :", &rest)) {
    const int is_ours = is_this_file(name);
    const char *kept = !is_ours ? name : found ? NULL : other;
    found |= is_ours;
    if (kept && *made)
      strcat(made, ":");
    strcat(made, kept ? kept : "");
  }
  setenv("LD_PRELOAD", made, 1);
  free(copy);
  free(made);
  return found;
}

/* Nonzero on rank 0 of a job. If the launcher does not put the rank into the environment, nonzero
 * on every rank. */
static int is_first(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (getenv(names[i]))
      return !strcmp(getenv(names[i]), "0");
  return 1;
}

static void report_foreign(const char *who, const char *name, const char *remedy) {
  fprintf(stderr, "mpispec: %s uses %s%s, the runtime is built for %s%s: %s\n", who, title_of(name),
          version_of(name), title_of(MPISPEC_RUNTIME_NAME), version_of(MPISPEC_RUNTIME_NAME),
          remedy);
}

void mpispec_foreign_report(const char *who, const char *name, int is_passed_on) {
  char path[PATH_MAX], remedy[PATH_MAX + 96];
  const char *effect = is_passed_on ? "all calls go to MPI; " : "";
  const char *action = who ? "start the program with" : "link it with";
  if (find_other_runtime(name, path))
    snprintf(remedy, sizeof remedy, "%s%s %s%s", effect, action, who ? "LD_PRELOAD=" : "", path);
  else
    snprintf(remedy, sizeof remedy, "%s%sout libmpispec", effect, action);
  if (is_first())
    report_foreign(who ? who : "this program", name, remedy);
}

/* The environment variable that a runtime sets when it starts the program again. Its value is the
 * process id, which execv does not change. A program that was started again gets no third runtime:
 * if the second one cannot serve the library either, it removes itself from LD_PRELOAD. Without
 * this limit, two runtimes in wrong directories could restart the program with each other without
 * end. */
static const char started_again[] = "MPISPEC_STARTED_AGAIN";

static void start_again(char **argv) {
  char process[24];
  snprintf(process, sizeof process, "%ld", (long)getpid());
  setenv(started_again, process, 1);
  execv("/proc/self/exe", argv);
}

static int is_started_again(void) {
  const char *process = getenv(started_again);
  const int is_own = process && atol(process) == (long)getpid();
  unsetenv(started_again);
  return is_own;
}

/* Runs before the program. It needs a C library that passes arguments to constructors. */
__attribute__((constructor(101))) static void leave_foreign(int argc, char **argv) {
  const char *name = mpispec_library_name(), *preloads = getenv("LD_PRELOAD");
  char sibling[PATH_MAX];
  if (!name)
    return; /* a process without MPI, so far */
  const int fits = !strcmp(name, MPISPEC_RUNTIME_NAME);
  const int is_kin = !fits && mpispec_library_is_served(name), again = is_started_again();
  if (mpispec_library_is_served(name))
    mpispec_library_open();
  if (fits)
    return;
  const int has_sibling = !again && find_other_runtime(name, sibling);
  if (is_kin && !has_sibling)
    return;
  char *own = preloads ? strdup(preloads) : NULL;
  const int preloaded = own && argc > 0 && replace_preload(own, has_sibling ? sibling : NULL);
  free(own);
  if (is_kin && !preloaded)
    return;
  if (!preloaded && mpispec_has_table)
    return; /* MPI_Init passes all calls on */
  const char *remedy = "link it without libmpispec";
  if (preloaded && find_installed(name, sibling))
    remedy =
        "it runs without; install mpispec anew: this runtime stands in the place of that one's";
  else if (preloaded)
    remedy = "it runs without; build mpispec for it (MPISPEC_MPIS), or take libmpispec.so out of "
             "LD_PRELOAD";
  if (preloaded ? !has_sibling && is_first() : 1)
    report_foreign("this program", name, remedy);
  if (preloaded)
    start_again(argv);
  _exit(1);
}
