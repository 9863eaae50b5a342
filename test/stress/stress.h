/* The differential tester: random programs whose outcome MPI determines.
 *
 * All ranks draw the same random numbers, so each knows the whole plan of a phase: who sends what
 * to whom, how, in which order, and how it is received. A phase is a kind of program (phases*.c)
 * that cannot deadlock and whose every received byte and status is known beforehand. What a rank
 * sees is checked against that, and folded into a digest; differential.py compares the digests of
 * runs with and without lanes. */
#ifndef MPISPEC_TEST_STRESS_H
#define MPISPEC_TEST_STRESS_H

#include <mpi.h>
#include <stdint.h>

enum { MAXIMUM_MESSAGES = 64, MAXIMUM_COMMUNICATORS = 4 };

enum send_way {
  STANDARD,
  BUFFERED,
  SYNCHRONOUS,
  IMMEDIATE,
  IMMEDIATE_SYNCHRONOUS,
  IMMEDIATE_BUFFERED,
  PERSISTENT,
  SEND_WAYS
};

struct message {
  int id;             /* unique in the run: the seed of its bytes */
  int source, target; /* ranks in the communicator */
  int communicator;   /* index */
  int tag;
  int bytes;
  enum send_way way;
  int derived_send, derived_receive; /* through a vector type */
  int any_source, any_tag;           /* wildcards of its receive */
  int receive_way;
};

struct world {
  int rank, size; /* in MPI_COMM_WORLD */
  MPI_Comm communicators[MAXIMUM_COMMUNICATORS];
  int ranks[MAXIMUM_COMMUNICATORS]; /* our own in each, or -1 if not a member */
  int sizes[MAXIMUM_COMMUNICATORS]; /* the same on all ranks of the world */
  int phase, next_id;
  uint64_t random, digest;
  int largest; /* bytes of a message */
};

extern struct world world;

/* A number from 0 to below - 1, the same on all ranks. */
int draw(int below);

/* Fills in what a message is; the caller may change it after. */
struct message draw_message(int tag);

/* Sender: memory with the bytes of the message, laid out as its send type wants. */
void *message_fill(const struct message *message);

/* Receiver: memory for it. */
void *message_room(const struct message *message);

/* The type and count to send or receive it with. Free with message_type_free. */
MPI_Datatype message_type(const struct message *message, int derived, int *count);
void message_type_free(MPI_Datatype *type);

/* Checks bytes and status of a received message; frees the room. */
void message_check(const struct message *message, void *room, const MPI_Status *status);

/* Folds a number into the digest. */
void note(int64_t number);

/* Ends the job with a word if the condition does not hold. */
void require(int condition, const char *what, const struct message *message);

/* Makes a new communicator number `c`, 1 or more. */
void make_communicator(int c);

/* The kinds of phases. */
void phase_sequence(void);
void phase_posted_first(void);
void phase_from_anywhere(void);
void phase_collective(void);
void phase_persistent(void);
void phase_flood(void);
void phase_exchange(void);
void phase_matched_probe(void);
void phase_communicators(void);
void phase_odd_ends(void);

#endif
