/* Finds what stands behind and before each of our functions. next.h says what for. */
#define _GNU_SOURCE
#include "interposition/next.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct mpispec_next mpispec_next = {
#define TAKEN(NAME) .NAME = PMPI_##NAME,
#include "interposition/Taken.def"
#undef TAKEN
};

static const struct {
  const char *name; /* with the P of PMPI */
  void *ours;
  size_t next; /* offset in mpispec_next */
  int is_life;
} table[] = {
#define ROW(NAME, LIFE)                                                                            \
  {"PMPI_" #NAME, (void *)MPI_##NAME, offsetof(struct mpispec_next, NAME), LIFE},
#define TAKEN(NAME) ROW(NAME, 0)
#define LIFE(NAME) ROW(NAME, 1)
#include "interposition/Taken.def"
#undef TAKEN
};
enum { ENTRIES = sizeof table / sizeof table[0] };

static const char *behind;
static char reason[128];

/* The object, program or library, that an address belongs to. */
static const void *object_of(const void *address) {
  Dl_info info;
  return address && dladdr(address, &info) ? info.dli_fbase : NULL;
}

/* The definition after ours, if it is neither absent nor the MPI library's. (With most libraries
 * MPI_Send and PMPI_Send are one function.) */
static void *find_tool_behind(const char *name) {
  void *next = dlsym(RTLD_NEXT, name + 1), *library = dlsym(RTLD_NEXT, name);
  return !next || next == library || object_of(next) == object_of(library) ? NULL : next;
}

/* As early as can be: functions that need no MPI_Init are handed on, too. */
__attribute__((constructor)) static void find_next(void) {
  for (size_t i = 0; i < ENTRIES; ++i) {
    void *tool = find_tool_behind(table[i].name);
    if (!tool)
      continue;
    memcpy((char *)&mpispec_next + table[i].next, &tool, sizeof tool);
    if (!table[i].is_life)
      behind = table[i].name + 1;
  }
}

static const char *tell(const char *format, const char *name) {
  snprintf(reason, sizeof reason, format, name);
  return reason;
}

const char *mpispec_tool_behind(void) {
  return behind ? tell("another tool stands behind the runtime and gets all calls (%s)", behind)
                : NULL;
}

/* The address of a function as a program sees it that is bound to one place in memory and takes
 * that address: a stub in the program itself, leading to the definition. */
static int is_stub(void *address) {
  Dl_info info;
  const ElfW(Sym) *symbol = NULL;
  return dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
         symbol->st_shndx == SHN_UNDEF;
}

/* The first definition in a library, in the order in which they are searched. */
static void *find_in_libraries(const char *name) {
  struct link_map *library = NULL;
  void *program = dlopen(NULL, RTLD_LAZY), *found = NULL;
  if (!program || dlinfo(program, RTLD_DI_LINKMAP, &library))
    return NULL;
  dlclose(program);
  for (library = library->l_next; library && !found; library = library->l_next) {
    void *handle = dlopen(library->l_name, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle)
      continue;
    found = dlsym(handle, name); /* or in what that library needs */
    if (object_of(found) != object_of(library->l_ld))
      found = NULL;
    dlclose(handle);
  }
  return found;
}

/* Whom does a library's call reach? If nobody, MPI is part of the program, and only that calls it.
 */
const char *mpispec_tool_in_front(void) {
  for (size_t i = 0; i < ENTRIES; ++i) {
    void *reached = table[i].is_life ? NULL : dlsym(RTLD_DEFAULT, table[i].name + 1);
    if (reached && reached != table[i].ours && is_stub(reached))
      reached = find_in_libraries(table[i].name + 1);
    if (reached && reached != table[i].ours)
      return tell("another tool or a static link stands before the runtime (%s)",
                  table[i].name + 1);
  }
  return NULL;
}
