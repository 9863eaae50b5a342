/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Small text files that the runtime keeps from one run to the next, in the user's cache:
 *
 *   <cache>/<kind>-<number>
 *
 * <cache> is the value of MPISPEC_CACHE, by default mpispec in $XDG_CACHE_HOME or ~/.cache. The
 * value `off` means that there is no cache. <number> is a hash of a key, so that different machines
 * or libraries may share a directory.
 *
 * A file is ignored unless it belongs to the user or to root and nobody else may write it. A
 * complete new file replaces it by a rename, so that a reader gets either the old file or the new
 * one. The program `mpispec` contains these functions, too. */
#ifndef MPISPEC_RUNTIME_CACHE_FILE_H
#define MPISPEC_RUNTIME_CACHE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

enum { MPISPEC_CACHE_PATH_BYTES = 1024 };

/* The kinds. `mpispec cache` counts and removes only these. */
#define MPISPEC_CACHE_LONG_MESSAGES "long-messages"
#define MPISPEC_CACHE_REDUCTION_ORDERS "reduction-orders"

/* The hash of a key: FNV-1a of its text. */
uint64_t mpispec_cache_number(const char *key);

/* Writes <directory><below>/<kind>-<number of the key>. Returns 0, with an empty path, if the path
 * is too long. */
int mpispec_cache_join(char path[MPISPEC_CACHE_PATH_BYTES], const char *directory,
                       const char *below, const char *kind, const char *key);

/* Writes the path of the user's file. `cache` is the value of MPISPEC_CACHE, or null. The path is
 * empty if there is no cache. */
void mpispec_cache_users_path(const char *cache, const char *kind, const char *key,
                              char path[MPISPEC_CACHE_PATH_BYTES]);

/* Reads a file into `text` and appends a null character. The file must be shorter than `room` bytes
 * and contain no null character. Returns null, or the reason why the file is not used, which is
 * `mpispec_cache_absent` if the file does not exist. */
const char *mpispec_cache_read(const char *path, char *text, size_t room, struct stat *status);
extern const char mpispec_cache_absent[];

/* Replaces the file. Makes its directory and the directory above if necessary. `mode` are the
 * file's permissions. Returns 0, or errno. */
int mpispec_cache_replace(const char *path, const char *text, size_t length, int mode);

#endif
