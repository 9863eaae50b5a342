/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See relocations.h. */
#define _GNU_SOURCE
#include "abi/relocations.h"

#include "abi/dynamic_section.h"

#include <stddef.h>
#include <string.h>

/* The tables of an object for the dynamic linker. */
struct tables {
  ElfW(Addr) base;
  const ElfW(Sym) * symbols;
  const char *names;
  size_t names_size;
  struct rows {
    const char *first; /* entries of ElfW(Rela) or ElfW(Rel) */
    size_t size;       /* bytes */
    size_t row;        /* bytes of one */
  } data, calls;
};

static void read_entry(struct tables *tables, const ElfW(Dyn) * entry) {
  switch (entry->d_tag) {
  case DT_SYMTAB:
    tables->symbols = mpispec_dynamic_address(tables->base, entry);
    break;
  case DT_STRTAB:
    tables->names = mpispec_dynamic_address(tables->base, entry);
    break;
  case DT_STRSZ:
    tables->names_size = entry->d_un.d_val;
    break;
  case DT_RELA:
  case DT_REL:
    tables->data.first = mpispec_dynamic_address(tables->base, entry);
    tables->data.row = entry->d_tag == DT_RELA ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
    break;
  case DT_RELASZ:
  case DT_RELSZ:
    tables->data.size = entry->d_un.d_val;
    break;
  case DT_JMPREL:
    tables->calls.first = mpispec_dynamic_address(tables->base, entry);
    break;
  case DT_PLTRELSZ:
    tables->calls.size = entry->d_un.d_val;
    break;
  case DT_PLTREL:
    tables->calls.row = entry->d_un.d_val == DT_RELA ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
    break;
  default:
    break;
  }
}

static int read_tables(struct tables *tables, const struct dl_phdr_info *object) {
  *tables = (struct tables){.base = object->dlpi_addr};
  for (int i = 0; i < object->dlpi_phnum; ++i)
    if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
      for (const ElfW(Dyn) *entry =
               (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
           entry->d_tag != DT_NULL; ++entry)
        read_entry(tables, entry);
  return tables->symbols && tables->names;
}

/* Nonzero if the place holds the address of the symbol, without an addend. A relocation of a kind
 * that is not known here does not count. A copy relocation (R_COPY) does not count, either: the
 * place is then the symbol itself. */
static int is_address(const ElfW(Rela) * row, size_t size) {
#if defined(__x86_64__) && defined(__LP64__)
  const unsigned type = ELF64_R_TYPE(row->r_info);
  return size == sizeof *row && !row->r_addend &&
         (type == R_X86_64_GLOB_DAT || type == R_X86_64_64);
#elif defined(__aarch64__) && defined(__LP64__)
  const unsigned type = ELF64_R_TYPE(row->r_info);
  return size == sizeof *row && !row->r_addend &&
         (type == R_AARCH64_GLOB_DAT || type == R_AARCH64_ABS64);
#else
  return (void)row, (void)size, 0;
#endif
}

static void visit_rows(const struct tables *tables, const struct rows *rows,
                       mpispec_relocation_visitor *visit, void *data) {
  for (size_t at = 0; rows->row && at + rows->row <= rows->size; at += rows->row) {
    const ElfW(Rela) *row = (const void *)(rows->first + at); /* a Rel is its beginning */
#if __ELF_NATIVE_CLASS == 64
    const size_t index = ELF64_R_SYM(row->r_info);
#else
    const size_t index = ELF32_R_SYM(row->r_info);
#endif
    const ElfW(Sym) *symbol = &tables->symbols[index];
    if (!index || symbol->st_name >= tables->names_size)
      continue;
    const struct mpispec_relocation relocation = {
        tables->names + symbol->st_name, symbol,
        is_address(row, rows->row) ? (void *const *)(tables->base + row->r_offset) : NULL};
    visit(&relocation, data);
  }
}

void mpispec_relocations_visit(const struct dl_phdr_info *object, mpispec_relocation_visitor *visit,
                               void *data) {
  struct tables tables;
  if (!read_tables(&tables, object))
    return;
  visit_rows(&tables, &tables.calls, visit, data);
  visit_rows(&tables, &tables.data, visit, data);
}

int mpispec_object_holds(const struct dl_phdr_info *object, const void *address) {
  for (int i = 0; address && i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const ElfW(Addr) begin = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && (ElfW(Addr))address - begin < part->p_memsz)
      return 1;
  }
  return 0;
}
