/* Who is willing, found out without a single MPI message. node.c uses it. */
#ifndef MPISPEC_RUNTIME_ANNOUNCEMENT_H
#define MPISPEC_RUNTIME_ANNOUNCEMENT_H

/* Before PMPI_Init. */
void mpispec_announce(void);

/* After PMPI_Init, which no rank leaves before all have entered it: nonzero if every rank that our
 * launcher started on this machine has announced itself. `world_size` is the size of the job. */
int mpispec_all_announced(int world_size);

/* After the agreement. */
void mpispec_announcement_withdraw(void);

#endif
