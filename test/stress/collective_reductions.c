/* Reductions over all datatypes and operations, and one that the program defines. See
 * stress-collective.h. */
#include "stress-collective.h"

#include <stdlib.h>

/* The product of two by two matrices: not commutative. */
static void multiply(void *left, void *right, int *count, MPI_Datatype *type) {
  int *a = left, *b = right;
  (void)type;
  for (int i = 0; i < *count; ++i, a += 4, b += 4) {
    const int product[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                            a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
    for (int k = 0; k < 4; ++k)
      b[k] = product[k] % 1000;
  }
}

static void *room_for(const struct plan *plan, int count) {
  void *room = malloc(((size_t)count + 1) * (size_t)plan->type->extent);
  memset(room, 0x55, ((size_t)count + 1) * (size_t)plan->type->extent);
  return room;
}

/* Where this rank's part stands: apart, or, in place, in `out`. Returns what to give as buffer. */
static const void *give(const struct plan *plan, void *in, void *out, int count, int in_place) {
  put_elements(plan->type, in, count, plan->rank, plan->seed);
  if (!in_place || !works_in_place(plan))
    return in;
  memcpy(out, in, (size_t)count * (size_t)plan->type->extent);
  return MPI_IN_PLACE;
}

static void note_elements(const struct plan *plan, const void *out, int count) {
  uint64_t digest = 1;
  digest_elements(&digest, plan->type, out, count);
  note((int64_t)digest);
}

void carry_out_reduction(const struct plan *plan, int kind) {
  const int count = plan->count, total = kind < 4 ? count : count * plan->size;
  void *in = room_for(plan, total), *out = room_for(plan, total);
  const int is_root = plan->rank == plan->root;
  /* A communicator that is not adopted is the MPI library's. There MPICH 4.0.2 reads from the address MPI_IN_PLACE
   * where a long Reduce has a root other than 0. */
  const int in_place = kind != 1 || (is_root && (plan->root == 0 || count < 128));
  const void *send = give(plan, in, out, total, plan->in_place && in_place);
  int counts[MAXIMUM_RANKS];
  switch (kind) {
  case 0:
    CALL(plan->pointer, Allreduce, send, out, count, plan->type->handle, plan->op, plan->comm);
    note_elements(plan, out, count);
    break;
  case 1:
    CALL(plan->pointer, Reduce, send, out, count, plan->type->handle, plan->op, plan->root,
         plan->comm);
    note_elements(plan, out, is_root ? count : 0);
    break;
  case 2:
    MPI_Scan(send, out, count, plan->type->handle, plan->op, plan->comm);
    note_elements(plan, out, count);
    break;
  case 3:
    MPI_Exscan(send, out, count, plan->type->handle, plan->op, plan->comm);
    note_elements(plan, out, plan->rank ? count : 0);
    break;
  case 4:
    MPI_Reduce_scatter_block(send, out, count, plan->type->handle, plan->op, plan->comm);
    note_elements(plan, out, count);
    break;
  default:
    for (int i = 0; i < plan->size; ++i)
      counts[i] = (plan->seed + i) % 3 ? count : 0;
    MPI_Reduce_scatter(send, out, counts, plan->type->handle, plan->op, plan->comm);
    note_elements(plan, out, counts[plan->rank]);
  }
  free(in);
  free(out);
}

/* An operation of the program's own. */
void reduce_matrices(const struct plan *plan) {
  int in[40], out[40];
  MPI_Datatype matrix;
  MPI_Op op;
  const int count = plan->count % 10;
  for (int i = 0; i < 40; ++i)
    in[i] = (int)(random_of((uint32_t)(i + 40 * plan->rank + plan->seed)) % 5);
  memset(out, 0, sizeof out);
  MPI_Type_contiguous(4, MPI_INT, &matrix);
  MPI_Type_commit(&matrix);
  MPI_Op_create(multiply, 0, &op);
  if (plan->seed % 3 == 0)
    CALL(plan->pointer, Allreduce, in, out, count, matrix, op, plan->comm);
  else if (plan->seed % 3 == 1)
    CALL(plan->pointer, Reduce, in, out, count, matrix, op, plan->root, plan->comm);
  else
    MPI_Scan(in, out, count, matrix, op, plan->comm);
  note_bytes(out, sizeof out);
  MPI_Op_free(&op);
  MPI_Type_free(&matrix);
}
