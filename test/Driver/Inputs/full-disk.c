// Preloaded, this library makes each directory named "full" a disk without room. A file can be made there, but no byte
// can be written to it.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t write(int file, const void *bytes, size_t count) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  if (strstr(path, "/full/")) {
    errno = ENOSPC;
    return -1;
  }
  return syscall(SYS_write, file, bytes, count);
}
