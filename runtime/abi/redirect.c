/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Redirects functions by a jump in place of their first instructions. See redirect.h. */
#define _GNU_SOURCE
#include "abi/redirect.h"

#include "abi/dynamic_section.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* A jump instruction, and the address to which it jumps. */
struct jump {
#if defined(__x86_64__)
  unsigned char code[6];
#else
  uint32_t code[2];
#endif
  void *target;
} __attribute__((packed));

static const struct jump jump_to_nothing = {
#if defined(__x86_64__)
    {0xff, 0x25, 0, 0, 0, 0}, /* jmp *0(%rip) */
#elif defined(__aarch64__)
    {0x58000050, 0xd61f0200}, /* ldr x16, 8; br x16 */
#endif
    NULL};

/* The alignment of functions, in bytes. A jump fits between the starts of two aligned functions,
 * even if the first function is shorter than the jump. */
enum { ALIGNMENT = 16 };

static const ElfW(Sym) * exported(void *function) {
  Dl_info info;
  const ElfW(Sym) *symbol = NULL;
  return dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) ? symbol : NULL;
}

/* /proc/self/mem is the memory of this process. A write to this file does not need writable pages.
 * Therefore no page is ever both writable and executable. */
static int write_memory(void *place, const void *bytes, size_t count) {
  const int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  const int is_written =
      memory >= 0 && pwrite(memory, bytes, count, (off_t)(uintptr_t)place) == (ssize_t)count;
  if (memory >= 0)
    close(memory);
  return is_written;
}

int mpispec_redirect(void *function, void *target) {
  const ElfW(Sym) *symbol = exported(function);
  struct jump jump = jump_to_nothing;
  if (!symbol)
    return 1;
  if (symbol->st_size < sizeof jump && (uintptr_t)function % ALIGNMENT)
    return 0;
  jump.target = target;
  const int is_written = write_memory(function, &jump, sizeof jump);
  __builtin___clear_cache((char *)function, (char *)function + sizeof jump);
  return is_written;
}

/* --- pointers of other objects -----------------------------------------------------------------*/

/* The dynamic linker's relocations of an object. */
struct relocations {
  const ElfW(Rela) * first;
  size_t size; /* bytes */
};

static struct relocations find_relocations(const struct link_map *object) {
  struct relocations found = {NULL, 0};
  for (const ElfW(Dyn) *entry = object->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_RELA)
      found.first = mpispec_dynamic_address(object->l_addr, entry);
    else if (entry->d_tag == DT_RELASZ)
      found.size = entry->d_un.d_val;
  }
  return found;
}

static int unbind_in(const struct link_map *object, const void *function) {
  const struct relocations all = find_relocations(object);
  const void *const nothing = NULL;
  int is_done = 1;
  for (size_t i = 0; all.first && i < all.size / sizeof *all.first; ++i) {
    const void **place = (const void **)(object->l_addr + all.first[i].r_offset);
    if (ELF64_R_SYM(all.first[i].r_info) && *place == function)
      is_done &= write_memory(place, &nothing, sizeof nothing);
  }
  return is_done;
}

int mpispec_unbind(void *function) {
  Dl_info info;
  struct link_map *object, *own = NULL;
  int is_done = 1;
  if (!exported(function))
    return 1;
  dladdr1(function, &info, (void **)&own, RTLD_DL_LINKMAP);
  for (object = own; object && object->l_prev;)
    object = object->l_prev;
  for (; object; object = object->l_next)
    is_done &= object == own || unbind_in(object, function);
  return is_done;
}
