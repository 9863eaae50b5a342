/* What the two ranks of ranks-as-threads.c share. */
#ifndef MPISPEC_TEST_RANK_H
#define MPISPEC_TEST_RANK_H

#include <pthread.h>

enum { RANKS = 2, MAXIMUM_THREADS = 4 };

struct job {
  int can_read; /* may ranks read each other's memory? */
  int threads;  /* of each rank that call MPI */
  int rounds;
  pthread_barrier_t barrier;
  unsigned char *segments[RANKS];
  char board[RANKS][256]; /* what the ranks tell each other while they start */
};

void rank_main(struct job *job, int rank);

#endif
