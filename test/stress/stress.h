/* The differential tester: random programs whose outcome MPI determines.
 *
 * All ranks draw the same random numbers. Therefore each has the whole plan of a phase: senders, receivers, order,
 * modes of sending and of receiving. A phase is a kind of program that cannot deadlock, and whose received bytes and
 * statuses are known beforehand. Each received byte and status is checked and folded into a digest. differential.py
 * compares the digests of runs with and without lanes.
 *
 *   stress.c                 numbers, checks, the loop over phases, threads
 *   message.c                a message: its bytes, its datatypes, how it is sent and received
 *   stress-completion.c      the ways of completing requests
 *   arrays.c                 a phase of requests that begin and end in one array
 *   lists.c                  phases that are lists of messages
 *   postings.c               a phase of posted receives, and all that may happen meanwhile
 *   patterns.c               phases that are patterns: rings, floods, exchanges, collectives
 *   corners.c                phases about one rule each: truncation, cancelling, freeing, buffers
 *   stress-constants.c       messages whose sizes are constants, for templates
 *   *collective*.c           collective operations
 *   stress-communicators.c   communicators, made and freed in all ways
 *
 * With several threads each has a world of its own, on a communicator of its own. For messages all threads of a rank
 * use one more communicator, with tags by thread. */
#ifndef MPISPEC_TEST_STRESS_H
#define MPISPEC_TEST_STRESS_H

#include "../Inputs/mpi3.h"

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* A library's deviations from MPI are left out of its programs.
 *
 * TRUNCATES: Open MPI 4.1 raises no error for a message to oneself that is too long, and writes behind the buffers of
 * others. Intel MPI raises none for some. MPICH 5 leaves codes in statuses that have no class. KEEPS_STATUSES: if
 * MPI_Request_get_status has seen a persistent receive complete, MPICH 5 and Intel MPI have lost its status when
 * MPI_Wait comes to it. NULL_RESTS: Intel MPI returns again and again that a persistent receive from MPI_PROC_NULL
 * has ended. */
#if defined(OPEN_MPI)
enum { TRUNCATES = 0, KEEPS_STATUSES = 1, NULL_RESTS = 1 };
#elif defined(I_MPI_VERSION)
enum { TRUNCATES = 0, KEEPS_STATUSES = 0, NULL_RESTS = 0 };
#elif defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 50000000
enum { TRUNCATES = 1, KEEPS_STATUSES = 1, NULL_RESTS = 1 };
#else
enum { TRUNCATES = 0, KEEPS_STATUSES = 0, NULL_RESTS = 1 };
#endif

enum { MAXIMUM_MESSAGES = 64, MAXIMUM_COMMUNICATORS = 5, MAXIMUM_THREADS = 8, MAXIMUM_RANKS = 64 };

/* The communicator that all threads of a rank use for messages, each thread with tags of its own. Its index follows
 * those of the thread's own communicators. It has no collective operations, and no receive with MPI_ANY_TAG. */
enum { SHARED = MAXIMUM_COMMUNICATORS };

enum send_mode { STANDARD, BUFFERED, SYNCHRONOUS, READY, SEND_MODES };
enum send_form { BLOCKING, IMMEDIATE, PERSISTENT, SEND_FORMS };

/* Where the bytes of a message lie in memory. */
enum layout { TOGETHER, SPREAD, TURNED, ABSOLUTE, NESTED, LAYOUTS };

struct message {
  int id;             /* unique in the run: the seed of its bytes */
  int source, target; /* ranks in the communicator */
  int communicator;   /* index */
  int tag; /* see tag_on */
  int bytes;
  enum send_mode mode;
  enum send_form form;
  int large; /* through the functions with large counts */
  enum layout send_layout, receive_layout;
  int any_source, any_tag; /* wildcards of its receive; any_tag holds not on SHARED */
  int receive_way;
};

struct world {
  int rank, size;                                /* in the base */
  MPI_Comm communicators[SHARED + 1]; /* the first is the base: all ranks, this thread */
  int ranks[SHARED + 1];              /* our own in each, or -1 if not a member */
  int sizes[SHARED + 1];              /* the same on all ranks of the world */
  int expects_errors, errors;         /* calls of the error handler, which else ends the job */
  int thread, phase, next_id;
  const char *phase_name;
  uint64_t random, digest;
};

extern _Thread_local struct world world;
#define BASE (world.communicators[0])

/* The same for all threads. */
extern int largest_message, thread_count;

/* --- stress.c ----------------------------------------------------------------------------------*/

/* A number from 0 to below - 1, the same on all ranks. */
int draw(int below);

/* A random order of 0 to count - 1. */
void shuffle(int order[], int count);

/* The index of a communicator for messages: with several threads often SHARED. */
int draw_communicator(void);

/* The tag of this thread's messages on a communicator. */
int tag_on(int communicator, int tag);

/* Folds a number into the digest. */
void note(int64_t number);

/* Ends the job with a word if the condition does not hold. */
void require(int condition, const char *what, const struct message *message);

/* Errors on this communicator end the job, unless they are expected. */
void watch_errors(MPI_Comm comm);

/* MPI_Barrier, but the cores are left to others meanwhile. */
void gather(void);

/* --- message.c ---------------------------------------------------------------------------------*/

/* A datatype with what goes before it in a call. */
struct typed {
  void *room; /* to be freed */
  void *buffer;
  int count;
  MPI_Datatype type;
};

/* Fills in what a message is; the caller may change it after. */
struct message message_draw(int tag);

/* Sender: memory with the bytes of the message; receiver: memory for them. */
struct typed message_fill(const struct message *message);
struct typed message_room(const struct message *message);

/* Frees the type, which MPI keeps as long as it needs it. */
void message_type_free(struct typed *typed);

/* Sends; the request is null if the send is over. The room may be freed when that is complete. */
struct typed message_send(const struct message *message, MPI_Request *request);

/* Receives in one of many ways, and does not return before. */
void message_receive(const struct message *message);

/* The pattern of its receive. */
int takes_any_tag(const struct message *message);
int message_source(const struct message *message);
int message_tag(const struct message *message);

/* Checks bytes and status of a received message, or the bytes alone; frees the room. */
void message_check(const struct message *message, struct typed *typed, const MPI_Status *status);
void message_check_bytes(const struct message *message, struct typed *typed);

/* The same of a probe. */
void message_check_probe(const struct message *message, const MPI_Status *status);

/* Checks what a receive got that had room for fewer bytes, together; frees the room. */
void message_check_short(const struct message *message, struct typed *typed, int room,
                         const MPI_Status *status);

/* Have all bytes come, of a receive whose request is given up? */
int message_is_there(const struct message *message, const struct typed *typed);

/* --- stress-completion.c
 * ------------------------------------------------------------------------------*/

/* PLAIN: by the functions of PMPI, as a library does that began elsewhere. */
enum completion {
  WAITALL,
  TESTALL,
  PLAIN_WAITALL,
  PLAIN_TESTALL,
  WAITANY,
  TESTANY,
  PLAIN_WAITANY,
  PLAIN_TESTANY,
  WAITSOME,
  TESTSOME,
  PLAIN_WAITSOME,
  PLAIN_TESTSOME,
  ONE_BY_ONE,
  TEST_EACH,
  PLAIN_ONE_BY_ONE,
  PLAIN_TEST_EACH,
  COMPLETIONS
};

/* Completes requests in one of MPI's ways, and stores each one's status with its error. Null and
 * inactive requests may be among them. */
void complete(int count, MPI_Request requests[], MPI_Status statuses[], enum completion way);

/* The same of requests that give no error, without statuses. */
void complete_ignoring(int count, MPI_Request requests[], enum completion way);

/* The sends that a rank has under way. */
struct pending {
  MPI_Request requests[MAXIMUM_MESSAGES];
  struct typed typed[MAXIMUM_MESSAGES];
  int count;
};
void pending_send(struct pending *pending, const struct message *message);
void pending_finish(struct pending *pending);

/* --- lists.c -----------------------------------------------------------------------------------*/

/* The receives of all messages in the order in which they are posted, some with wildcards. Each is the message that
 * it gets, with the wildcards of its pattern. The result is the same whichever rank is early or late. */
void plan_receives(const struct message list[], int count, struct message receives[]);

/* --- stress-communicators.c
 * ---------------------------------------------------------------------------*/

/* Makes a new communicator number `c`, 1 or more. */
void make_communicator(int c);
void free_communicator(int c);

/* --- the kinds of phases -----------------------------------------------------------------------*/

void phase_sequence(void);
void phase_arrays(void);
void phase_posted_first(void);
void phase_postings(void);
void phase_from_anywhere(void);
void phase_collective(void);
void phase_persistent(void);
void phase_flood(void);
void phase_exchange(void);
void phase_matched_probe(void);
void phase_communicators(void);
void phase_freed_communicator(void);
void phase_odd_ends(void);
void phase_truncation(void);
void phase_cancel(void);
void phase_release(void);
void phase_buffer(void);
void phase_constants(void);
void phase_collectives(void);
void phase_constant_collectives(void);

#endif
