/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Doorbells: a rank that waits in vain sleeps, and the awaited rank wakes it.
 *
 * Oversubscribed ranks must not poll, because each rank that polls and yields takes a turn before a
 * rank with work runs again. Therefore each rank has a doorbell in shared memory. The doorbell
 * contains a word on which the rank's threads sleep (a futex between processes). Doorbells are
 * used only if the ranks of the node have agreed in MPI_Init that they are oversubscribed.
 *
 *   sleeper                              writer
 *   arm: flag in its doorbell's word     writes a cell, a slot, a descriptor
 *   fence                                fence
 *   polls once more                      reads the flag: does the rank sleep?
 *   sleep, unless rung since             ring: clear the flag, count the ring, wake
 *
 * Both fences are full ones. Therefore the sleeper reads the new cell, or the writer reads the
 * flag. The word also counts rings, and the sleeper sleeps only while the word equals its value at
 * arming. Therefore no ring between arming and sleeping is lost. The count also keeps a ring from
 * getting lost if several threads of the rank sleep on the word, and one arms it again.
 *
 * A writer finds the ranks that it must wake in two ways:
 *
 * - For data that one rank awaits (a message, the RTS descriptor of a long one), the writer notes
 *   that rank. The sleeper then awaits messages from any rank.
 * - For data that all members of a communicator await (a word of a slot), the writer notes only
 *   that it has written some. Each reader registers with the writing rank, and stores the word's
 *   offset and its last value.
 *
 * A writer does not ring at each write. It rings at the end of each call of the program, and
 * whenever it polls in vain itself (mpispec_doorbells_ring). A call that has noted nothing executes
 * no fence. Templates, and the fast path of calls that acquire no lock, write without a note.
 * Therefore they are disabled while doorbells are used: fast_size is 0, and each call acquires the
 * lock.
 *
 * The doorbell of the node's first rank also counts the ranks that are asleep. A waiting rank stays
 * awake for longer if the others leave it a processor (sleep.c).
 *
 * Each sleep ends after mpispec_longest_sleep at the latest: some waits end without a ring.
 * Meanwhile, the MPI library may also need a poll, or the awaited rank may have ended. */
#ifndef MPISPEC_RUNTIME_DOORBELL_H
#define MPISPEC_RUNTIME_DOORBELL_H

#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

enum { MPISPEC_MOST_DOORBELLS = 4096, MPISPEC_DOORBELL_WORDS = MPISPEC_MOST_DOORBELLS / 64 };

/* The doorbell of one rank, in shared memory; initially zeros. */
struct mpispec_doorbell {
  /* Written by its owner, and the word also by ranks that ring. */
  _Alignas(64) _Atomic uint32_t word; /* 1: armed; plus 2 for each ring */
  _Atomic int64_t offset;             /* the awaited word's, in bytes from the writer's doorbell */
  _Atomic uint64_t seen;              /* the awaited word's last value */
  _Atomic uint32_t is_asleep;         /* 1 from the beginning of a sleep to the ring that ends it */
  _Atomic uint32_t asked;             /* how often ranks asked for a poll of the MPI library */
  /* In the doorbell of the node's first rank: how many ranks are asleep. */
  _Alignas(64) _Atomic int32_t asleep;
  /* A bit for each rank that awaits a word of this rank. Waiters set bits, and this rank clears
   * them. */
  _Alignas(64) _Atomic uint64_t waiters[MPISPEC_DOORBELL_WORDS];
};
static_assert(sizeof(struct mpispec_doorbell) == 2 * 64 + 64 * MPISPEC_DOORBELL_WORDS / 8,
              "two lines that sleepers write, then what they write at others");

/* Nonzero while doorbells are used; the same on all ranks of the node. */
extern int mpispec_doorbells_used __attribute__((visibility("hidden")));

/* Nonzero if a peer has been noted since the last ring, or a word. */
extern int mpispec_doorbells_noted __attribute__((visibility("hidden")));
extern int mpispec_doorbells_word_noted __attribute__((visibility("hidden")));

/* Called in MPI_Init and MPI_Finalize, once each. `bells` are the doorbells of all ranks of the
 * node, and must stay valid; `rank` is this rank. `sleeps`: threads of this rank may sleep. Every
 * rank rings, even if it never sleeps. */
void mpispec_doorbells_open(struct mpispec_doorbell *const *bells, int ranks, int rank, int sleeps);
void mpispec_doorbells_close(void);

/* Whether threads of this rank may sleep. */
int mpispec_doorbells_sleep(void);

/* The number of ranks of the node that sleep on their doorbells. A rank that has been rung does not
 * count, even if it does not run yet. */
int mpispec_doorbells_asleep(void);

/* Notes that this rank has written, or is about to write, data for which `peer` may wait. Called
 * with the lock held. */
void mpispec_doorbell_note_peer(int peer);
static inline void mpispec_doorbell_note(int peer) {
  if (__builtin_expect(mpispec_doorbells_used, 0))
    mpispec_doorbell_note_peer(peer);
}

/* Notes that this rank has written, or is about to write, a word that ranks may await by
 * mpispec_doorbell_arm_for. Called with the lock held. A store without the test would wait behind
 * those to lines of other ranks: on an Intel Xeon (family 6, model 207), MPI_Bcast of 64 B took
 * 0.177 us instead of 0.150. */
static inline void mpispec_doorbell_note_word(void) {
  if (__builtin_expect(mpispec_doorbells_used, 0))
    mpispec_doorbells_word_noted = 1;
}

/* Wakes the ranks for which this rank has noted data since the last call. Called with the lock
 * held. */
void mpispec_doorbells_ring(void);

/* Wakes the threads of this rank that sleep on its doorbell. */
void mpispec_doorbell_ring_own(void);

/* Asks `peer` to poll its MPI library, and wakes it if it sleeps. If `peer` is negative, the same
 * for all other ranks of the node. Needs no lock. */
void mpispec_doorbells_ask(int peer);

/* Changes each time that another rank has asked this rank. Needs no lock. */
uint32_t mpispec_doorbell_asked(void);

/* Called before a thread sleeps. The thread must poll once more before mpispec_doorbell_sleep, and
 * passes the result to it. */
uint32_t mpispec_doorbell_arm(void);

/* Like mpispec_doorbell_arm, for a word in the segment of `writer` that only that rank writes. Only
 * one thread of a rank may await a word at a time. */
uint32_t mpispec_doorbell_arm_for(int writer, const uint64_t *word);

/* Sleeps until this rank's doorbell rings, for at most `longest` nanoseconds unless that is 0.
 * Returns at once if the doorbell has rung since `armed`. Called without the lock. */
void mpispec_doorbell_sleep(uint32_t armed, long longest);

/* Counts of this process since MPI_Init, for MPISPEC_VERBOSE and tests. */
struct mpispec_doorbell_counts {
  _Atomic uint64_t sleeps, timeouts, rings;
};
extern struct mpispec_doorbell_counts mpispec_doorbell_counts __attribute__((visibility("hidden")));

#endif
