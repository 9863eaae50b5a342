/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The receiver's choice of the way of a long message. A wrong choice costs only time. way.c
 * describes how the ways are measured. All functions are called with the lock held. */
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
  int both_ways;    /* this rank also sends to the peer meanwhile */
  int back_to_back; /* receiver: messages follow each other so soon that no rank touches their bytes
                       in between, or the last one came with others */
};

/* Called in MPI_Init, before mpispec_node_agree. The node's first rank reads a cost model
 * (cost_model_file.h) for all ranks of the node, and stores it in its segment. Later changes of the
 * environment have no effect. */
void mpispec_ways_load(const struct mpispec_environment *environment);

/* The source of this model as a phrase for messages, on the node's first rank. Empty on other
 * ranks. */
const char *mpispec_ways_origin(void);

/* Called in MPI_Init, after mpispec_node_agree, and in MPI_Finalize. `always` is the way of all
 * messages for which it is possible. If it is MPISPEC_WAY_OPEN, the measured costs determine the
 * way. In MPI_Finalize, the job's first rank writes its measured costs to the user's file if they
 * have changed enough. It writes nothing if the user has chosen a model or a way, or if ranks
 * shared cores. */
void mpispec_ways_open(enum mpispec_way always);
void mpispec_ways_close(void);

/* The way that the cost model, or the user, chooses for messages one way to `peer` that are back to
 * back, before any message was measured. */
enum mpispec_way mpispec_way_of_model(int peer, int64_t bytes);

/* Receiver: the way of this message, for which both ways must be possible. */
enum mpispec_way mpispec_way_choose(const struct mpispec_situation *situation);

/* Receiver: records that a message cost `ticks` in this way (way_sample.h). */
void mpispec_way_record(const struct mpispec_situation *situation, enum mpispec_way way,
                        uint64_t ticks);

/* Receiver, when a message is complete: returns the planned way for the next message of the same
 * situation. */
enum mpispec_way mpispec_way_plan(const struct mpispec_situation *situation);

/* Sender: store the receiver's planned choice, and return the way to expect. */
void mpispec_way_note_plan(const struct mpispec_situation *situation, enum mpispec_way planned);
enum mpispec_way mpispec_way_of_peer(const struct mpispec_situation *situation);

#endif
