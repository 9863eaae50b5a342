/* The launcher: what it told this process about the job.
 *
 * Everything here can be asked before MPI_Init. announcement.c and init.c do. */
#ifndef MPISPEC_RUNTIME_LAUNCHER_H
#define MPISPEC_RUNTIME_LAUNCHER_H

/* This process's rank as text, or null if no launcher named it one. */
const char *mpispec_launcher_rank(void);

/* Is the launcher, or the nearest ancestor known as one, this program? */
int mpispec_launcher_is(const char *program);

/* May some ranks be on other nodes? Nonzero unless the launcher says that all are here. */
int mpispec_launcher_spreads(void);

/* At least so many ranks has the launcher started, as far as it says. */
int mpispec_launcher_ranks(void);

/* How many ranks of the job are on this machine, which may be taken for several nodes; 0 if the
 * launcher does not say. */
int mpispec_launcher_ranks_here(void);

/* A text that only the ranks of this job on this machine share. */
enum { MPISPEC_JOB_NAME = 80 };
void mpispec_launcher_job(char text[MPISPEC_JOB_NAME]);

#endif
