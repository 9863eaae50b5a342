/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The files with cost models of long messages (cost_model.h). If the user names a file, no other
 * file is read. Otherwise the first usable file of the other two is read. If there is none, the
 * built-in costs are used. A program with raised privileges (AT_SECURE) ignores MPISPEC_COST_MODEL
 * and the user's file.
 *
 *   MPISPEC_COST_MODEL                    a file named by the user; `built-in`: no file
 *   <cache>/long-messages-<machine>       the user's file: written by `mpispec tune`, and by
 *                                         programs that have measured costs
 *   /etc/mpispec/long-messages-<machine>  the administrator's file
 *
 * <cache> is the directory that MPISPEC_CACHE names; the value `off` means that there is no user's
 * file. Without MPISPEC_CACHE, it is the directory mpispec in $XDG_CACHE_HOME or in ~/.cache.
 * <machine> is a hash of the machine key (machine_key.h), so that machines of several kinds may
 * share a directory. The administrator's directory is set when mpispec is configured.
 * job/cache_file.h describes which files are ignored, and how a file is replaced. */
#ifndef MPISPEC_RUNTIME_COST_MODEL_FILE_H
#define MPISPEC_RUNTIME_COST_MODEL_FILE_H

#include "p2p/cost_model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  MPISPEC_COST_MODEL_PATH_BYTES = 1024 /* like MPISPEC_CACHE_PATH_BYTES */,
  MPISPEC_COST_MODEL_ORIGIN_BYTES = 4096
};

/* Store the paths of the user's file and of the administrator's file. `cache` is the value of
 * MPISPEC_CACHE, or null. An empty path means that there is no file. */
void mpispec_cost_model_users_path(const char *cache, char path[MPISPEC_COST_MODEL_PATH_BYTES]);
void mpispec_cost_model_systems_path(char path[MPISPEC_COST_MODEL_PATH_BYTES]);

/* Fills in the model. `chosen` and `cache` are the values of MPISPEC_COST_MODEL and MPISPEC_CACHE,
 * or null. `origin` becomes a phrase with the source of the model, the files that were ignored, and
 * the reasons. */
void mpispec_cost_model_load(struct mpispec_cost_model *model, const char *chosen,
                             const char *cache, char origin[MPISPEC_COST_MODEL_ORIGIN_BYTES]);

/* Replaces the file. Creates its directory and the parent directory if they are missing. `mode` is
 * the mode of the new file. Returns 0, or errno. */
int mpispec_cost_model_save(const struct mpispec_cost_model *model, const char *path, int mode);

#ifdef __cplusplus
}
#endif
#endif
