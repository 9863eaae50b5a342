/* Leaders of different nodes that are in different operations (collective/mismatch.h has those of
 * one node). Plain MPI libraries hang then, or give wrong data.
 *
 * Each leader logs the history of operations at each operation among leaders. Who waits for long in
 * one sends its log to the leader of the next node, and reads what the one before has sent; a log
 * that says something else of the same operation is a mismatch. A leader that has found out tells
 * the next one, and its node by way of its slot. Barrier, and every 64th operation, is a
 * *comparison*: it combines the histories of all, so operations that ended in silence are told
 * there.
 *
 * A program that is only slow leaves no message behind: a receive stands ready for the log of the
 * leader before us, and its sender sends no other until two comparisons have gone by, at which that
 * receive is posted anew. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_LEADERS_MISMATCH_H
#define MPISPEC_RUNTIME_COLLECTIVE_LEADERS_MISMATCH_H

#include "collective/collective.h"

struct mpispec_leaders_watch;

/* For the leader `self` of `count`, with the communicator of leaders. */
struct mpispec_leaders_watch *mpispec_leaders_watch_open(MPI_Comm leaders, int self, int count);
void mpispec_leaders_watch_close(struct mpispec_leaders_watch *watch);

/* An operation among leaders begins: logs it. Nonzero if a comparison is to follow it. */
int mpispec_leaders_watch_begin(struct mpispec_collective *collective);

/* The leader's own node is in different operations, as the text says: tells the next leader. */
void mpispec_leaders_watch_tell(struct mpispec_collective *collective, const char *text);

/* For a leader that waits for long. Returns nonzero if members are in different operations;
 * collective->error says so then. */
int mpispec_leaders_watch_look(struct mpispec_collective *collective);

/* A comparison has ended, and all histories were the same. */
void mpispec_leaders_watch_compared(struct mpispec_collective *collective);

/* For a Barrier that has begun: has a comparison come just before it? */
int mpispec_leaders_watch_has_compared(const struct mpispec_collective *collective);

/* The histories of the leaders differ: returns when collective->error says why. */
void mpispec_leaders_watch_settle(struct mpispec_collective *collective);

#endif
