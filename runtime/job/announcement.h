/* Who is willing, found out without a single MPI message to anyone who is not. node.c uses it. */
#ifndef MPISPEC_RUNTIME_ANNOUNCEMENT_H
#define MPISPEC_RUNTIME_ANNOUNCEMENT_H

/* Before PMPI_Init. */
void mpispec_announce(void);

/* After PMPI_Init, which no rank leaves before all have entered it: nonzero if every rank of
 * MPI_COMM_WORLD has announced itself; the same answer on all that have. */
int mpispec_all_announced(int world_rank, int world_size);

/* Could ranks be missed because they are on other machines, where this launcher lets nobody look?
 * Then a negative answer says little. */
int mpispec_announcement_is_local(void);

/* After a negative answer, or when all ranks have theirs. */
void mpispec_announcement_withdraw(void);

#endif
