/* Blocks of context ids: agreed, given slot by slot, used again. context.h says how. */
#include "comm/context.h"

#include "job/agreement.h"
#include "job/memory.h"
#include "progress/lock.h"

#include <assert.h>
#include <stdlib.h>

/* The number of numbers that envelopes have room for. Tests make it smaller. */
#ifndef MPISPEC_CONTEXTS
#define MPISPEC_CONTEXTS (1u << 24)
#endif

enum { SLOTS = 32, SLOT_LENGTH = 8, BLOCK_LENGTH = SLOTS * SLOT_LENGTH };

struct mpispec_context_block {
  uint32_t first;
  uint32_t given;   /* a bit per slot: was given since the block was agreed, or used again */
  int users[SLOTS]; /* contexts out of a slot that live on this member */
  int holders;      /* those, and the communicator that the block is for */
};
static_assert(SLOTS == 8 * sizeof(uint32_t), "a bit for each slot");

static uint32_t next_block;

void mpispec_contexts_open(void) { next_block = 1; }

/* --- blocks ------------------------------------------------------------------------------------*/

static int reserve(uint32_t first) {
  mpispec_lock();
  const int is_free = first >= next_block;
  if (is_free)
    next_block = first + BLOCK_LENGTH;
  mpispec_unlock();
  return is_free;
}

static uint32_t proposal(void) {
  mpispec_lock();
  const uint32_t first = next_block;
  mpispec_unlock();
  return first;
}

/* The first number of a block that is new to all members, or 0. Where there are several threads,
 * two agreements under way at once may come to the same: then somebody has it reserved already, and
 * all try again. */
static uint32_t agree(MPI_Comm members) {
  for (;;) {
    uint32_t mine = proposal(), first;
    int reserved, everywhere;
    if (mpispec_agreement_allreduce(&mine, &first, 1, MPI_UINT32_T, MPI_MAX, members) ||
        first > MPISPEC_CONTEXTS - BLOCK_LENGTH)
      return 0;
    reserved = reserve(first);
    if (mpispec_agreement_allreduce(&reserved, &everywhere, 1, MPI_INT, MPI_MIN, members))
      return 0;
    if (everywhere)
      return first;
  }
}

static void let_go(struct mpispec_context_block *block) {
  if (block && !--block->holders)
    free(block);
}

static struct mpispec_context_block *make_block(MPI_Comm members) {
  const uint32_t first = agree(members);
  struct mpispec_context_block *block = NULL;
  if (first) {
    block = mpispec_must_have(calloc(1, sizeof *block));
    block->first = first;
    block->holders = 1;
  }
  return block;
}

/* Slots that nobody uses any more may be given again. */
static void use_again(struct mpispec_context_block *block, MPI_Comm members) {
  uint32_t used = 0, anywhere;
  mpispec_lock();
  for (int slot = 0; slot < SLOTS; ++slot)
    used |= (uint32_t)(block->users[slot] != 0) << slot;
  mpispec_unlock();
  if (mpispec_agreement_allreduce(&used, &anywhere, 1, MPI_UINT32_T, MPI_BOR, members))
    return;
  mpispec_lock();
  block->given = anywhere;
  mpispec_unlock();
}

static int has_slot(const struct mpispec_context_block *block) {
  return block && block->given != UINT32_MAX;
}

/* Sees to it that `parent` has a slot to give, if there is one. New numbers are better than used
 * ones: nothing that was sent on a dead communicator can be taken for the living. */
static void refill(struct mpispec_context *parent, MPI_Comm members) {
  struct mpispec_context_block *fresh = make_block(members);
  if (!fresh) {
    if (parent->own)
      use_again(parent->own, members);
    return;
  }
  mpispec_lock();
  let_go(parent->own);
  parent->own = fresh;
  mpispec_unlock();
}

/* --- contexts ----------------------------------------------------------------------------------*/

static struct mpispec_context give(struct mpispec_context_block *block, int slot, int number,
                                   int spares) {
  ++block->users[slot];
  ++block->holders;
  return (struct mpispec_context){.id = block->first + (uint32_t)(slot * SLOT_LENGTH + number),
                                  .origin = block,
                                  .slot = slot,
                                  .spares = spares};
}

static struct mpispec_context give_slot(struct mpispec_context_block *block) {
  const int slot = __builtin_ctz(~block->given);
  block->given |= 1u << slot;
  return give(block, slot, 0, SLOT_LENGTH - 1);
}

struct mpispec_context mpispec_context_take_at_once(struct mpispec_context *parent) {
  if (has_slot(parent->own))
    return give_slot(parent->own);
  if (!parent->own && parent->spares)
    return give(parent->origin, parent->slot, SLOT_LENGTH - parent->spares--, 0);
  return (struct mpispec_context){0};
}

struct mpispec_context mpispec_context_take(struct mpispec_context *parent, MPI_Comm communicator) {
  struct mpispec_context context = {0};
  mpispec_lock();
  const int needs_more = !has_slot(parent->own);
  mpispec_unlock();
  if (needs_more)
    refill(parent, communicator);
  mpispec_lock();
  if (has_slot(parent->own))
    context = give_slot(parent->own);
  mpispec_unlock();
  return context;
}

struct mpispec_context mpispec_context_agree(MPI_Comm communicator) {
  struct mpispec_context context = {0};
  struct mpispec_context_block *block = make_block(communicator);
  if (!block)
    return context;
  mpispec_lock();
  context = give_slot(block);
  context.own = block;
  mpispec_unlock();
  return context;
}

void mpispec_context_drop(struct mpispec_context *context) {
  if (context->origin)
    --context->origin->users[context->slot];
  let_go(context->origin);
  let_go(context->own);
}
