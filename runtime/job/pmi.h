/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* PMI: the interface by which a launcher stores keys and values for the ranks of a job.
 *
 * After MPI_Init, all ranks can read each key that a rank stored before MPI_Init began. A key that
 * is missing after MPI_Init never appears. */
#ifndef MPISPEC_RUNTIME_PMI_H
#define MPISPEC_RUNTIME_PMI_H

/* Returns 0 if the PMI of the launcher is not supported. Then the other two functions do nothing
 * and return 0. */
int mpispec_pmi_open(void);

int mpispec_pmi_put(const char *key);
int mpispec_pmi_has(const char *key);

#endif
