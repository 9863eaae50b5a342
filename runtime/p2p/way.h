/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How the receiver of a long message would like its bytes: a choice that only costs time if it is
 * wrong. The ways, and what measures them, are in way.c. With the lock held. */
#ifndef MPISPEC_RUNTIME_WAY_H
#define MPISPEC_RUNTIME_WAY_H

#include <stdint.h>

struct mpispec_environment;

enum mpispec_way {
  MPISPEC_WAY_OPEN,   /* the receiver is away, and has not chosen */
  MPISPEC_WAY_PIPE,   /* the sender fills slots of a pipe, the receiver empties them */
  MPISPEC_WAY_SHARED, /* the receiver pulls from the front, the sender pushes from the back */
  MPISPEC_WAYS
};

/* The situation of a message, as far as the costs of the ways depend on it. */
struct mpispec_situation {
  int peer; /* node rank */
  int64_t bytes;
  int both_ways; /* this rank has something to send to the peer meanwhile */
};

/* At Init, before mpispec_node_agree: the node's first rank reads a cost model (cost_model_file.h)
 * for all ranks of the node, into its segment. Later changes of the environment do not count. */
void mpispec_ways_load(const struct mpispec_environment *environment);

/* Where that model is from, as the node's first rank may say it; empty on other ranks. */
const char *mpispec_ways_origin(void);

/* At Init, after mpispec_node_agree, and at Finalize. `always`: that way, wherever it is possible;
 * MPISPEC_WAY_OPEN: as measured. At Finalize the job's first rank writes what it has learned to the
 * user's file, if that is worth it. */
void mpispec_ways_open(enum mpispec_way always);
void mpispec_ways_close(void);

/* Receiver: the way of this message, for which both ways must be possible. */
enum mpispec_way mpispec_way_choose(const struct mpispec_situation *situation);

/* Receiver: a message went one way, and during it both ranks waited for it. It took so long. */
void mpispec_way_learn(const struct mpispec_situation *situation, enum mpispec_way way,
                       uint64_t ticks);

/* Receiver, when a message has ended: the most likely choice for the next message of this kind. */
enum mpispec_way mpispec_way_plan(const struct mpispec_situation *situation);

/* Sender: stores the receiver's planned choice, and returns the last one stored. */
void mpispec_way_note_plan(const struct mpispec_situation *situation, enum mpispec_way planned);
enum mpispec_way mpispec_way_of_peer(const struct mpispec_situation *situation);

#endif
