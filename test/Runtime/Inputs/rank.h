/* The state that the two ranks of ranks-as-threads.c share. */
#ifndef MPISPEC_TEST_RANK_H
#define MPISPEC_TEST_RANK_H

#include <pthread.h>
#include <stdint.h>

enum { RANKS = 2, MAXIMUM_THREADS = 4 };

struct job {
  int can_read; /* may ranks read each other's memory? */
  int threads;  /* threads of each rank that call MPI */
  int rounds;
  pthread_barrier_t barrier;
  unsigned char *segments[RANKS];
  char board[RANKS][512]; /* data that the ranks exchange while they start */
  /* At the end: bytes of long messages, by the way that they went (p2p/rendezvous.h). */
  uint64_t filled[RANKS], pulled[RANKS], pushed[RANKS];
};

void rank_main(struct job *job, int rank);

/* Numbers that are the same in both ranks. */
unsigned draw(unsigned *state, unsigned below);

/* One exchange of long messages between threads of this number (rank-long.c). */
void rank_exchange_long(int me, int thread, unsigned *state);

/* Messages from each of the ranks, until it has pushed part of one: the receiver is away. For one
 * thread of each rank, while no other calls MPI. */
void rank_push(int me, struct job *job);

#endif
