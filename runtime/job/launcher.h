/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The data about the job that its launcher gives to each process.
 *
 * All functions may be called before MPI_Init. */
#ifndef MPISPEC_RUNTIME_LAUNCHER_H
#define MPISPEC_RUNTIME_LAUNCHER_H

/* This process's rank as text, or null if no launcher has set it. */
const char *mpispec_launcher_rank(void);

/* Whether `program` is the known launcher that has started this process. */
int mpispec_launcher_is(const char *program);

/* Whether the launcher's process is in another process namespace, where its name cannot be read. */
int mpispec_launcher_is_hidden(void);

/* The launcher's process. All ranks on this machine are its descendants. 0 if the process is not
 * known. */
int mpispec_launcher_process(void);

/* Whether PMI_RANK is the only sign of a launcher. It may have been set in the environment of a
 * shell by an earlier launcher. */
int mpispec_launcher_is_absent(void);

/* Whether some ranks may be on other nodes: nonzero unless the launcher states otherwise. */
int mpispec_launcher_spreads(void);

/* Whether the environment sets a thread level for MPI_Init, whatever level it names. */
int mpispec_launcher_sets_level(void);

/* A lower bound of the number of ranks that the launcher has started. */
int mpispec_launcher_ranks(void);

/* The number of ranks of the job on this machine, which the MPI library may treat as several nodes.
 * 0 if the launcher does not state it. */
int mpispec_launcher_ranks_here(void);

/* Writes a text that only the ranks of this job on this machine have in common. Returns 0 if the
 * ranks of other jobs may have it, too: the launcher is hidden and has not named the job. */
enum { MPISPEC_JOB_NAME = 64 };
int mpispec_launcher_job(char text[MPISPEC_JOB_NAME]);

#endif
