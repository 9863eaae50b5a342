/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds out whether all ranks have the runtime, without an MPI message to a rank without the
 * runtime. Used by node.c. */
#ifndef MPISPEC_RUNTIME_ANNOUNCEMENT_H
#define MPISPEC_RUNTIME_ANNOUNCEMENT_H

/* Announces this rank, if a launcher has set the rank. Called before PMPI_Init. */
void mpispec_announce(void);

/* Returns nonzero if every rank of MPI_COMM_WORLD has announced itself. All ranks that have done so
 * get the same result. Called after PMPI_Init. */
int mpispec_all_announced(int world_rank, int world_size);

/* Whether any rank has announced that some ranks may be on other nodes. Called by all ranks, after
 * mpispec_all_announced has returned nonzero. */
int mpispec_ranks_spread(void);

/* Whether this rank could not announce itself, because the launcher is in another process namespace
 * and nothing names the job. */
int mpispec_announcement_is_nameless(void);

/* Whether this rank can read only the announcements of its own machine although some ranks may be
 * on other machines. Then the result 0 of mpispec_all_announced does not prove that a rank is
 * missing. */
int mpispec_announcement_is_local(void);

/* Withdraws this rank's announcement. Called when mpispec_all_announced has returned 0 on this
 * rank, or when all ranks have read the announcement. */
void mpispec_announcement_withdraw(void);

#endif
