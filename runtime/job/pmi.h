/* PMI, by which a launcher keeps what ranks tell each other: a key-value space of the job.
 *
 * A key that was put before MPI_Init began can be seen by all ranks once it has ended, and its
 * absence is final then, too. */
#ifndef MPISPEC_RUNTIME_PMI_H
#define MPISPEC_RUNTIME_PMI_H

/* Returns 0 if this launcher has none that we know; without it, the other two do nothing. */
int mpispec_pmi_open(void);

int mpispec_pmi_put(const char *key);
int mpispec_pmi_has(const char *key);

#endif
