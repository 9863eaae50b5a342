/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Yields while the MPI library polls.
 *
 * A blocking function of the MPI library polls until it is complete, and most libraries never
 * yield. If ranks share a processor, the rank that polls keeps the awaited rank from running for a
 * whole time slice. Therefore the runtime yields for the library, in one of two ways:
 *
 * - The library polls through a function of its transport that the runtime redefines. The
 *   runtime's function calls the next definition and reports its result
 *   (interposition/library/transport_polls.c).
 * - The library has a switch for all threads. The runtime turns it on while at least one thread is
 *   in a blocking function, except during the runtime's own polls.
 *
 * The runtime yields only if this rank is oversubscribed (oversubscription.h). In a blocking
 * function the rank yields after MPISPEC_EMPTY_POLLS consecutive polls in vain. In other functions,
 * such as MPI_Test, it yields after MPISPEC_EMPTY_TESTS, because the caller may have other work, or
 * after MPISPEC_TEST_ROW if the caller has done hardly anything else.
 * Blocking collective functions are called as they are, because nonblocking ones would not match
 * those of other ranks. */
#ifndef MPISPEC_RUNTIME_LIBRARY_POLLS_H
#define MPISPEC_RUNTIME_LIBRARY_POLLS_H

/* The first function is called before the MPI library's initialization. Reported polls may yield
 * until the second function is called. */
void mpispec_library_polls_open(void);
void mpispec_library_polls_close(void);

/* Called at the end of MPI_Init. */
void mpispec_library_polls_end_init(void);

/* Sets the function that turns the library's switch, or null if there is none. That function
 * returns the switch's old value, and any thread may call it. `is_chosen`: the user has chosen the
 * value. Returns nonzero if the user has chosen it, or if the switch is on already. Then blocking
 * functions do not turn the switch. Called once, while no other thread is in the library. */
int mpispec_library_polls_use_switch(_Bool (*own_switch)(_Bool yields), int is_chosen);

/* Called before and after a poll by the runtime, whose own waits yield. The first function turns
 * the switch off, and returns nonzero if it was on. The second one takes this result, and turns the
 * switch on again if it must be on. If the library yielded in each of these polls, a rank with
 * messages to receive would lose its turn. Threads that are in blocking functions during the poll
 * do not yield until it ends. */
_Bool mpispec_library_yields_off(void);
void mpispec_library_yields_restore(_Bool was_on);

/* Called before and after each blocking function of the library. These pairs nest. */
void mpispec_library_enter(void);
void mpispec_library_leave(void);

/* Reports that a poll of the library's transport has found `events` events. For any thread. */
void mpispec_library_polled(unsigned events);

/* Nonzero if a poll in vain has been reported between the first two functions above. */
int mpispec_library_polls_are_reported(void);

/* Called between mpispec_library_enter and mpispec_library_leave, by the runtime: nonzero if this
 * rank is oversubscribed, and yields while the library polls now. Zero during MPI_Init, in which
 * other ranks may come seconds later. */
int mpispec_library_waits_yield(void);

/* For calls that only test: nonzero if this rank is oversubscribed, and the library neither yields
 * outside blocking functions nor reports its polls. */
int mpispec_library_tests_spin(void);

/* Nonzero if this rank is oversubscribed, and its library yields nowhere. */
int mpispec_library_never_yields(void);

/* Changes when events are reported. */
unsigned long mpispec_library_events(void);

/* The number of yields since MPI_Init, for MPISPEC_VERBOSE and tests. */
unsigned long mpispec_library_yields(void);

#endif
