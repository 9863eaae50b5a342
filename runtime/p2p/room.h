/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Room for messages. Messages that nobody has received fill the lanes and the arena of their
 * sender. MPI_Isend must return all the same (MPI 4.0, "Local MPI procedures"), and MPI libraries
 * keep such messages in the memory of the receiver's process. Therefore a rank that finds no room
 * asks for it in its segment's header. Each rank that waits in MPI answers now and then: it takes
 * the messages of those that ask off their lanes, copies them out of their blocks, and returns its
 * cached blocks. All functions but the last are called with the lock held. */
#ifndef MPISPEC_RUNTIME_ROOM_H
#define MPISPEC_RUNTIME_ROOM_H

/* Asks for room until mpispec_room_found is called. The caller tries again later. */
void mpispec_room_ask(void);
void mpispec_room_found(void);

/* Round `round` of a wait for room. Makes progress, asks and answers. */
void mpispec_room_wait(unsigned round);

/* Called now and then while this rank waits in MPI. The second function also returns memory that
 * this rank no longer uses to other ranks and to the system. */
void mpispec_room_answer(void);
void mpispec_room_tend(void);

/* Called by tests of requests that only the MPI library executes. One of many calls answers. */
void mpispec_room_note_foreign_test(void);

/* Answers between mpispec_library_call_begin and mpispec_library_call_end (helper.h). Called
 * without the lock held. */
void mpispec_room_tend_in_library(void);

#endif
