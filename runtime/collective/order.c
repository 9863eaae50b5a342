/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Combines parts by a program (order.h), in pieces, because the intermediate results of a piece
 * stay in the nearest cache. */
#include "collective/order.h"

#include "collective/operations.h"
#include "collective/trees.h"

#include <stdlib.h>
#include <string.h>

struct mpispec_order *mpispec_order_make(const struct mpispec_tree *tree, int size, int root,
                                         const struct mpispec_nodes *nodes) {
  struct mpispec_order *order = calloc(1, sizeof *order);
  if (!order)
    return NULL;
  *order = (struct mpispec_order){.tree = tree, .size = size, .root = root, .nodes = nodes};
  order->program.words = malloc(4 * (size_t)size * sizeof(uint16_t));
  order->parts = malloc((size_t)size * sizeof *order->parts);
  if (order->program.words && order->parts)
    return order;
  mpispec_order_free(order);
  return NULL;
}

void mpispec_order_free(struct mpispec_order *order) {
  if (!order)
    return;
  free(order->program.words);
  free(order->parts);
  free(order);
}

/* Bytes that are combined at a time. */
enum { PIECE = 4096 };

/* Under the lock only one thread combines, and it does not wait meanwhile. */
static _Alignas(64) unsigned char between[MPISPEC_ORDER_DEPTH][PIECE];

/* One piece, `offset` bytes into the parts. */
static void run(const struct mpispec_order *order, const struct mpispec_reduction *reduction,
                int64_t offset, unsigned char *out, int64_t count) {
  const struct mpispec_program *program = &order->program;
  const unsigned char *stack[MPISPEC_ORDER_DEPTH];
  int height = 0;
  for (int i = 0; i < program->length; ++i) {
    const uint16_t word = program->words[i];
    if (word < MPISPEC_ORDER_COMBINE_OVER) {
      stack[height++] = order->parts[word] + offset;
      continue;
    }
    const unsigned char *last = stack[--height], *first = stack[height - 1];
    unsigned char *result = i == program->length - 1 ? out : between[height - 1];
    if (word == MPISPEC_ORDER_COMBINE)
      mpispec_reduce(reduction, result, last, first, count);
    else
      mpispec_reduce(reduction, result, first, last, count);
    stack[height - 1] = result;
  }
  if (stack[0] != out)
    memcpy(out, stack[0], (size_t)(count * reduction->extent));
}

void mpispec_order_combine(struct mpispec_order *order, const struct mpispec_reduction *reduction,
                           int receiver, void *out, int64_t at, int64_t count, int64_t total) {
  const int64_t extent = reduction->extent, most = PIECE / extent;
  for (int64_t done = 0; done < count;) {
    mpispec_tree_write(order, receiver, at + done, total);
    const int64_t room = mpispec_smaller(most, order->program.end - at - done);
    const int64_t now = mpispec_smaller(count - done, room);
    run(order, reduction, done * extent, (unsigned char *)out + done * extent, now);
    done += now;
  }
}
