/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The files with cost models of long messages (cost_model.h). The first that is there counts:
 *
 *   MPISPEC_COST_MODEL                            one that the user has named; or `built-in`: none
 *   <cache>/long-messages-<machine>               the user's own: written by `mpispec tune`, and by
 *                                                 programs that have learned
 *   /etc/mpispec/long-messages-<machine>          the administrator's
 *
 * <cache> is MPISPEC_CACHE, which may be `off`, or mpispec in $XDG_CACHE_HOME or ~/.cache.
 * <machine> is a number made of the machine's key, so that machines of several kinds may share a
 * directory. The administrator's directory is chosen when mpispec is configured. job/cache_file.h
 * says which files are ignored, and how one is replaced. */
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

/* The user's file, `cache` being MPISPEC_CACHE or null, and the administrator's. Empty: none. */
void mpispec_cost_model_users_path(const char *cache, char path[MPISPEC_COST_MODEL_PATH_BYTES]);
void mpispec_cost_model_systems_path(char path[MPISPEC_COST_MODEL_PATH_BYTES]);

/* Fills in the model. `chosen` and `cache` are the values of MPISPEC_COST_MODEL and MPISPEC_CACHE,
 * or null. `origin` becomes a phrase: where the model is from, and which files were ignored, why.
 */
void mpispec_cost_model_load(struct mpispec_cost_model *model, const char *chosen,
                             const char *cache, char origin[MPISPEC_COST_MODEL_ORIGIN_BYTES]);

/* Replaces the file, and makes its directory and the one above if need be. `mode` is that of the
 * file. Returns 0, or errno. */
int mpispec_cost_model_save(const struct mpispec_cost_model *model, const char *path, int mode);

#ifdef __cplusplus
}
#endif
#endif
