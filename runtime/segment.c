/* Makes and maps segments. segment.h draws one. Called by node.c, in MPI_Init only. */
#define _GNU_SOURCE
#include "segment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t magic = UINT64_C(0x6d7069737065631); /* "mpispec", version 1 */

uint64_t mpispec_segment_arena(int peers) {
  const uint64_t huge_page = UINT64_C(2) << 20;
  return (mpispec_segment_home_offset(peers, peers) + huge_page - 1) / huge_page * huge_page;
}

uint64_t mpispec_segment_bytes(int peers) {
  return mpispec_segment_arena(peers) + MPISPEC_ARENA_BYTES;
}

static unsigned char *map(int file, uint64_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* A file of that size that only this user may open. */
static int make_file(uint64_t bytes) {
  const int file = memfd_create("mpispec", MFD_CLOEXEC);
  if (file < 0)
    return -1;
  if (!fchmod(file, 0600) && !ftruncate(file, (off_t)bytes))
    return file;
  const int error = errno;
  close(file);
  errno = error;
  return -1;
}

unsigned char *mpispec_segment_create(int peers, int *file,
                                      struct mpispec_segment_address *address) {
  const uint64_t bytes = mpispec_segment_bytes(peers);
  uint64_t random;
  if (getrandom(&random, sizeof random, 0) != sizeof random || (*file = make_file(bytes)) < 0)
    return NULL;
  unsigned char *segment = map(*file, bytes);
  if (!segment) {
    close(*file);
    return NULL;
  }
  struct mpispec_segment_header *header = (struct mpispec_segment_header *)segment;
  header->magic = magic;
  header->bytes = bytes;
  header->random = random;
  *address = (struct mpispec_segment_address){getpid(), *file, random};
  return segment;
}

/* Is the open file of this user, and as large as it should be? Else reading it might trap. */
static int is_sound(int file, uint64_t bytes) {
  struct stat status;
  return !fstat(file, &status) && status.st_uid == geteuid() && (uint64_t)status.st_size == bytes;
}

unsigned char *mpispec_segment_attach(int peers, const struct mpispec_segment_address *address) {
  const uint64_t bytes = mpispec_segment_bytes(peers);
  char path[64];
  snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)address->process,
           (long long)address->file);
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0)
    return NULL;
  unsigned char *segment = is_sound(file, bytes) ? map(file, bytes) : NULL;
  close(file);
  if (!segment)
    return NULL;
  const struct mpispec_segment_header *header = (struct mpispec_segment_header *)segment;
  if (header->magic == magic && header->bytes == bytes && header->random == address->random)
    return segment;
  mpispec_segment_detach(segment, peers);
  errno = ESTALE;
  return NULL;
}

void mpispec_segment_detach(unsigned char *segment, int peers) {
  munmap(segment, mpispec_segment_bytes(peers));
}
