/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See static_binding.h.
 *
 *   .symtab of /proc/self/exe --is_of_binding--> ranges of addresses, sorted --> binary search
 *
 * MPI reserves the names that begin with mpi_ and pmpi_, but programs have functions of their own
 * with the first prefix. A binding's function `mpi_send_` has the second name `pmpi_send_`. */
#define _GNU_SOURCE
#include "profile/static_binding.h"

#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef ElfW(Ehdr) file_header;
typedef ElfW(Shdr) section_header;
typedef ElfW(Sym) symbol;

static struct range {
  uintptr_t begin, end;
} *ranges;
static size_t range_count;

/* --- names -------------------------------------------------------------------------------------*/

/* Nonzero for names of MPI's functions as compilers of Fortran spell them: pmpi_send_ and
 * PMPI_SEND. PMPI_Send is the name in C. */
static int is_of_binding(const char *name) {
  if (!strncmp(name, "pmpi_", 5))
    return 1;
  if (strncmp(name, "PMPI_", 5))
    return 0;
  for (const char *at = name; *at; ++at)
    if (islower((unsigned char)*at))
      return 0;
  return 1;
}

/* --- the table ---------------------------------------------------------------------------------*/

struct file {
  const char *bytes;
  size_t size;
};

/* The bytes `offset` to `offset + length` of the file; null if it ends before. */
static const void *part_of(const struct file *file, uint64_t offset, uint64_t length) {
  return offset <= file->size && length <= file->size - offset ? file->bytes + offset : NULL;
}

/* Finds the difference between the program's addresses in memory and those in its file. */
static int find_base(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size;
  *(uintptr_t *)data = object->dlpi_addr;
  return 1; /* the program is the first object */
}

static int compare_ranges(const void *left, const void *right) {
  const struct range *l = left, *r = right;
  return (l->begin > r->begin) - (l->begin < r->begin);
}

static void add_functions(const symbol *symbols, size_t count, const char *names, size_t length) {
  uintptr_t base = 0;
  dl_iterate_phdr(find_base, &base);
  size_t room = 0;
  for (size_t i = 0; i < count; ++i) {
    const symbol *s = &symbols[i];
    if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || !s->st_size || s->st_name >= length ||
        !is_of_binding(names + s->st_name))
      continue;
    if (range_count == room) {
      struct range *more = realloc(ranges, (room = 2 * room + 256) * sizeof *ranges);
      if (!more)
        break;
      ranges = more;
    }
    ranges[range_count++] = (struct range){base + s->st_value, base + s->st_value + s->st_size};
  }
  if (range_count)
    qsort(ranges, range_count, sizeof *ranges, compare_ranges);
}

static void read_section(const struct file *file, const section_header *sections, size_t count,
                         const section_header *table) {
  if (table->sh_link >= count || table->sh_entsize != sizeof(symbol))
    return;
  const section_header *strings = &sections[table->sh_link];
  const symbol *symbols = part_of(file, table->sh_offset, table->sh_size);
  const char *names = part_of(file, strings->sh_offset, strings->sh_size);
  if (!symbols || !names || !strings->sh_size || names[strings->sh_size - 1])
    return;
  add_functions(symbols, table->sh_size / sizeof *symbols, names, strings->sh_size);
}

static void read_file(const struct file *file) {
  const file_header *header = part_of(file, 0, sizeof *header);
  if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) ||
      header->e_shentsize != sizeof(section_header))
    return;
  const size_t count = header->e_shnum;
  const section_header *sections = part_of(file, header->e_shoff, count * sizeof *sections);
  for (size_t i = 0; sections && i < count; ++i)
    if (sections[i].sh_type == SHT_SYMTAB)
      read_section(file, sections, count, &sections[i]);
}

static void read_program(void) {
  struct stat about;
  const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return;
  if (!fstat(fd, &about) && about.st_size > 0) {
    const size_t size = (size_t)about.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes != MAP_FAILED) {
      const struct file file = {bytes, size};
      read_file(&file);
      munmap(bytes, size);
    }
  }
  close(fd);
}

/* A return address may be the first byte behind a function that ends with the call. Several names
 * may have one address. Their functions have the same end, so that any of them can be used. */
int mpispec_static_binding_has(const void *address) {
  static int was_read;
  if (!was_read)
    was_read = 1, read_program();
  const uintptr_t call = (uintptr_t)address - 1;
  size_t low = 0, high = range_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (ranges[middle].begin <= call)
      low = middle + 1;
    else
      high = middle;
  }
  return low && call < ranges[low - 1].end;
}
