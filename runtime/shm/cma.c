/* Reads the memory of another rank of the node, where the system allows it: one copy, and nothing
 * for its owner to do. */
#define _GNU_SOURCE
#include "p2p/transfer.h"

#include <stdlib.h>
#include <sys/uio.h>

enum { PIECE_BYTES = 64 * 1024 };

int mpispec_direct_read(void *target, int64_t wanted, int peer, uint64_t address) {
  const pid_t process = (pid_t)mpispec_node.addresses[peer].process;
  for (int64_t done = 0; done < wanted;) {
    struct iovec to = {(char *)target + done, (size_t)(wanted - done)};
    struct iovec from = {(void *)(uintptr_t)(address + (uint64_t)done), (size_t)(wanted - done)};
    const ssize_t got = process_vm_readv(process, &to, 1, &from, 1, 0);
    if (got <= 0) {
      mpispec_node.can_read = 0;
      return 0;
    }
    done += got;
  }
  return 1;
}

/* By pieces that stay in the cache. */
int mpispec_direct_unpack(struct mpispec_cursor *cursor, int64_t wanted, int peer,
                          uint64_t address) {
  const struct mpispec_cursor start = *cursor;
  unsigned char *piece = mpispec_must_have(malloc(PIECE_BYTES));
  int got = 1;
  for (int64_t done = 0, length; got && done < wanted; done += length) {
    length = wanted - done < PIECE_BYTES ? wanted - done : PIECE_BYTES;
    got = mpispec_direct_read(piece, length, peer, address + (uint64_t)done);
    if (got)
      mpispec_cursor_unpack(cursor, piece, length);
  }
  if (!got)
    *cursor = start;
  free(piece);
  return got;
}
