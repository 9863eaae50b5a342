/* Small text files that the runtime keeps from one run to the next, in the user's cache:
 *
 *   <cache>/<kind>-<number>
 *
 * <cache> is MPISPEC_CACHE, which may be `off`, or mpispec in $XDG_CACHE_HOME or ~/.cache. <number>
 * is made of a key, so that machines or libraries of several kinds may share a directory.
 *
 * A file is ignored unless it is the user's or root's and nobody else may write it. It is replaced
 * by renaming a complete one, so that a reader finds the old one or the new one. The program
 * `mpispec` has these functions, too. */
#ifndef MPISPEC_RUNTIME_CACHE_FILE_H
#define MPISPEC_RUNTIME_CACHE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

enum { MPISPEC_CACHE_PATH_BYTES = 1024 };

/* A short name for a key: FNV-1a of its text. */
uint64_t mpispec_cache_number(const char *key);

/* <directory><below>/<kind>-<number of the key>. Returns 0, with an empty path, if that is too
 * long. */
int mpispec_cache_join(char path[MPISPEC_CACHE_PATH_BYTES], const char *directory,
                       const char *below, const char *kind, const char *key);

/* The user's file, `cache` being MPISPEC_CACHE or null. Empty: there is no cache. */
void mpispec_cache_users_path(const char *cache, const char *kind, const char *key,
                              char path[MPISPEC_CACHE_PATH_BYTES]);

/* Reads a file of fewer than `room` bytes, without null characters, and ends it with one. Returns
 * null, or why the file is not used: `mpispec_cache_absent` if there is none. */
const char *mpispec_cache_read(const char *path, char *text, size_t room, struct stat *status);
extern const char mpispec_cache_absent[];

/* Replaces the file, and makes its directory and the one above if need be. `mode` is that of the
 * file. Returns 0, or errno. */
int mpispec_cache_replace(const char *path, const char *text, size_t length, int mode);

#endif
