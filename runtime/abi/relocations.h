/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads the relocations of a loaded object (program or library). An object has a relocation for
 * each function of another object that it calls, and for each place that holds the address of a
 * symbol. The dynamic linker has stored the address that it found there.
 *
 * The functions may be called within dl_iterate_phdr, because they look up no name. */
#ifndef MPISPEC_RUNTIME_ABI_RELOCATIONS_H
#define MPISPEC_RUNTIME_ABI_RELOCATIONS_H

#include <link.h>

struct mpispec_relocation {
  const char *name;         /* the symbol's */
  const ElfW(Sym) * symbol; /* the object's own entry for it */
  void *const *address;     /* the place that holds the symbol's address; null for other kinds */
};

typedef void mpispec_relocation_visitor(const struct mpispec_relocation *relocation, void *data);

/* Calls `visit` for each relocation that has a symbol. */
void mpispec_relocations_visit(const struct dl_phdr_info *object, mpispec_relocation_visitor *visit,
                               void *data);

/* Nonzero if `address` is in the object. It may be null, which is in no object. */
int mpispec_object_holds(const struct dl_phdr_info *object, const void *address);

#endif
