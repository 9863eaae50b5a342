/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Searches all loaded libraries for those of accelerators, and queries them about addresses.
 *
 * Libraries that are loaded after MPI_Init make no difference. Only an MPI library that supports
 * accelerators accepts memory of a device. Any such library, or its transport, has loaded the
 * accelerator's library when PMPI_Init ends. With any other MPI library, a program that passes
 * memory of a device is wrong.
 *
 * Each call makes new queries, because an address may be freed and allocated again as memory of
 * another kind, and the runtime is not notified. No query is made for the stack of the calling
 * thread and the program's own data, which are host memory. */
#define _GNU_SOURCE
#include "job/accelerator.h"

#include "job/accelerator_query.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int mpispec_accelerator_is_queried;
struct mpispec_accelerator_counts mpispec_accelerator_counts;

enum { FAMILIES = MPISPEC_ACCELERATOR_FAMILIES };

/* AMD's library below HIP. Without HIP, its memory cannot be queried (accelerator_query.c). */
static const char below_hip[] = "libhsa-runtime64.so";

static struct {
  char name[64];              /* the first library or function that was found, or "" */
  char paths[FAMILIES][4096]; /* the file with the query, or "" */
  int is_there[FAMILIES];
  int is_below_hip;
} found;

/* --- what is loaded ----------------------------------------------------------------------------*/

static const char *file_name(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return slash ? slash + 1 : path;
}

static int begins_with(const char *text, const char *start) {
  return !strncmp(text, start, strlen(start));
}

static void note(const char *name) {
  if (!found.name[0])
    snprintf(found.name, sizeof found.name, "%.60s", name);
}

static void note_family(int family, const char *file, const char *path) {
  const char *const *files = mpispec_accelerator_families[family].files;
  for (int i = 0; files[i]; ++i)
    if (begins_with(file, files[i])) {
      found.is_there[family] = 1;
      note(file);
      if (!i)
        snprintf(found.paths[family], sizeof found.paths[family], "%s", path);
    }
}

static int note_object(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size, (void)unused;
  const char *file = file_name(object->dlpi_name);
  if (!file)
    return 0;
  for (int family = 0; family < FAMILIES; ++family)
    note_family(family, file, object->dlpi_name);
  if (begins_with(file, below_hip)) {
    found.is_below_hip = 1;
    note(file);
  }
  return 0;
}

/* Also finds the functions in a library of another name, or in the program itself. */
const char *mpispec_accelerator_find(const struct mpispec_environment *environment) {
  if (environment->buffers_are_host)
    return NULL;
  memset(&found, 0, sizeof found);
  dl_iterate_phdr(note_object, NULL);
  for (int family = 0; family < FAMILIES; ++family)
    if (dlsym(RTLD_DEFAULT, mpispec_accelerator_families[family].query)) {
      found.is_there[family] = 1;
      note(mpispec_accelerator_families[family].query);
    }
  return found.name[0] ? found.name : NULL;
}

static int get_loads(struct dl_phdr_info *object, size_t size, void *loads) {
  (void)size;
  *(unsigned long long *)loads = object->dlpi_adds;
  return 1;
}

/* The MPI library may have loaded an accelerator's library without making its symbols global. Then
 * its functions are found only through its file. */
static void *search_function(const char *name) {
  void *function = dlsym(RTLD_DEFAULT, name);
  if (!function)
    dl_iterate_phdr(note_object, NULL); /* the library may have been loaded meanwhile */
  for (int family = 0; family < FAMILIES && !function; ++family) {
    const char *path = found.paths[family];
    void *library = *path ? dlopen(path, RTLD_NOLOAD | RTLD_LAZY) : NULL;
    function = library ? dlsym(library, name) : NULL;
  }
  return function;
}

/* A search in vain is not repeated until another object has been loaded: an accelerator's library
 * may be there without the driver that has the function, and each buffer searches for it. */
static void *find_function(const char *name) {
  static _Thread_local struct {
    const char *name;
    unsigned long long loads; /* of objects, at the time of the search */
  } missing __attribute__((tls_model("initial-exec")));
  unsigned long long loads = 0;
  dl_iterate_phdr(get_loads, &loads);
  if (missing.name == name && missing.loads == loads)
    return NULL;
  void *function = search_function(name);
  missing.name = function ? NULL : name;
  missing.loads = loads;
  return function;
}

/* --- memory without a query --------------------------------------------------------------------*/

struct range {
  uintptr_t begin, end;
};

static int contains(struct range range, uintptr_t address) {
  return range.begin <= address && address < range.end;
}

static struct range program;

/* The first object is the program. */
static int note_program(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size, (void)unused;
  program = (struct range){UINTPTR_MAX, 0};
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const uintptr_t begin = object->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;
    if (part->p_type != PT_LOAD)
      continue;
    program.begin = begin < program.begin ? begin : program.begin;
    program.end = end > program.end ? end : program.end;
  }
  return 1;
}

/* The stack of a thread, or its uppermost part. Even if a stack may grow without limit, Linux maps
 * nothing else within this part. */
static struct range find_stack(void) {
  enum { PART = 8 << 20 };
  struct range stack = {0, 0};
  pthread_attr_t attributes;
  void *lowest;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes))
    return stack;
  if (!pthread_attr_getstack(&attributes, &lowest, &size)) {
    stack.end = (uintptr_t)lowest + size;
    stack.begin = size > PART ? stack.end - PART : (uintptr_t)lowest;
  }
  pthread_attr_destroy(&attributes);
  return stack;
}

/* Nonzero if the address is in or above the innermost frame of this thread's own stack. 0 if the
 * thread runs on a stack that the program has made. */
static int is_on_stack(uintptr_t address) {
  static _Thread_local struct range stack __attribute__((tls_model("initial-exec")));
  const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  if (!stack.end)
    stack = find_stack();
  return contains(stack, frame) && frame <= address && address < stack.end;
}

/* --- queries -----------------------------------------------------------------------------------*/

const char *mpispec_accelerator_open(const struct mpispec_environment *environment) {
  static char reason[128];
  const char *name = mpispec_accelerator_find(environment);
  if (!name)
    return NULL;
  if (found.is_below_hip && !found.is_there[MPISPEC_HIP]) {
    snprintf(reason, sizeof reason,
             "an accelerator's library is loaded (%s), which cannot be asked about memory", name);
    return reason;
  }
  dl_iterate_phdr(note_program, NULL);
  mpispec_accelerator_is_queried = 1;
  return NULL;
}

int mpispec_accelerator_is_host(const void *address) {
  const uintptr_t place = (uintptr_t)address;
  if (contains(program, place) || is_on_stack(place))
    return 1;
  for (int family = 0; family < FAMILIES; ++family)
    if (found.is_there[family] &&
        !mpispec_accelerator_families[family].is_host(find_function, address))
      return 0;
  return 1;
}

void mpispec_accelerator_report(void) {
  fputs("mpispec: an accelerator's library is loaded: buffers in host memory take the lanes, and "
        "each call asks where its buffers are; MPISPEC_BUFFERS=host says that all are there\n",
        stderr);
}

void mpispec_accelerator_report_end(void) {
  fprintf(stderr,
          "mpispec: buffers outside host memory: the MPI library carried %lu messages and %lu "
          "collective operations of rank 0\n",
          mpispec_accelerator_counts.messages, mpispec_accelerator_counts.operations);
}
