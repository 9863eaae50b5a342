/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* split.h - the parts of a kernel's time: computing, waiting, inside MPI
 *
 * Compile a kernel with `-include split.h -DKERNEL_SPLIT`. Each send, receive and collective notes
 * the clock before and after itself, and nothing else happens while the kernel runs. No call is put
 * between program and MPI library. Afterwards the ranks combine their notes (split.c). Waiting is
 * the time in a receive before its message's send had begun, and in a long send before its receive
 * had begun. In a collective it is the time before its last rank had come. The rest of a call is
 * time inside MPI. The time between calls is computing.
 *
 * The macros evaluate peer, tag and count twice. */
#ifndef SPLIT_H
#define SPLIT_H

#ifdef KERNEL_SPLIT
#include <mpi.h>
#include <stdint.h>

struct split_call {
  uint64_t enter, leave; /* ticks */
  int to, send_tag;      /* a rank, or -1 */
  int from, receive_tag; /* a rank, or -1 */
  int elements;          /* sent; -1: a collective call */
};

extern struct split_call *split_next;

/* Before a call: read when all computing before it is done, not while it still goes on. After a
 * call nothing is held up: the processor may already be computing. */
static inline uint64_t split_ticks_before(void) {
  unsigned core;
  return __builtin_ia32_rdtscp(&core);
}
static inline uint64_t split_ticks(void) { return __builtin_ia32_rdtsc(); }

#define SPLIT_CALL(CALL, TO, SEND_TAG, FROM, RECEIVE_TAG, ELEMENTS)                                \
  ({                                                                                               \
    struct split_call *const split_mine = split_next++;                                            \
    split_mine->enter = split_ticks_before();                                                      \
    const int split_result = CALL;                                                                 \
    split_mine->leave = split_ticks();                                                             \
    split_mine->to = TO;                                                                           \
    split_mine->send_tag = SEND_TAG;                                                               \
    split_mine->from = FROM;                                                                       \
    split_mine->receive_tag = RECEIVE_TAG;                                                         \
    split_mine->elements = ELEMENTS;                                                               \
    split_result;                                                                                  \
  })

/* With the argument cache, these names already mean the cache's functions. */
#ifdef ARGUMENT_CACHE_H
#undef MPI_Send
#undef MPI_Recv
#define SPLIT_SEND argument_cache_send
#define SPLIT_RECV argument_cache_recv
#else
#define SPLIT_SEND MPI_Send
#define SPLIT_RECV MPI_Recv
#endif

#define MPI_Send(B, N, T, P, G, C) SPLIT_CALL(SPLIT_SEND(B, N, T, P, G, C), P, G, -1, 0, N)
#define MPI_Recv(B, N, T, P, G, C, S) SPLIT_CALL(SPLIT_RECV(B, N, T, P, G, C, S), -1, 0, P, G, 0)
#define MPI_Sendrecv(B, N, T, P, G, B2, N2, T2, P2, G2, C, S)                                      \
  SPLIT_CALL(MPI_Sendrecv(B, N, T, P, G, B2, N2, T2, P2, G2, C, S), P, G, P2, G2, N)
#define MPI_Allreduce(B, B2, N, T, O, C)                                                           \
  SPLIT_CALL(MPI_Allreduce(B, B2, N, T, O, C), -1, 0, -1, 0, -1)
#endif

/* For kernel.c; without KERNEL_SPLIT they do nothing. All but split_start are collective. */
void split_start(void);          /* forgets all notes and starts anew */
void split_stop(void);           /* takes no more notes */
void split_keep(double seconds); /* the notes are those of the best run so far */
void split_print(int rank);      /* "compute", "waiting", "inside" in seconds, mean of all ranks */

#endif
