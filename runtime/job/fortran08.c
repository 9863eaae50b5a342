/* Looks through the relocations of all loaded objects: each function that an object calls of
 * another one has a row there. fortran08.h says what for. */
#define _GNU_SOURCE
#include "job/fortran08.h"

#include <link.h>
#include <string.h>

/* Where an object keeps what the dynamic linker needs. */
struct tables {
  const ElfW(Sym) * symbols;
  const char *names;
  size_t names_size;
  struct rows {
    const char *first; /* of ElfW(Rela) or ElfW(Rel) */
    size_t size;       /* bytes */
    size_t row;        /* bytes of one */
  } data, calls;
};

/* glibc has added the load address to these, other dynamic linkers have not. */
static const void *address(const struct dl_phdr_info *object, const ElfW(Dyn) * entry) {
  const ElfW(Addr) value = entry->d_un.d_ptr;
  return (const void *)(value < object->dlpi_addr ? object->dlpi_addr + value : value);
}

static void read_entry(struct tables *tables, const struct dl_phdr_info *object,
                       const ElfW(Dyn) * entry) {
  switch (entry->d_tag) {
  case DT_SYMTAB:
    tables->symbols = address(object, entry);
    break;
  case DT_STRTAB:
    tables->names = address(object, entry);
    break;
  case DT_STRSZ:
    tables->names_size = entry->d_un.d_val;
    break;
  case DT_RELA:
  case DT_REL:
    tables->data.first = address(object, entry);
    tables->data.row = entry->d_tag == DT_RELA ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
    break;
  case DT_RELASZ:
  case DT_RELSZ:
    tables->data.size = entry->d_un.d_val;
    break;
  case DT_JMPREL:
    tables->calls.first = address(object, entry);
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
  memset(tables, 0, sizeof *tables);
  for (int i = 0; i < object->dlpi_phnum; ++i)
    if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
      for (const ElfW(Dyn) *entry =
               (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
           entry->d_tag != DT_NULL; ++entry)
        read_entry(tables, object, entry);
  return tables->symbols && tables->names;
}

/* mpi_wait_f08_, pmpi_send_f08ts_, mpi_recv_f08ts_large_; as other compilers have it, without the
 * last mark. */
static int is_of_binding(const char *name) {
  return (!strncmp(name, "mpi_", 4) || !strncmp(name, "pmpi_", 5) || !strncmp(name, "pmpir_", 6)) &&
         (strstr(name, "_f08_") || strstr(name, "_f08ts"));
}

static const char *search_rows(const struct tables *tables, const struct rows *rows) {
  for (size_t at = 0; rows->row && at + rows->row <= rows->size; at += rows->row) {
    const ElfW(Rel) *row = (const void *)(rows->first + at); /* a Rela begins like it */
#if __ELF_NATIVE_CLASS == 64
    const size_t index = ELF64_R_SYM(row->r_info);
#else
    const size_t index = ELF32_R_SYM(row->r_info);
#endif
    const ElfW(Sym) *symbol = &tables->symbols[index];
    if (index && symbol->st_shndx == SHN_UNDEF && symbol->st_name < tables->names_size &&
        is_of_binding(tables->names + symbol->st_name))
      return tables->names + symbol->st_name;
  }
  return NULL;
}

/* The binding's own word for MPI_BOTTOM. A binding that is linked statically is part of the
 * program, which calls it without a row. */
extern const char MPIR_F08_MPI_BOTTOM[] __attribute__((__weak__));

static int holds(const struct dl_phdr_info *object, const char *place) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const ElfW(Addr) begin = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && (ElfW(Addr))place - begin < part->p_memsz)
      return 1;
  }
  return 0;
}

static int search_object(struct dl_phdr_info *object, size_t size, void *found) {
  struct tables tables;
  const char *name;
  const int is_program = !object->dlpi_name[0];
  (void)size;
  if (is_program && MPIR_F08_MPI_BOTTOM && holds(object, MPIR_F08_MPI_BOTTOM)) {
    *(const char **)found = "MPIR_F08_MPI_BOTTOM";
    return 1;
  }
  if (!read_tables(&tables, object))
    return 0;
  name = search_rows(&tables, &tables.calls);
  if (!name)
    name = search_rows(&tables, &tables.data);
  *(const char **)found = name;
  return name != NULL;
}

const char *mpispec_fortran08_call(void) {
  const char *name = NULL;
  dl_iterate_phdr(search_object, &name);
  return name;
}
