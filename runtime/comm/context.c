/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ranges of context ids: agreements, shares, and their reuse (context.h). */
#include "comm/context.h"

#include "job/agreement.h"
#include "job/memory.h"
#include "mpispec/contract.h"
#include "progress/lock.h"

#include <assert.h>
#include <stdlib.h>

/* The number of contexts for which envelopes have room. Tests make it smaller. */
#ifndef MPISPEC_CONTEXTS
#define MPISPEC_CONTEXTS (1u << 23)
#endif

enum { SHARES = 32, SHARE_LENGTH = 8, RANGE_LENGTH = SHARES * SHARE_LENGTH };

struct mpispec_context_range {
  uint32_t first;
  uint32_t given;    /* a bit for each share: set when a communicator gets the share, cleared when
                        an agreement finds the share unused */
  int users[SHARES]; /* contexts of each share that exist on this member */
  int holders;       /* all contexts of the range, plus 1 for the context whose `own` it is */
};
static_assert(SHARES == 8 * sizeof(uint32_t), "a bit for each share");

static uint32_t next_range;

void mpispec_contexts_open(void) { next_range = mpispec_world_context; }

/* --- ranges ------------------------------------------------------------------------------------*/

static int reserve(uint32_t first) {
  mpispec_lock();
  const int is_free = first >= next_range;
  if (is_free)
    next_range = first + RANGE_LENGTH;
  mpispec_unlock();
  return is_free;
}

static uint32_t proposal(void) {
  mpispec_lock();
  const uint32_t first = next_range;
  mpispec_unlock();
  return first;
}

/* Returns the first number of a range that is new to all members, or 0. With several threads, two
 * simultaneous agreements may choose the same range. Then a member has already reserved it, and all
 * members try again. Without threads on any member, no other agreement comes in between. */
static uint32_t agree(MPI_Comm members) {
  for (;;) {
    uint32_t mine[] = {proposal(), (uint32_t)mpispec_lock_is_shared()}, most[2];
    if (mpispec_agreement_allreduce(mine, most, 2, MPI_UINT32_T, MPI_MAX, members) ||
        most[0] > MPISPEC_CONTEXTS - RANGE_LENGTH)
      return 0;
    int reserved = reserve(most[0]), everywhere = 1;
    if (most[1] &&
        mpispec_agreement_allreduce(&reserved, &everywhere, 1, MPI_INT, MPI_MIN, members))
      return 0;
    if (everywhere)
      return most[0];
  }
}

static void let_go(struct mpispec_context_range *range) {
  if (range && !--range->holders)
    free(range);
}

static struct mpispec_context_range *make_range(uint32_t first) {
  struct mpispec_context_range *range = NULL;
  if (first) {
    range = mpispec_check_allocation(calloc(1, sizeof *range));
    range->first = first;
    range->holders = 1;
  }
  return range;
}

/* Makes shares available again that no member uses any more. */
static void use_again(struct mpispec_context_range *range, MPI_Comm members) {
  uint32_t used = 0, anywhere;
  mpispec_lock();
  for (int share = 0; share < SHARES; ++share)
    used |= (uint32_t)(range->users[share] != 0) << share;
  mpispec_unlock();
  if (mpispec_agreement_allreduce(&used, &anywhere, 1, MPI_UINT32_T, MPI_BOR, members))
    return;
  mpispec_lock();
  range->given = anywhere;
  mpispec_unlock();
}

static int has_share(const struct mpispec_context_range *range) {
  return range && range->given != UINT32_MAX;
}

/* Gets a range with a free share for `parent`, if possible. New numbers are preferred to used ones.
 * With a new number, no message of a freed communicator can match a receive of an existing one. */
static void refill(struct mpispec_context *parent, MPI_Comm members) {
  struct mpispec_context_range *fresh = make_range(agree(members));
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

static struct mpispec_context give(struct mpispec_context_range *range, int share, int number,
                                   int spares) {
  ++range->users[share];
  ++range->holders;
  return (struct mpispec_context){.id = range->first + (uint32_t)(share * SHARE_LENGTH + number),
                                  .origin = range,
                                  .share = share,
                                  .spares = spares};
}

static struct mpispec_context give_share(struct mpispec_context_range *range) {
  const int share = __builtin_ctz(~range->given);
  range->given |= 1u << share;
  return give(range, share, 0, SHARE_LENGTH - 1);
}

struct mpispec_context mpispec_context_take_at_once(struct mpispec_context *parent) {
  if (has_share(parent->own))
    return give_share(parent->own);
  if (!parent->own && parent->spares)
    return give(parent->origin, parent->share, SHARE_LENGTH - parent->spares--, 0);
  return (struct mpispec_context){0};
}

struct mpispec_context mpispec_context_take(struct mpispec_context *parent, MPI_Comm communicator) {
  struct mpispec_context context = {0};
  mpispec_lock();
  const int needs_more = !has_share(parent->own);
  mpispec_unlock();
  if (needs_more)
    refill(parent, communicator);
  mpispec_lock();
  if (has_share(parent->own))
    context = give_share(parent->own);
  mpispec_unlock();
  return context;
}

static struct mpispec_context begin_range(uint32_t first) {
  struct mpispec_context context = {0};
  struct mpispec_context_range *range = make_range(first);
  if (!range)
    return context;
  mpispec_lock();
  context = give_share(range);
  context.own = range;
  mpispec_unlock();
  return context;
}

struct mpispec_context mpispec_context_agree(MPI_Comm communicator) {
  return begin_range(agree(communicator));
}

struct mpispec_context mpispec_context_predefined(void) {
  const uint32_t first = proposal();
  reserve(first);
  return begin_range(first);
}

void mpispec_context_drop(struct mpispec_context *context) {
  if (context->origin)
    --context->origin->users[context->share];
  let_go(context->origin);
  let_go(context->own);
}
