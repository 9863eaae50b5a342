/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds the MPI library when the runtime is loaded. See library.h. */
#define _GNU_SOURCE
#include "abi/library.h"

#include "abi/mpi.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef __typeof__(&PMPI_Get_library_version) get_version;

/* That of an object, or of a library that it needs. */
static get_version find_version_of(struct link_map *object) {
  Dl_info info;
  void *handle = *object->l_name ? dlopen(object->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  void *found = handle && !(dladdr((void *)mpispec_library_name, &info) &&
                            info.dli_fbase == (void *)object->l_addr)
                    ? dlsym(handle, "PMPI_Get_library_version")
                    : NULL;
  if (handle)
    dlclose(handle);
  return (get_version)found;
}

/* The list of loaded objects; the program is first. */
static struct link_map *first_object(void) {
  struct link_map *object = NULL;
  void *program = dlopen(NULL, RTLD_LAZY);
  return program && !dlinfo(program, RTLD_DI_LINKMAP, &object) ? object : NULL;
}

/* Returns the function of the library that the program uses. A Fortran program may depend on its
 * binding's library only, which depends on MPI. Then the dynamic linker searches the runtime's own
 * library first. Therefore the first object that depends on a library determines it. */
static get_version find_version(void) {
  get_version found = NULL;
  for (struct link_map *object = first_object(); object && !found; object = object->l_next)
    found = find_version_of(object);
  return found ? found : PMPI_Get_library_version;
}

/* Nonzero if the library that defines `get` has MPI-4.1's functions. */
static int has_newer(get_version get) {
  Dl_info info;
  void *library =
      dladdr((void *)get, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  const int has = dlsym(library ? library : RTLD_DEFAULT, "PMPI_Request_get_status_any") != NULL;
  if (library)
    dlclose(library);
  return has;
}

enum { NAME = 16 };

/* The version may be asked for at any time, and takes no handle. A library of MPI-5's ABI may be
 * MPICH, too: its file's name tells. */
static const char *name_of(get_version get, char name[NAME]) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length, major = 0;
  Dl_info info;
  if (dladdr((void *)get, &info) && info.dli_fname && strstr(info.dli_fname, "libmpi_abi."))
    return "abi";
  get(version, &length);
  const char *open = strstr(version, "Open MPI v");
  if (!open)
    return has_newer(get) ? "mpich42" : "mpich";
  sscanf(open, "Open MPI v%d", &major);
  snprintf(name, NAME, "openmpi%d", major);
  return name;
}

const char *mpispec_library_name(void) {
  static char name[NAME];
  return name_of(find_version(), name);
}

static int has_handles_of_mpich(const char *name) { return !strncmp(name, "mpich", 5); }

/* Its file, without the directory. */
static const char *file_of(get_version get) {
  Dl_info info;
  if (!dladdr((void *)get, &info) || !info.dli_fname)
    return "the program";
  const char *slash = strrchr(info.dli_fname, '/');
  return slash ? slash + 1 : info.dli_fname;
}

/* Compares the interfaces of two libraries by their names. */
static int have_one_interface(const char *one, const char *other) {
  return !strcmp(one, other) || (has_handles_of_mpich(one) && has_handles_of_mpich(other));
}

static char mixture[256];

static void find_mixture(void) {
  const get_version first = find_version();
  for (struct link_map *object = first_object(); object && !*mixture; object = object->l_next) {
    char name[NAME], first_name[NAME];
    const get_version get = find_version_of(object);
    if (get && get != first && !have_one_interface(name_of(get, name), name_of(first, first_name)))
      snprintf(mixture, sizeof mixture,
               "the program has two MPI libraries, %.64s and %.64s; link it with one",
               file_of(first), file_of(get));
  }
}

const char *mpispec_library_mixture(void) { return *mixture ? mixture : NULL; }

/* The name for messages, without the version, which distinguishes Open MPI's interfaces. */
static const char *title_of(const char *name) {
  return has_handles_of_mpich(name) ? "MPICH" : !strcmp(name, "abi") ? "MPI-5's ABI" : "Open MPI ";
}

static const char *version_of(const char *name) {
  return strncmp(name, "openmpi", 7) ? "" : name + 7;
}

static int is_this_file(const char *name) {
  Dl_info info;
  struct stat ours, theirs;
  return dladdr((void *)mpispec_library_name, &info) && !stat(info.dli_fname, &ours) &&
         !stat(name, &theirs) && ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

/* Finds the file that is installed beside this runtime as the one for that library. */
static int find_place(const char *name, char path[PATH_MAX]) {
  char own[PATH_MAX];
  Dl_info info;
  if (!dladdr((void *)mpispec_library_name, &info) || !realpath(info.dli_fname, own))
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

/* Finds the runtime for that library if it is installed beside this one. A link there may lead to
 * this runtime itself. Starting the program again with it would never end. */
static int find_sibling(const char *name, char path[PATH_MAX]) {
  return find_place(name, path) && !is_this_file(path);
}

/* Replaces this runtime in LD_PRELOAD by `other`, or removes it if `other` is null. Returns 0 if
 * LD_PRELOAD does not contain this runtime. */
static int replace_preload(const char *preloads, const char *other) {
  char *rest = NULL, *copy = strdup(preloads);
  char *made = malloc(strlen(preloads) + PATH_MAX);
  int found = 0;
  if (!copy || !made)
    return 0;
  *made = 0;
  for (char *name = strtok_r(copy, " :", &rest); name; name = strtok_r(NULL, " :", &rest)) {
    const int is_ours = is_this_file(name);
    const char *kept = is_ours ? other : name;
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

/* Nonzero on one rank of a job, if the launcher states the rank. */
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

static int is_served(const char *name) { return have_one_interface(name, MPISPEC_RUNTIME_NAME); }

void mpispec_library_check(const void *caller) {
  Dl_info info;
  struct link_map *object;
  char kind[NAME], path[PATH_MAX], remedy[PATH_MAX + 64];
  if (!dladdr1(caller, &info, (void **)&object, RTLD_DL_LINKMAP) || !*object->l_name)
    return;
  const get_version get = find_version_of(object);
  const char *name = get ? name_of(get, kind) : MPISPEC_RUNTIME_NAME;
  if (is_served(name))
    return;
  if (find_sibling(name, path))
    snprintf(remedy, sizeof remedy, "start the program with LD_PRELOAD=%s", path);
  else
    snprintf(remedy, sizeof remedy, "start the program without it");
  if (is_first())
    report_foreign(object->l_name, name, remedy);
  _exit(1);
}

/* The variable that a runtime sets when it starts the program again. Its value is the number of the
 * process, which does not change. The other runtime may be installed in a wrong place, too, and
 * lead back by links. Therefore a program is started again only once. */
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
  const int fits = !strcmp(name, MPISPEC_RUNTIME_NAME);
  const int is_kin = !fits && is_served(name), again = is_started_again();
  if (is_served(name))
    find_mixture();
  if (fits)
    return;
  const int has_sibling = !again && find_sibling(name, sibling);
  if (is_kin && !has_sibling)
    return;
  char *own = preloads ? strdup(preloads) : NULL;
  const int preloaded = own && argc > 0 && replace_preload(own, has_sibling ? sibling : NULL);
  free(own);
  if (is_kin && !preloaded)
    return;
  const char *remedy = "link it without libmpispec";
  if (preloaded && find_place(name, sibling))
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
