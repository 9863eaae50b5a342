/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kernel.h - the common part of all kernels: clock, verdict, and the parts of their time
 *
 * A kernel runs its method several times between kernel_start and kernel_stop, and then reports.
 * The report has one line of the result, which is the same with and without mpispec, and "right" or
 * "WRONG". Further lines are "seconds", the best time, and "handoff" (handoff.h). Built with
 * -DKERNEL_SPLIT it also divides the time of that run into computing, waiting and being inside MPI
 * (split.h). */
#ifndef KERNEL_H
#define KERNEL_H

#include <mpi.h>

/* MPI_Init, or MPI_Init_thread (thread_level.h). Each rank is bound to a core of its own if there
 * are as many. argv[1], if there, is the number of repetitions. */
void kernel_begin(int *argc, char ***argv);

/* Another repetition to do? */
int kernel_repeats(void);

/* Starts the clock in all ranks, and stops it when the last one is done. Collective. */
void kernel_start(void);
void kernel_stop(void);

/* Rank 0 prints `format` with one number, the verdict, the times. Collective; every rank says
 * whether what it has is right. Ends MPI; returns main's value. */
int kernel_end(int right, const char *format, double result);

#endif
