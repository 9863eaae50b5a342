/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds other definitions of the functions that the runtime defines. The dynamic linker searches
 * them before or after the runtime's definitions. See next.h. */
#define _GNU_SOURCE
#include "interposition/library/next.h"

#include "abi/library.h"
#include "abi/redirect.h"
#include "interposition/fortran/entries.h"
#include "interposition/fortran/mpif_entry.h"
#include "interposition/fortran/section.h"
#include "interposition/library/profiling.h"
#include "job/pmpi.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct mpispec_next mpispec_next = {
#define TAKEN(NAME) .NAME = PMPI_##NAME,
#include "interposition/library/Taken.def"
#undef TAKEN
};

static const struct {
  const char *name; /* with the P of PMPI */
  void *ours;
  size_t next;    /* offset in mpispec_next */
  int is_startup; /* a row STARTUP of Taken.def: it sends no message */
} table[] = {
#define ROW(NAME, STARTUP)                                                                         \
  {"PMPI_" #NAME, (void *)MPI_##NAME, offsetof(struct mpispec_next, NAME), STARTUP},
#define TAKEN(NAME) ROW(NAME, 0)
#define STARTUP(NAME) ROW(NAME, 1)
#include "interposition/library/Taken.def"
#undef TAKEN
};
enum { ENTRIES = sizeof table / sizeof table[0] };

static const char *behind;
static char reason[128];

struct search {
  ElfW(Addr) address;
  const void *object;
};

static int object_contains(struct dl_phdr_info *object, size_t size, void *given) {
  struct search *search = given;
  (void)size;
  for (int i = 0; i < object->dlpi_phnum && !search->object; ++i) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const ElfW(Addr) begin = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && search->address - begin < part->p_memsz)
      search->object = object->dlpi_phdr;
  }
  return search->object != NULL;
}

/* Identifies the object (program or library) that contains an address. The result is the address of
 * its program headers. The dladdr function would also search all symbols of that object for the
 * nearest one. */
static const void *object_of(const void *address) {
  struct search search = {(ElfW(Addr))address, NULL};
  if (address)
    dl_iterate_phdr(object_contains, &search);
  return search.object;
}

/* --- this runtime, twice -----------------------------------------------------------------------*/

/* If the runtime is preloaded, and the program is linked with it, too, the process has two copies.
 * The copy that is searched first gets all calls. It skips the second copy in its search for tools,
 * and disables it. */
int mpispec_is_duplicate;

void mpispec_shared_rest(void) { mpispec_is_duplicate = 1; }

/* The mpispec_shared_rest of the library that defines `function`; null if that library is no
 * copy of the runtime. */
static void *disabler_of(void *function) {
  Dl_info info;
  void *library = function && dladdr(function, &info) && info.dli_fname
                      ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                      : NULL;
  if (!library)
    return NULL;
  void *rest = dlsym(library, "mpispec_shared_rest");
  dlclose(library);
  return object_of(rest) == object_of(function) ? rest : NULL;
}

int mpispec_is_of_other_copy(void *function) { return disabler_of(function) != NULL; }

static struct link_map *first_object(void) {
  struct link_map *program = NULL;
  void *handle = dlopen(NULL, RTLD_LAZY);
  if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &program))
    return NULL;
  dlclose(handle);
  return program;
}

/* The first definition of `name` in `library` or one that is searched after it. Copies of the
 * runtime are passed over unless `with_runtimes`. */
static void *find_in_libraries(struct link_map *library, const char *name, int with_runtimes) {
  for (; library; library = library->l_next) {
    void *handle = dlopen(library->l_name, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle)
      continue;
    void *found = dlsym(handle, name); /* also searches the libraries that this library needs */
    dlclose(handle);
    if (found && object_of(found) == object_of(library->l_ld) &&
        (with_runtimes || !disabler_of(found)))
      return found;
  }
  return NULL;
}

void *mpispec_definition_behind(const char *name) {
  struct link_map *object = first_object();
  while (object && object_of(object->l_ld) != object_of(&mpispec_next))
    object = object->l_next;
  return object ? find_in_libraries(object->l_next, name, 0) : NULL;
}

/* --- other tools -------------------------------------------------------------------------------*/

/* The object that defines `profiling` (PMPI_Send) is the MPI library. In most libraries MPI_Send
 * and PMPI_Send are one function. Then the first test is sufficient. */
void *mpispec_tool_function_behind(const char *name, const char *profiling) {
  void *next = dlsym(RTLD_NEXT, name), *library = dlsym(RTLD_NEXT, profiling);
  if (next == library)
    return NULL;
  void *rest = next ? disabler_of(next) : NULL;
  if (!rest)
    return object_of(next) == object_of(library) ? NULL : next;
  ((void (*)(void))rest)();
  next = mpispec_definition_behind(name);
  return object_of(next) == object_of(mpispec_definition_behind(profiling)) ? NULL : next;
}

/* Finds the library's PMPI functions whose names the runtime defines, too (profiling.h). They are
 * the next definitions unless a tool is found. */
static void find_pmpi(void) {
  void *const ours[] = {
#define PROFILING(NAME) (void *)mpispec_profiling_##NAME,
#include "job/Profiling.def"
#undef PROFILING
  };
  mpispec_pmpi_find(ours);
#define PROFILING(NAME) mpispec_next.NAME = mpispec_pmpi.NAME;
#include "job/Profiling.def"
#undef PROFILING
}

/* If the process has no Fortran binding, the runtime's Fortran functions have no next definitions.
 * A binding whose PMPI names are not in the table is treated as a tool. */
static void find_next_of_fortran(void) {
  const struct mpispec_fortran_entry *entries = mpispec_fortran_entries;
  /* The first two rows begin MPI: MPI_Init in both spellings, or MPI_Init and MPI_Init_thread. */
  const int has_any = mpispec_fortran_entry_count &&
                      (dlsym(RTLD_NEXT, entries[0].public) || dlsym(RTLD_NEXT, entries[1].public));
  const int count = has_any ? mpispec_fortran_entry_count : 0;
  for (int i = 0; i < count; ++i) {
    void *tool = mpispec_tool_function_behind(entries[i].public, entries[i].profiling);
    if (!tool)
      continue;
    mpispec_fortran_forward_to(i, tool);
    behind = entries[i].public;
  }
}

static void find_next(void) {
  for (size_t i = 0; i < ENTRIES; ++i) {
    void *tool = mpispec_tool_function_behind(table[i].name + 1, table[i].name);
    if (!tool)
      continue;
    memcpy((char *)&mpispec_next + table[i].next, &tool, sizeof tool);
    if (!table[i].is_startup)
      behind = table[i].name + 1;
  }
  find_next_of_fortran();
}

/* Redirects one function to a foreign library. If this library lacks the function, programs find a
 * null pointer instead. */
static int pass_on(void *ours, const char *name) {
  void *target = mpispec_library_foreign(name);
  const int is_there = target && object_of(target) != object_of(ours);
  return is_there ? mpispec_redirect(ours, target) : mpispec_unbind(ours);
}

/* Redirects all functions of the runtime to those of a foreign library. The runtime itself calls
 * MPI_Init and MPI_Init_thread, whose arguments are the same in all libraries. */
static int pass_on_all(void) {
  int is_done = 1;
  for (size_t i = 0; i < ENTRIES; ++i)
    is_done &= pass_on(table[i].ours, table[i].name + 1);
#define PROFILING(NAME) is_done &= pass_on((void *)mpispec_profiling_##NAME, "PMPI_" #NAME);
#include "job/Profiling.def"
#undef PROFILING
  for (int i = 0; i < mpispec_fortran_entry_count; ++i)
    is_done &= pass_on(mpispec_fortran_entries[i].ours, mpispec_fortran_entries[i].public);
#ifdef MPISPEC_STYLE_MPICH
  for (int i = 0; i < MPISPEC_MPIF_FUNCTIONS; ++i)
    is_done &= pass_on(mpispec_mpif_entries[i].ours, mpispec_mpif_entries[i].names[0]);
  for (int i = 0; i < MPISPEC_SECTION_FUNCTIONS; ++i)
    is_done &= pass_on(mpispec_section_entries[i].ours, mpispec_section_entries[i].public);
#endif
  mpispec_next.Init = (__typeof__(mpispec_next.Init))mpispec_library_foreign("MPI_Init");
  mpispec_next.Init_thread =
      (__typeof__(mpispec_next.Init_thread))mpispec_library_foreign("MPI_Init_thread");
  return is_done;
}

/* Runs when the runtime is loaded, before main, because functions that may be called before
 * MPI_Init need their next definition, too. The priority is 101, the first one that a program may
 * give to its own constructors, because such a constructor may call MPI_Init. */
__attribute__((constructor(101))) static void open_next(void) {
  static int is_open;
  if (is_open++)
    return;
  find_pmpi();
  if (mpispec_library_is_found())
    find_next();
}

int mpispec_next_begin(const void *caller) {
  open_next(); /* a constructor of the same priority may have been first */
  const enum mpispec_library_change change = mpispec_library_begin(caller);
  if (change == MPISPEC_LIBRARY_CHANGED)
    find_next();
  if (change == MPISPEC_LIBRARY_FOREIGN && !pass_on_all())
    _exit(1);
  return change == MPISPEC_LIBRARY_FOREIGN;
}

static const char *format_reason(const char *format, const char *name) {
  snprintf(reason, sizeof reason, format, name);
  return reason;
}

const char *mpispec_tool_behind(void) {
  return behind ? format_reason("another tool stands behind the runtime and gets all calls (%s)",
                                behind)
                : NULL;
}

/* Nonzero if `address` is a PLT entry of the program (a stub). A program at a fixed address that
 * takes a function's address has a PLT entry, which jumps to the definition. All libraries use the
 * address of this entry for the function. */
static int is_stub(void *address) {
  Dl_info info;
  const ElfW(Sym) *symbol = NULL;
  return object_of(address) == object_of(first_object()->l_ld) &&
         dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
         symbol->st_shndx == SHN_UNDEF;
}

void *mpispec_definition_reached(const char *name) {
  void *reached = dlsym(RTLD_DEFAULT, name);
  return reached && is_stub(reached) ? find_in_libraries(first_object()->l_next, name, 1) : reached;
}

void *mpispec_definition(const char *name) {
  void *reached = mpispec_definition_reached(name);
  return reached ? reached : find_in_libraries(first_object(), name, 0);
}

/* Compares the definition that a call from a library reaches with the runtime's. If there is none,
 * MPI is linked into the program, and only the program calls it. */
const char *mpispec_tool_in_front(void) {
  for (size_t i = 0; i < ENTRIES; ++i) {
    void *reached = table[i].is_startup ? NULL : mpispec_definition_reached(table[i].name + 1);
    if (reached && reached != table[i].ours)
      return format_reason("another tool or a static link stands before the runtime (%s)",
                           table[i].name + 1);
  }
  return NULL;
}
