/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads an entry of an object's dynamic section. */
#ifndef MPISPEC_RUNTIME_ABI_DYNAMIC_SECTION_H
#define MPISPEC_RUNTIME_ABI_DYNAMIC_SECTION_H

#include <link.h>

/* The address in an entry of an object that is loaded at `base`. glibc has added the load address
 * to the entry, other dynamic linkers have not. */
static inline const void *mpispec_dynamic_address(ElfW(Addr) base, const ElfW(Dyn) * entry) {
  const ElfW(Addr) value = entry->d_un.d_ptr;
  return (const void *)(value < base ? base + value : value);
}

#endif
