/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Searches the scope of the process first. See caller_definition.h. */
#define _GNU_SOURCE
#include "interposition/library/caller_definition.h"

#include "interposition/library/next.h"
#include "progress/library_polls.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

int mpispec_are_in_one_object(const void *one, const void *other) {
  Dl_info first, second;
  return dladdr(one, &first) && dladdr(other, &second) && first.dli_fbase == second.dli_fbase;
}

/* Returns null if another copy of the runtime comes next, because copies get no calls (next.h). */
static void *find_in_scope(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  return mpispec_is_of_other_copy(found) ? NULL : found;
}

/* Searches the library that contains `caller`, and the libraries that it needs. The handle is never
 * closed. Therefore the library stays loaded, and no other library gets this return address. */
static void *find_in_library_of(void *caller, const char *name) {
  Dl_info info;
  struct link_map *object = NULL;
  if (!dladdr1(caller, &info, (void **)&object, RTLD_DL_LINKMAP) || !object || !*object->l_name)
    return NULL;
  void *library = dlopen(object->l_name, RTLD_LAZY | RTLD_NOLOAD);
  void *found = library ? dlsym(library, name) : NULL;
  return found && !mpispec_are_in_one_object(found, (void *)mpispec_library_polled) ? found : NULL;
}

void *mpispec_definition_for_caller(const char *name, void *caller) {
  void *found = find_in_scope(name);
  if (!found)
    found = find_in_library_of(caller, name);
  return found ? found : mpispec_definition_behind(name);
}
