/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tests the names in the relocations of all loaded objects. bypass.h gives the purpose. */
#define _GNU_SOURCE
#include "interposition/fortran/bypass.h"

#include "abi/relocations.h"
#include "interposition/fortran/entries.h"
#include "interposition/fortran/kinds.h"
#include "interposition/library/next.h"
#include "job/memory.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static char text[160];

static const char *format_reason(const char *format, const char *name) {
  snprintf(text, sizeof text, format, name);
  return text;
}

static const char in_front[] = "another tool or a static link stands before the runtime (%s)";

/* Nonzero if `name` is the form of the function for large counts: mpi_buffer_detach_c_f08_,
 * mpi_buffer_detach_f08_large_. That of MPI_Get_count only reads a status, as the library does. */
static int is_large_form(const char *name, const struct mpispec_fortran_entry *entry) {
  static const char *const endings[] = {"_c_f08_", "_f08_large_"};
  const size_t length = strlen(entry->name);
  if (strncmp(name + strlen("mpi_"), entry->name, length) || !strcmp(entry->name, "get_count"))
    return 0;
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i)
    if (!strcmp(name + strlen("mpi_") + length, endings[i]))
      return 1;
  return 0;
}

/* The state of a search over all objects. During the search, the dynamic linker holds a lock. Other
 * threads take this lock while they hold the lock for the look-up of names. Therefore names are
 * looked up only before and after the search. */
enum { SPELLINGS = 2 }; /* the functions of the table's first two rows start MPI */
enum { REFERENCES = 128 };
struct reference {
  const char *name, *reason;
};
static struct search {
  const void *init[SPELLINGS];             /* the binding's own, or null */
  const char *reason;                      /* why the runtime would not get calls */
  unsigned char *is_imported;              /* [mpispec_fortran_entry_count] some object calls it */
  struct reference references[REFERENCES]; /* functions that the runtime does not define */
  int reference_count;
  int is_apart; /* the object at hand is the program, and does not contain the runtime */
} search;

/* Keeps the first reason. */
static void note(const char *format, const char *name) {
  if (!search.reason)
    search.reason = format_reason(format, name);
}

/* Keeps a name for judge_references, because no name may be looked up during the search. */
static void note_reference(const char *format, const char *name) {
  if (search.reference_count < REFERENCES)
    search.references[search.reference_count++] = (struct reference){name, format};
  else
    note(format, name);
}

/* Names of functions of later libraries, without the letters MPI. Some would get a request of the
 * runtime, or attach a buffer that the runtime would not record. In the other functions of this
 * list, a rank would wait while other ranks need its progress. */
static const char *const unknown[] = {
#ifndef MPISPEC_HAS_MPI_4_1
#define NEWER(NAME, PARAMETERS) "_" #NAME,
#define LACKING(NAME, PARAMETERS)
#define CALLED(NAME, PARAMETERS)
#include "abi/Lacking.def"
#undef NEWER
#undef LACKING
#undef CALLED
#endif
    "X_Request_is_complete", "X_Stream_comm_create", "X_Stream_comm_create_multiplex",
    "X_Threadcomm_init",     "X_Win_create_notify",  "X_Win_free_notify",
};

/* Compares names of C, and names of Fortran in any spelling: MPI_Comm_flush_buffer,
 * pmpi_comm_flush_buffer_. */
static const char is_unknown[] = "the runtime for this program does not know %s";
static void judge_unknown(const char *name) {
  const char *rest = name + (*name == 'P' || *name == 'p');
  for (size_t i = 0; !strncasecmp(rest, "mpi", 3) && i < sizeof unknown / sizeof unknown[0]; ++i) {
    const size_t length = strlen(unknown[i]);
    if (!strncasecmp(rest + 3, unknown[i], length) && strchr("_", rest[3 + length]))
      note_reference(is_unknown, name);
  }
}

/* Nonzero if `name` is another name of a function of mpif.h, made by another option of the
 * compiler: mpi_send, mpi_send__ or MPI_SEND for mpi_send_. MPI_Send is a function of C. */
static int is_other_name(const char *name, const struct mpispec_fortran_entry *entry) {
  const size_t length = strlen("mpi_") + strlen(entry->name);
  const char *ending = name + length;
  if (strlen(entry->public) != length + 1 || strncasecmp(name, entry->public, length))
    return 0;
  if (*name == 'M')
    return !*ending && !name[strcspn(name, "abcdefghijklmnopqrstuvwxyz")];
  return !strncmp(name, entry->public, length) && (!*ending || !strcmp(ending, "__"));
}

/* A binding may define several names of a function. The runtime defines one of them if the function
 * calls PMPI. */
static const char has_other_name[] =
    "a part of the program calls MPI by Fortran under another name (%s)";
static void judge_other_name(const char *name) {
  const char *rest = name + (*name == 'P' || *name == 'p');
  for (int i = 0; !strncasecmp(rest, "mpi_", 4) && i < mpispec_fortran_entry_count; ++i)
    if (is_other_name(rest, &mpispec_fortran_entries[i]))
      note_reference(has_other_name, name);
}

/* Functions of C for messages, without the letters PMPI. A message that a program sends by such a
 * name would not match a receive by MPI_Recv. If the program contains the runtime, mpispec has
 * searched for these names when it linked the program. Libraries are not searched: parts of MPI
 * libraries call these functions for their own messages. */
static const char *const messages[] = {
    "_Send",
    "_Bsend",
    "_Ssend",
    "_Rsend",
    "_Isend",
    "_Ibsend",
    "_Issend",
    "_Irsend",
    "_Send_init",
    "_Bsend_init",
    "_Ssend_init",
    "_Rsend_init",
    "_Recv",
    "_Irecv",
    "_Recv_init",
    "_Mrecv",
    "_Imrecv",
    "_Sendrecv",
    "_Isendrecv",
    "_Sendrecv_replace",
    "_Psend_init",
    "_Precv_init",
    "_Isendrecv_replace",
};

static void judge_profiling(const char *name) {
  if (!search.is_apart || strncmp(name, "PMPI_", 5))
    return;
  for (size_t i = 0; i < sizeof messages / sizeof messages[0]; ++i) {
    const size_t length = strlen(messages[i]);
    const char *rest = name + 4 + length;
    if (!strncmp(name + 4, messages[i], length) && (!*rest || !strcmp(rest, "_c")))
      note("a part of the program calls PMPI (%s)", name);
  }
}

/* Notes a reason if the name shows that the runtime would not get a call of `name`. */
static void judge(const char *name) {
  const int is_profiling = name[0] == 'p';
  judge_unknown(name);
  judge_other_name(name);
  judge_profiling(name);
  if (strncmp(name + is_profiling, "mpi", 3))
    return;
  for (int i = 0; i < mpispec_fortran_entry_count; ++i) {
    const struct mpispec_fortran_entry *entry = &mpispec_fortran_entries[i];
    if (is_profiling && !strcmp(name, entry->profiling))
      note("a part of the program calls PMPI by Fortran (%s)", name);
    else if (!is_profiling && !strcmp(name, entry->public))
      search.is_imported[i] = 1;
    else if (!is_profiling && is_large_form(name, entry))
      note("the runtime does not know a function of mpi_f08 (%s)", name);
  }
}

static void judge_relocation(const struct mpispec_relocation *relocation, void *unused) {
  (void)unused;
  if (relocation->symbol->st_shndx == SHN_UNDEF)
    judge(relocation->name);
}

/* Nonzero if the object is the binding, or one of its libraries. The search skips these objects. If
 * they call a PMPI function, the program's call has reached the runtime's function first. */
static int is_binding(const struct dl_phdr_info *object) {
  return mpispec_object_holds(object, search.init[0]) ||
         mpispec_object_holds(object, search.init[1]);
}

/* Nonzero if the program contains a binding that is linked statically. The program then has no
 * relocations for the binding's functions, but contains the binding's object for MPI_BOTTOM. A
 * program may contain this object even if the binding is a library. Therefore the function also
 * tests which object contains the binding's MPI_Init. */
static int has_binding(const struct dl_phdr_info *program) {
  return mpispec_object_holds(program, MPISPEC_FORTRAN_BOTTOM) &&
         ((!search.init[0] && !search.init[1]) || is_binding(program));
}

static int search_object(struct dl_phdr_info *object, size_t size, void *unused) {
  const int is_program = !object->dlpi_name[0];
  (void)size, (void)unused;
  if (!is_program && is_binding(object))
    return 0;
  search.is_apart = is_program && !mpispec_object_holds(object, mpispec_fortran_bypass);
  if (is_program && has_binding(object))
    note(in_front, mpispec_fortran_entries[0].public);
  mpispec_relocations_visit(object, judge_relocation, NULL);
  return 0;
}

/* Returns a reason if a function that is called is not the runtime's, else the reason that was
 * found before, or null. If a tool defines a function and also calls PMPI, both are reasons. The
 * text that names the tool's function is the clearer one. */
static const char *find_other_definition(void) {
  for (int i = 0; i < mpispec_fortran_entry_count; ++i) {
    const struct mpispec_fortran_entry *entry = &mpispec_fortran_entries[i];
    if (search.is_imported[i] && mpispec_definition_reached(entry->public) != entry->ours)
      return format_reason(in_front, entry->public);
  }
  return search.reason;
}

/* Nonzero if the binding contains the definition. A program may have a function of its own with a
 * name such as MPI_SEND. */
static int is_in_binding(const void *definition) {
  Dl_info found, binding;
  for (int i = 0; i < SPELLINGS; ++i)
    if (search.init[i] && dladdr(definition, &found) && dladdr(search.init[i], &binding) &&
        found.dli_fbase == binding.dli_fbase)
      return 1;
  return 0;
}

/* A weak reference to a function that the MPI library lacks cannot be called. Wheels of mpi4py have
 * these references. */
static void judge_references(void) {
  for (int i = 0; i < search.reference_count; ++i) {
    const struct reference *reference = &search.references[i];
    const void *definition = mpispec_definition(reference->name);
    if (definition && (reference->reason == is_unknown || is_in_binding(definition)))
      note(reference->reason, reference->name);
  }
}

const char *mpispec_fortran_bypass(void) {
  search.is_imported = mpispec_check_allocation(calloc((size_t)mpispec_fortran_entry_count, 1));
  for (int i = 0; i < SPELLINGS; ++i)
    search.init[i] = mpispec_definition(mpispec_fortran_entries[i].profiling);
  search.reference_count = 0;
  dl_iterate_phdr(search_object, NULL);
  judge_references();
  const char *reason = find_other_definition();
  free(search.is_imported);
  return reason;
}
