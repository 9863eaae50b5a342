/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds the MPI library when the runtime is loaded, or at MPI_Init. See library.h. */
#define _GNU_SOURCE
#include "abi/library.h"

#include "abi/foreign.h"
#include "abi/library_table.h"
#include "abi/mpi.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef __typeof__(&PMPI_Get_library_version) get_version;

/* Returns PMPI_Get_library_version of an object, or of a library that it needs. Returns null for
 * the program, for this runtime, and for an object that needs no MPI library. */
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

static get_version find_in_libraries(void) {
  get_version found = NULL;
  for (struct link_map *object = first_object(); object && !found; object = object->l_next)
    found = find_version_of(object);
  return found;
}

static int is_in_program(get_version get) {
  Dl_info info;
  struct link_map *object;
  return dladdr1((void *)get, &info, (void **)&object, RTLD_DL_LINKMAP) && !*object->l_name;
}

/* Returns PMPI_Get_library_version of the library that the program's calls reach; null if there is
 * none. The library is the first one in the dynamic linker's global order of search. If this order
 * has no library, the first loaded object that depends on a library determines it. A program that
 * itself defines the function contains its library, or has a stub that jumps to a library. In both
 * cases, a library of a loaded object is preferred. */
static get_version find_version(void) {
  const get_version first = (get_version)dlsym(RTLD_DEFAULT, "PMPI_Get_library_version");
  if (first && !is_in_program(first))
    return first;
  const get_version found = find_in_libraries();
  if (found)
    return found;
  return first || mpispec_has_table ? first : PMPI_Get_library_version;
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

/* MPI_MAX_LIBRARY_VERSION_STRING of the library may be larger than that of this runtime's <mpi.h>.
 * The largest value is that of MPICH and of MPI-5's ABI: 8192 characters. */
enum { NAME = 16, VERSION = 8192 };

/* PMPI_Get_library_version may be called at any time, and has no handle as an argument. MPICH may
 * also be built with MPI-5's ABI. The file name of such a library distinguishes it. */
static const char *name_of(get_version get, char name[NAME]) {
  char version[VERSION + 1] = "";
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
  const get_version get = find_version();
  return get ? name_of(get, name) : NULL;
}

int mpispec_library_has_handles_of_mpich(const char *name) { return !strncmp(name, "mpich", 5); }

/* The file name of a library, without the directory. */
static const char *file_of(get_version get) {
  Dl_info info;
  if (!dladdr((void *)get, &info) || !info.dli_fname)
    return "the program";
  const char *slash = strrchr(info.dli_fname, '/');
  return slash ? slash + 1 : info.dli_fname;
}

/* Compares the interfaces of two libraries by their names. */
static int have_one_interface(const char *one, const char *other) {
  return !strcmp(one, other) ||
         (mpispec_library_has_handles_of_mpich(one) && mpispec_library_has_handles_of_mpich(other));
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

int mpispec_library_is_served(const char *name) {
  return have_one_interface(name, MPISPEC_RUNTIME_NAME);
}

/* --- the library in use ------------------------------------------------------------------------*/

static get_version in_use;
static void *in_use_handle; /* keeps it loaded */

/* Finds the library's own definition. The runtime also defines names such as PMPI_Wait. */
static void *find_function(const char *name) { return dlsym(in_use_handle, name); }

/* A program at a fixed address may contain a copy of the library's variable (a copy relocation).
 * The library then uses this copy, which is the first definition in the global order of search. If
 * this order does not contain the library, the library's own definition is used. */
static void *find_variable(const char *name) {
  const int is_searched =
      dlsym(RTLD_DEFAULT, "PMPI_Get_library_version") == find_function("PMPI_Get_library_version");
  return is_searched ? dlsym(RTLD_DEFAULT, name) : find_function(name);
}

/* A handle of the object that contains `function`; null if there is no such object. */
static void *open_object_of(const void *function) {
  Dl_info info;
  struct link_map *object;
  if (!function || !dladdr1(function, &info, (void **)&object, RTLD_DL_LINKMAP))
    return NULL;
  return dlopen(*object->l_name ? object->l_name : NULL, RTLD_LAZY | RTLD_NOLOAD);
}

static void use(get_version get) {
  in_use = get;
  in_use_handle = mpispec_has_table ? open_object_of((void *)get) : NULL;
  if (in_use_handle)
    mpispec_table_fill(find_function, find_variable);
}

void mpispec_library_open(void) {
  use(find_version());
  find_mixture();
}

int mpispec_library_is_found(void) { return !mpispec_has_table || in_use; }

static _Noreturn void end_without_library(void) {
  fprintf(stderr, "mpispec: this process has no MPI library: name it in the link of the program, "
                  "behind -Wl,--no-as-needed\n");
  _exit(1);
}

void mpispec_library_bind_late(void) {
  use(find_version());
  if (!in_use)
    end_without_library();
}

/* --- MPI_Init ----------------------------------------------------------------------------------*/

/* The path of the file that contains a function. */
static const char *path_of(const void *function) {
  Dl_info info;
  return dladdr(function, &info) && info.dli_fname ? info.dli_fname : "the program";
}

/* The library of the object that contains `caller`; null if this object is the program, or depends
 * on no library. */
static get_version find_version_for(const void *caller) {
  Dl_info info;
  struct link_map *object;
  const int is_library =
      dladdr1(caller, &info, (void **)&object, RTLD_DL_LINKMAP) && *object->l_name;
  return is_library ? find_version_of(object) : NULL;
}

static _Noreturn void end_with_two(const void *caller, get_version other) {
  fprintf(stderr,
          "mpispec: %s begins MPI by %s, but this process has begun it by %s: load only parts that "
          "use one of them\n",
          path_of(caller), path_of((void *)other), path_of((void *)in_use));
  _exit(1);
}

/* Handles of a foreign library, and of the object that uses it. The latter may also need the
 * library of a Fortran binding. */
static void *foreign, *foreign_user;

void *mpispec_library_foreign(const char *name) {
  void *found = dlsym(foreign, name);
  return found ? found : dlsym(foreign_user, name);
}

static enum mpispec_library_change turn_to_foreign(const void *caller, get_version get,
                                                   const char *name) {
  Dl_info info;
  struct link_map *object;
  const int is_known = dladdr1(caller, &info, (void **)&object, RTLD_DL_LINKMAP);
  foreign = mpispec_has_table ? open_object_of((void *)get) : NULL;
  foreign_user = open_object_of(caller);
  mpispec_foreign_report(is_known && *object->l_name ? object->l_name : NULL, name,
                         foreign != NULL);
  if (!foreign || !foreign_user)
    _exit(1);
  return MPISPEC_LIBRARY_FOREIGN;
}

enum mpispec_library_change mpispec_library_begin(const void *caller) {
  static int has_begun;
  char kind[NAME];
  const get_version own = find_version_for(caller), before = in_use;
  const get_version get = own ? own : before ? before : find_version();
  if (!get)
    end_without_library();
  if (has_begun && get != before)
    end_with_two(caller, get);
  const char *name = name_of(get, kind);
  if (!mpispec_library_is_served(name))
    return turn_to_foreign(caller, get, name);
  has_begun = 1;
  if (get != before && mpispec_has_table)
    use(get);
  return in_use != before ? MPISPEC_LIBRARY_CHANGED : MPISPEC_LIBRARY_KEPT;
}
