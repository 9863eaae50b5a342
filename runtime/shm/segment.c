/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Makes and maps segments (drawn in segment.h). shm.c calls these functions in MPI_Init only. */
#define _GNU_SOURCE
#include "shm/segment.h"

#include "job/identity.h"
#include "shm/arena.h"
#include "shm/numa.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };

/* The memory that one page of a page table maps, and the size of a huge page. */
static const uint64_t span = UINT64_C(2) << 20;

static uint64_t round_up(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

static uint64_t reserved_bytes, first_reserved_bytes;

void mpispec_segment_reserve(uint64_t first, uint64_t bytes) {
  first_reserved_bytes = round_up(first, 4096);
  reserved_bytes = bytes;
}

static uint64_t homes_bytes(int peers) {
  return (uint64_t)peers * MPISPEC_HOME_CELLS * MPISPEC_CELL_BYTES;
}

/* The bytes of the file before the header. */
static uint64_t before_header(int peers) {
  return round_up(homes_bytes(peers) + reserved_bytes - first_reserved_bytes, span);
}

static uint64_t first_reserved_offset(int peers) {
  return 4096 + round_up((uint64_t)peers * sizeof(struct mpispec_credit), 4096);
}

struct mpispec_cell *mpispec_segment_home(unsigned char *segment, int peers, int peer) {
  return (struct mpispec_cell *)(segment - before_header(peers) + homes_bytes(peer));
}

unsigned char *mpispec_segment_reserved(unsigned char *segment, int peers, uint64_t offset) {
  return offset < first_reserved_bytes
             ? segment + first_reserved_offset(peers) + offset
             : segment - before_header(peers) + homes_bytes(peers) + offset - first_reserved_bytes;
}

uint64_t mpispec_segment_arena(int peers) {
  return first_reserved_offset(peers) + first_reserved_bytes;
}

uint64_t mpispec_segment_end(int peers, uint64_t bytes) { return bytes - before_header(peers); }

uint64_t mpispec_segment_bytes(int peers, uint64_t arena) {
  return before_header(peers) + round_up(mpispec_segment_arena(peers), span) + arena;
}

static unsigned char *map_at(void *place, int flags, int file, uint64_t bytes, uint64_t offset) {
  void *memory = mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | flags,
                      file, (off_t)offset);
  return memory == MAP_FAILED ? NULL : memory;
}

/* Maps the file again, at a multiple of `span`. Later mappings mostly lie directly below it, and
 * are aligned without this function. Returns `memory` if there is no room. */
static unsigned char *align(unsigned char *memory, int file, uint64_t bytes) {
  void *room =
      mmap(NULL, bytes + span, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED)
    return memory;
  munmap(memory, bytes);
  unsigned char *begin = room, *end = begin + bytes + span;
  unsigned char *aligned = (unsigned char *)(uintptr_t)round_up((uintptr_t)begin, span);
  memory = map_at(aligned, MAP_FIXED, file, bytes, 0);
  if (aligned > begin)
    munmap(begin, (size_t)(aligned - begin));
  munmap(aligned + bytes, (size_t)(end - aligned) - bytes);
  return memory;
}

/* Excludes the memory from core dumps and from child processes. */
static void exclude(void *memory, uint64_t bytes) {
  madvise(memory, bytes, MADV_DONTDUMP);
  madvise(memory, bytes, MADV_DONTFORK);
}

/* Returns the header. */
static unsigned char *map(int file, int peers, uint64_t bytes) {
  unsigned char *memory = map_at(NULL, 0, file, bytes, 0);
  if (memory && (uintptr_t)memory % span)
    memory = align(memory, file, bytes);
  if (!memory)
    return NULL;
  exclude(memory, bytes);
  return memory + before_header(peers);
}

/* --- making one --------------------------------------------------------------------------------*/

/* The address space that the segments of a node may take, unless their arenas have the least
 * size. */
static const uint64_t most_space = UINT64_C(14) << 30;

/* The address space that this process uses, in bytes, or 0 if it is unknown. */
static uint64_t used_space(void) {
  FILE *file = fopen("/proc/self/statm", "re");
  uint64_t pages = 0;
  if (file) {
    if (fscanf(file, "%" SCNu64, &pages) != 1)
      pages = 0;
    fclose(file);
  }
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Returns the address space that segments may take: a quarter of the limit, but at most half of
 * what is left. The rest is for the program. */
static uint64_t room_below(uint64_t limit) {
  if (limit == RLIM_INFINITY)
    return limit;
  const uint64_t used = used_space(), left = used < limit ? limit - used : 0;
  return limit / 4 < left / 2 ? limit / 4 : left / 2;
}

/* Returns the size of a segment with the largest arena that this process can have. Returns 0 with
 * errno set if there is none. A file beyond its limit (RLIMIT_FSIZE) would cause a signal. The
 * address space also has a limit (RLIMIT_AS). */
static uint64_t choose_bytes(int peers) {
  const uint64_t most = most_space / (uint64_t)peers;
  struct rlimit file, space;
  if (getrlimit(RLIMIT_FSIZE, &file) || getrlimit(RLIMIT_AS, &space))
    return 0;
  const uint64_t room = room_below(space.rlim_cur) / (uint64_t)peers;
  for (uint64_t arena = MPISPEC_ARENA_BYTES; arena >= MPISPEC_ARENA_LEAST; arena /= 2) {
    const uint64_t bytes = mpispec_segment_bytes(peers, arena);
    if (bytes <= room && bytes <= file.rlim_cur && (bytes <= most || arena == MPISPEC_ARENA_LEAST))
      return bytes;
    errno = file.rlim_cur < bytes ? EFBIG : ENOMEM;
  }
  return 0;
}

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif

/* Newer systems require the flag for files that are no programs. Older systems refuse the flag. */
static int make_empty_file(void) {
  const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const int file = memfd_create("mpispec", flags | MFD_NOEXEC_SEAL);
  return file < 0 && errno == EINVAL ? memfd_create("mpispec", flags) : file;
}

/* Makes a file of `bytes` bytes that only this user may open. */
static int make_file(uint64_t bytes) {
  const int file = make_empty_file();
  if (file < 0)
    return -1;
  if (!fchmod(file, 0600) && !ftruncate(file, (off_t)bytes) && !fcntl(file, F_ADD_SEALS, SEALS))
    return file;
  const int error = errno;
  close(file);
  errno = error;
  return -1;
}

/* Nonzero if the system grants no more memory than it has. Then it may refuse any page. */
static int is_overcommit_off(void) {
  FILE *file = fopen("/proc/sys/vm/overcommit_memory", "re");
  const int mode = file ? fgetc(file) : EOF;
  if (file)
    fclose(file);
  return mode == '2';
}

/* Populates the segment without the arena, whose memory arena.c populates. The memory of slots is
 * populated here only if the system may refuse memory later, and otherwise by slots.c. */
static int populate(unsigned char *segment, int peers) {
  unsigned char *begin = segment - before_header(peers);
  if (is_overcommit_off())
    return mpispec_memory_populate(begin, before_header(peers) + mpispec_segment_arena(peers));
  return mpispec_memory_populate(segment, first_reserved_offset(peers)) &&
         (peers > MPISPEC_FEW_PEERS || mpispec_memory_populate(begin, homes_bytes(peers)));
}

unsigned char *mpispec_segment_create(int peers, int *file,
                                      struct mpispec_segment_address *address) {
  const uint64_t bytes = choose_bytes(peers);
  uint64_t random;
  *file = -1;
  if (!bytes || getrandom(&random, sizeof random, 0) != sizeof random ||
      (*file = make_file(bytes)) < 0)
    return NULL;
  unsigned char *segment = map(*file, peers, bytes);
  if (!segment)
    return NULL;
  if (!populate(segment, peers)) {
    mpispec_segment_detach(segment, peers, bytes);
    errno = ENOMEM;
    return NULL;
  }
  struct mpispec_segment_header *header = (struct mpispec_segment_header *)segment;
  header->magic = MPISPEC_IDENTITY;
  header->bytes = bytes;
  header->random = random;
  header->numa_node = mpispec_numa_node("/sys/devices/system/node");
  header->location = mpispec_location_here("/sys/devices/system/cpu");
  *address = (struct mpispec_segment_address){.process = getpid(),
                                              .file = *file,
                                              .bytes = bytes,
                                              .random = random,
                                              .base = (uint64_t)(uintptr_t)segment};
  return segment;
}

/* --- joining one -------------------------------------------------------------------------------*/

/* Compares the name before opening, because opening another file might have effects. */
static int open_file(const struct mpispec_segment_address *address) {
  static const char name[] = "/memfd:mpispec (deleted)";
  char path[64], target[sizeof name];
  snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)address->process,
           (long long)address->file);
  const ssize_t length = readlink(path, target, sizeof target);
  if (length < 0)
    return -1;
  if (length == sizeof name - 1 && !memcmp(target, name, sizeof name - 1))
    return open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  errno = ESTALE;
  return -1;
}

/* Nonzero if the open file belongs to this user and its size is sealed. Otherwise an access to its
 * mapping might cause a signal. */
static int is_sound(int file, uint64_t bytes) {
  struct stat status;
  return !fstat(file, &status) && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
         (uint64_t)status.st_size == bytes && (fcntl(file, F_GET_SEALS) & SEALS) == SEALS;
}

/* Maps the home ring for messages from the rank to its place. */
static int map_home(int file, const struct mpispec_home_place *home) {
  const uint64_t bytes = homes_bytes(1);
  if (!map_at(home->place, MAP_FIXED, file, bytes, homes_bytes(home->rank)))
    return 0;
  exclude(home->place, bytes);
  return 1;
}

/* Nonzero if the mapped segment has this address. */
static int is_of(const unsigned char *segment, const struct mpispec_segment_address *address) {
  const struct mpispec_segment_header *header = (const struct mpispec_segment_header *)segment;
  return header->magic == MPISPEC_IDENTITY && header->bytes == address->bytes &&
         header->random == address->random;
}

unsigned char *mpispec_segment_map(int peers, uint64_t bytes,
                                   const struct mpispec_segment_address *address, int file,
                                   const struct mpispec_home_place *home) {
  errno = ESTALE;
  const int has_bytes = bytes <= address->bytes && is_sound(file, address->bytes);
  unsigned char *segment = has_bytes ? map(file, peers, bytes) : NULL;
  const int has_home = segment && (!home || map_home(file, home));
  close(file);
  if (!segment)
    return NULL;
  if (has_home && is_of(segment, address))
    return segment;
  mpispec_segment_detach(segment, peers, bytes);
  errno = has_home ? ESTALE : ENOMEM;
  return NULL;
}

unsigned char *mpispec_segment_attach(int peers, uint64_t bytes,
                                      const struct mpispec_segment_address *address,
                                      const struct mpispec_home_place *home) {
  const int file = open_file(address);
  return file < 0 ? NULL : mpispec_segment_map(peers, bytes, address, file, home);
}

int mpispec_segment_owner_is_readable(const struct mpispec_segment_address *address) {
  uint64_t random = 0;
  const struct mpispec_segment_header *header = (void *)(uintptr_t)address->base;
  struct iovec to = {&random, sizeof random}, from = {(void *)&header->random, sizeof random};
  return process_vm_readv((pid_t)address->process, &to, 1, &from, 1, 0) == sizeof random &&
         random == address->random;
}

int mpispec_segment_owner_is_writable(const struct mpispec_segment_address *address) {
  struct mpispec_segment_header *header = (void *)(uintptr_t)address->base;
  uint64_t random = address->random;
  struct iovec from = {&random, sizeof random}, to = {&header->written, sizeof random};
  return process_vm_writev((pid_t)address->process, &from, 1, &to, 1, 0) == sizeof random;
}

void mpispec_segment_shorten(unsigned char *segment, int peers, uint64_t from, uint64_t to) {
  munmap(segment - before_header(peers) + to, from - to);
}

void mpispec_segment_detach(unsigned char *segment, int peers, uint64_t bytes) {
  const int error = errno;
  munmap(segment - before_header(peers), bytes);
  errno = error;
}

/* --- home rings of all peers -------------------------------------------------------------------*/

unsigned char *mpispec_homes_reserve(int peers) {
  void *room =
      mmap(NULL, homes_bytes(peers), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return room == MAP_FAILED ? NULL : room;
}

unsigned char *mpispec_homes_at(unsigned char *room, int peer) { return room + homes_bytes(peer); }

void mpispec_homes_release(unsigned char *room, int peers) { munmap(room, homes_bytes(peers)); }
