/* Collective operations with random arguments, the same on all ranks except a rank's own. The data of a rank are
 * computed from its rank and the index of the element. The results go into the digest, which is compared with that of
 * plain MPI to the last bit.
 *
 * Some ranks call by a pointer, which no template stands in for: so rewritten calls meet plain
 * ones. */
#ifndef MPISPEC_TEST_STRESS_COLLECTIVE_H
#define MPISPEC_TEST_STRESS_COLLECTIVE_H

#include "../Runtime/Inputs/collective-test.h"
#include "stress.h"

struct plan {
  MPI_Comm comm;
  int rank, size, root, count, seed;
  int in_place;
  int late;     /* the rank that comes later than the others; or -1 */
  double delay; /* by so many seconds */
  int pointer; /* this rank calls by a pointer */
  const struct type *type;
  MPI_Op op;
  MPI_Datatype pairs; /* this rank's word for two integers: one by one, together, or with a gap */
  int words;          /* integers that one of its elements takes up in memory */
  int elements;       /* numbers in a pair */
};

struct pointers {
  int (*Barrier)(MPI_Comm);
  int (*Bcast)(void *, int, MPI_Datatype, int, MPI_Comm);
  int (*Reduce)(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
  int (*Allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
};
extern volatile struct pointers pointers;

/* Calls MPI_NAME in one way or the other. */
#define CALL(POINTER, NAME, ...) ((POINTER) ? pointers.NAME(__VA_ARGS__) : MPI_##NAME(__VA_ARGS__))

void note_bytes(const void *bytes, int count);

/* Nonzero if the plan's call is to be in place. Plain MPI, which is the reference, does not work in place, because some
 * of these calls fail in MPICH 4.0.2. */
int works_in_place(const struct plan *plan);

/* collective_reductions.c: one of these kinds on the plan's type, and one on matrices. */
enum { REDUCTIONS = 6 };
void carry_out_reduction(const struct plan *plan, int kind);
void reduce_matrices(const struct plan *plan);

/* collective_moves.c */
enum { MOVES = 10 };
void carry_out_move(const struct plan *plan, int kind);

#endif
