/* Doorbells: a rank that waits in vain sleeps, and the rank that it waits for wakes it.
 *
 * Ranks that share processors must not poll: 62 ranks that poll and yield take a turn each before
 * one of the two that have work runs again. Therefore each rank has a doorbell in shared memory,
 * with a word to sleep on (a futex between processes). Doorbells are used only where the ranks of
 * the node have agreed at Init that they are oversubscribed.
 *
 *   sleeper                              writer
 *   arm: flag in its doorbell's word     writes a cell, a slot, a handshake
 *   fence                                fence
 *   polls once more                      reads the flag: is anybody asleep?
 *   sleep, unless rung since             ring: clear the flag, count the ring, wake
 *
 * The two fences are full ones, so that the sleeper sees the cell or the writer sees the flag. The
 * number of rings stands in the same word, and the sleeper sleeps only while that word is as it
 * was when it armed. So a ring between arming and sleeping is not lost, and neither is one where
 * several threads of the rank sleep on the word and another arms it again meanwhile.
 *
 * A writer finds those whom it must wake in two ways:
 *
 * - What is written for one rank (a message, a long message's handshake) is noted by whoever
 *   writes it. The sleeper then awaits messages of any rank.
 * - What is written for all members of a communicator (a slot) is not noted. Its reader registers
 *   with the rank that writes it, and says where the word is and what it has seen there.
 *
 * A writer does not ring at each write, but at the end of each call of the program, and whenever it
 * polls in vain itself (mpispec_doorbells_ring). Short ways and templates write without a note.
 * They are shut while doorbells are used: the lock is taken for each call, and fast_size is 0.
 *
 * Each sleep ends after MPISPEC_SLEEP at the latest: the MPI library may need to be polled, the
 * rank that is awaited may have died, and some waits have other causes to end. */
#ifndef MPISPEC_RUNTIME_DOORBELL_H
#define MPISPEC_RUNTIME_DOORBELL_H

#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

enum { MPISPEC_MOST_DOORBELLS = 4096, MPISPEC_DOORBELL_WORDS = MPISPEC_MOST_DOORBELLS / 64 };

/* One rank's, in shared memory; zeros at first. */
struct mpispec_doorbell {
  /* Written by its owner; the word by those who ring, too. */
  _Alignas(64) _Atomic uint32_t word; /* 1: armed; plus 2 for each ring */
  _Atomic int64_t offset; /* of the word that it awaits, in bytes from the writer's doorbell */
  _Atomic uint64_t seen;  /* what that word was */
  /* Bits of ranks that await a word which this rank writes. They set them, this rank clears. */
  _Alignas(64) _Atomic uint64_t waiters[MPISPEC_DOORBELL_WORDS];
};
static_assert(sizeof(struct mpispec_doorbell) == 64 + 64 * MPISPEC_DOORBELL_WORDS / 8,
              "a line that sleepers write, then what they write at others");

/* Nonzero while doorbells are used: the same on all ranks of the node. */
extern int mpispec_doorbells_used __attribute__((visibility("hidden")));

/* Once, at Init and Finalize. `bells` are those of all ranks of the node and stay where they are;
 * `rank` is this one. With `sleeps`, threads of this rank may sleep; it rings in any case. */
void mpispec_doorbells_open(struct mpispec_doorbell *const *bells, int ranks, int rank, int sleeps);
void mpispec_doorbells_close(void);

/* May threads of this rank sleep? */
int mpispec_doorbells_sleep(void);

/* Something has been, or is about to be, written that a rank may wait for. With the lock held. */
void mpispec_doorbell_note_peer(int peer);
static inline void mpispec_doorbell_note(int peer) {
  if (__builtin_expect(mpispec_doorbells_used, 0))
    mpispec_doorbell_note_peer(peer);
}

/* Wakes those for whom something has been written since the last time. With the lock held. */
void mpispec_doorbells_ring(void);

/* For the threads of this rank. All of them wake. */
void mpispec_doorbell_ring_own(void);

/* Before a thread sleeps. It must poll once more between this and mpispec_doorbell_sleep, to which
 * it gives what this returns. */
uint32_t mpispec_doorbell_arm(void);

/* The same for a word in the segment of `writer` that only this rank writes. One thread of this
 * rank at a time may await a word. */
uint32_t mpispec_doorbell_arm_for(int writer, const uint64_t *word);

/* Sleeps until this rank's doorbell rings, unless it has rung since it was armed so; at most
 * `longest` ns, if that is not 0. Without the lock. */
void mpispec_doorbell_sleep(uint32_t armed, long longest);

/* For MPISPEC_VERBOSE and tests: since Init, of this process. */
struct mpispec_doorbell_counts {
  _Atomic uint64_t sleeps, timeouts, rings;
};
extern struct mpispec_doorbell_counts mpispec_doorbell_counts __attribute__((visibility("hidden")));

#endif
