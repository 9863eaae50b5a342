/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of the MPI library's functions in libmpispec.so. See library_table.h.
 *
 * library_table.sh writes the rows from the objects of the runtime. At first a row contains an
 * address within its own entry. The code there calls a function that fills the table, and jumps
 * again. This code runs if a process loads its MPI library late and calls a function before
 * MPI_Init.
 *
 * A variable of the MPI library has no entry. References to it are weak. The dynamic linker binds
 * them where it can. mpispec_table_fill binds them anew, because dlopen may load the MPI library
 * after the dynamic linker has bound them. */
#include "abi/library_table.h"

#include "abi/dynamic_section.h"
#include "abi/library.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const int mpispec_has_table = 1;

struct row {
  void *target; /* where the entry jumps */
  const char *name;
  void *entry;
};

extern struct row __start_mpispec_table[] __attribute__((visibility("hidden")));
extern struct row __stop_mpispec_table[] __attribute__((visibility("hidden")));

/* --- entries -----------------------------------------------------------------------------------*/

/* mpispec_table_bind fills the table and keeps all registers that hold arguments. Arguments on the
 * stack stay where they are, because entries jump. No MPI function of the table has a
 * floating-point argument. */
#if defined(__x86_64__)
#define JUMP "jmp *7f(%rip)\n"
#define BIND "call mpispec_table_bind\n jmp "
__asm__(".pushsection .text\n .p2align 4\n .type mpispec_table_bind,%function\n"
        "mpispec_table_bind:\n"
        "  push %rbp\n  mov %rsp, %rbp\n  and $-16, %rsp\n"
        "  push %rax\n  push %rdi\n  push %rsi\n  push %rdx\n"
        "  push %rcx\n  push %r8\n  push %r9\n  push %r9\n"
        "  call mpispec_library_bind_late\n"
        "  pop %r9\n  pop %r9\n  pop %r8\n  pop %rcx\n"
        "  pop %rdx\n  pop %rsi\n  pop %rdi\n  pop %rax\n"
        "  leave\n  ret\n"
        ".size mpispec_table_bind, .-mpispec_table_bind\n .popsection\n");
#elif defined(__aarch64__)
#define JUMP "adrp x16, 7f\n ldr x16, [x16, :lo12:7f]\n br x16\n"
#define BIND "stp x29, x30, [sp, #-16]!\n bl mpispec_table_bind\n ldp x29, x30, [sp], #16\n b "
__asm__(".pushsection .text\n .p2align 4\n .type mpispec_table_bind,%function\n"
        "mpispec_table_bind:\n"
        "  stp x29, x30, [sp, #-80]!\n  mov x29, sp\n"
        "  stp x0, x1, [sp, #16]\n  stp x2, x3, [sp, #32]\n"
        "  stp x4, x5, [sp, #48]\n  stp x6, x7, [sp, #64]\n"
        "  bl mpispec_library_bind_late\n"
        "  ldp x0, x1, [sp, #16]\n  ldp x2, x3, [sp, #32]\n"
        "  ldp x4, x5, [sp, #48]\n  ldp x6, x7, [sp, #64]\n"
        "  ldp x29, x30, [sp], #80\n  ret\n"
        ".size mpispec_table_bind, .-mpispec_table_bind\n .popsection\n");
#else
#error "the entries of the table are written for x86-64 and AArch64 alone"
#endif

/* The labels are 7: the row, 8: the row's first target, 9: the name. */
#define ROW(NAME, ENTRY)                                                                           \
  __asm__(".pushsection .text\n .p2align 4\n .globl " #ENTRY "\n .hidden " #ENTRY "\n"             \
          ".type " #ENTRY ",%function\n" #ENTRY ":\n" JUMP "8: " BIND #ENTRY "\n"                  \
          ".size " #ENTRY ", .-" #ENTRY "\n .popsection\n"                                         \
          ".pushsection mpispec_table,\"aw\"\n .p2align 3\n"                                       \
          "7: .quad 8b\n .quad 9f\n .quad " #ENTRY "\n .popsection\n"                              \
          ".pushsection .rodata\n 9: .asciz \"" #NAME "\"\n .popsection\n");
#include "abi/library_table.def"
#undef ROW

/* An undefined symbol that no relocation uses. The dynamic linker does not search for the symbol,
 * but the linker of a program does. Without the MPI library, the link fails. With --as-needed, the
 * link keeps the MPI library even if the program calls only functions of the runtime. */
__asm__(".globl MPI_Initialized");

void *mpispec_table_entry(const char *name) {
  for (struct row *row = __start_mpispec_table; row < __stop_mpispec_table; ++row)
    if (!strcmp(row->name, name))
      return row->entry;
  return NULL;
}

/* The target of rows whose function the MPI library lacks. */
static void refuse(void) {
  fprintf(stderr, "mpispec: a function is called that this process's MPI library does not have\n");
  _exit(1);
}

/* --- variables ---------------------------------------------------------------------------------*/

extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

/* The assembly hides from the compiler that the address belongs to a constant. Otherwise the
 * compiler would remove all stores to addresses that are computed from it. */
static char *base(void) {
  char *address = (char *)&__ehdr_start;
  __asm__("" : "+r"(address));
  return address;
}

static const void *dynamic(ElfW(Sxword) tag) {
  for (const ElfW(Dyn) *entry = _DYNAMIC; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == tag)
      return mpispec_dynamic_address((ElfW(Addr))base(), entry);
  return NULL;
}

static size_t dynamic_size(ElfW(Sxword) tag) {
  for (const ElfW(Dyn) *entry = _DYNAMIC; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == tag)
      return entry->d_un.d_val;
  return 0;
}

/* Changes the protection of the PT_GNU_RELRO segment, which the dynamic linker has made
 * read-only. */
static void protect(int protection) {
  const ElfW(Phdr) *header = (const void *)(base() + __ehdr_start.e_phoff);
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < __ehdr_start.e_phnum; ++i, ++header)
    if (header->p_type == PT_GNU_RELRO) {
      const uintptr_t from = (uintptr_t)base() + header->p_vaddr;
      const uintptr_t start = from / page * page, end = (from + header->p_memsz) / page * page;
      mprotect((void *)start, end - start, protection);
    }
}

/* Returns the new value for a relocation that names a variable of the MPI library, otherwise null.
 * Names that the C library or the linker may define are weak, too. Null is also returned for these
 * names, which begin with '_' or which the MPI library does not define. */
static char *value_of(const ElfW(Rela) * relocation, mpispec_find_symbol *find_variable) {
  const ElfW(Sym) *symbol = dynamic(DT_SYMTAB);
  symbol += ELF64_R_SYM(relocation->r_info);
  if (!ELF64_R_SYM(relocation->r_info) || symbol->st_shndx != SHN_UNDEF ||
      ELF64_ST_BIND(symbol->st_info) != STB_WEAK)
    return NULL;
  const char *name = (const char *)dynamic(DT_STRTAB) + symbol->st_name;
  char *found = *name == '_' ? NULL : find_variable(name);
  return found ? found + relocation->r_addend : NULL;
}

static void bind_variables(mpispec_find_symbol *find_variable) {
  const ElfW(Rela) *relocation = dynamic(DT_RELA);
  const ElfW(Rela) *end = relocation + dynamic_size(DT_RELASZ) / sizeof *relocation;
  int is_writable = 0;
  for (; relocation < end; ++relocation) {
    char *value = value_of(relocation, find_variable);
    char **place = (char **)(base() + relocation->r_offset);
    if (!value || *place == value)
      continue;
    if (!is_writable)
      protect(PROT_READ | PROT_WRITE);
    is_writable = 1;
    *place = value;
  }
  if (is_writable)
    protect(PROT_READ);
}

void mpispec_table_fill(mpispec_find_symbol *find_function, mpispec_find_symbol *find_variable) {
  for (struct row *row = __start_mpispec_table; row < __stop_mpispec_table; ++row) {
    void *found = find_function(row->name);
    row->target = found ? found : (void *)refuse;
  }
  bind_variables(find_variable);
}
