/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Searches all loaded libraries for the library of an accelerator. If there is one, any pointer may
 * be a device's, and a test of each pointer would call that library each time.
 *
 * Libraries that are loaded later make no difference. Only an MPI library that supports
 * accelerators accepts device pointers. Any such library, or its transport, has loaded the
 * accelerator's library when PMPI_Init ends. With any other MPI library, a program that passes
 * device pointers is wrong.
 */
#define _GNU_SOURCE
#include "job/accelerator.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static char reason[128];

static const char *file_name(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return slash ? slash + 1 : path;
}

static int check_object(struct dl_phdr_info *object, size_t size, void *unused) {
  static const char *const names[] = {"libcuda.so", "libcudart.so", "libamdhip64.so",
                                      "libhsa-runtime64.so", "libze_loader.so"};
  (void)size, (void)unused;
  const char *file = file_name(object->dlpi_name);
  for (unsigned i = 0; file && i < sizeof names / sizeof names[0]; ++i)
    if (!strncmp(file, names[i], strlen(names[i]))) {
      snprintf(reason, sizeof reason, "an accelerator's library is loaded (%.60s)", file);
      return 1;
    }
  return 0;
}

/* The same functions from a library of another name, or from the program itself. */
static int has_functions(void) {
  static const char *const names[] = {"cuPointerGetAttribute", "hipPointerGetAttributes",
                                      "zeMemGetAllocProperties"};
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (dlsym(RTLD_DEFAULT, names[i])) {
      snprintf(reason, sizeof reason, "an accelerator's library is loaded (%s)", names[i]);
      return 1;
    }
  return 0;
}

const char *mpispec_accelerator(void) {
  return dl_iterate_phdr(check_object, NULL) || has_functions() ? reason : NULL;
}
