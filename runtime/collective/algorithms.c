/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See algorithms.h. */
#include "collective/algorithms.h"

void mpispec_emit(struct mpispec_emission *emission, int word) {
  struct mpispec_program *program = &emission->order->program;
  program->words[program->length++] = (uint16_t)word;
}

static void combine(struct mpispec_emission *emission) {
  mpispec_emit(emission, MPISPEC_ORDER_COMBINE);
}

static void leaf(struct mpispec_emission *emission, int member) {
  emission->leaf(emission, member);
}

void mpispec_emit_rank_leaf(struct mpispec_emission *emission, int member) {
  mpispec_emit(emission, emission->ranks ? emission->ranks[member] : member);
}

/* --- portions ----------------------------------------------------------------------------------*/

/* Restricts the program to elements `begin` to `end`. */
static void restrict_to(struct mpispec_emission *emission, int64_t begin, int64_t end) {
  struct mpispec_program *program = &emission->order->program;
  program->in_portions = 1;
  program->begin = program->begin > begin ? program->begin : begin;
  program->end = program->end < end ? program->end : end;
}

/* Returns the portion of the vector that contains the element. If the vector cannot be divided
 * evenly, each of the first portions has one additional element. */
static int portion_of(struct mpispec_emission *emission, int portions) {
  const int64_t total = emission->order->program.total;
  const int64_t least = total / portions, more = total % portions, border = more * (least + 1);
  const int64_t portion =
      emission->at < border ? emission->at / (least + 1) : more + (emission->at - border) / least;
  const int64_t begin = portion * least + (portion < more ? portion : more);
  restrict_to(emission, begin, begin + least + (portion < more));
  return (int)portion;
}

/* Like portion_of, but all portions have the same length, and the last one also has the
 * remainder. */
static int portion_with_rest(struct mpispec_emission *emission, int portions) {
  const int64_t total = emission->order->program.total, length = total / portions;
  const int64_t portion =
      length && emission->at / length < portions ? emission->at / length : portions - 1;
  restrict_to(emission, portion * length, portion == portions - 1 ? total : (portion + 1) * length);
  return (int)portion;
}

/* Like portion_of, but the length of all portions except the last is rounded up. */
static int portion_rounded_up(struct mpispec_emission *emission, int portions) {
  const int64_t length = (emission->order->program.total + portions - 1) / portions;
  const int64_t portion = emission->at / length;
  restrict_to(emission, portion * length, (portion + 1) * length);
  return (int)portion;
}

/* --- powers of two -----------------------------------------------------------------------------*/

static int lower_power(int size) { return 1 << (31 - __builtin_clz((unsigned)size)); }

/* If the size is not a power of two, the first members form pairs, one for each excess member. The
 * odd or the even member of a pair receives the other's part, and the pair counts as one place. */
enum fold { TO_ODD, TO_EVEN };

static int excess(const struct mpispec_emission *emission) {
  return emission->size - lower_power(emission->size);
}

static void folded(struct mpispec_emission *emission, int place, enum fold fold) {
  if (place >= excess(emission)) {
    leaf(emission, place + excess(emission));
    return;
  }
  leaf(emission, 2 * place + (fold == TO_ODD));
  leaf(emission, 2 * place + (fold == TO_EVEN));
  combine(emission);
}

static int place_of(const struct mpispec_emission *emission, int member) {
  return member < 2 * excess(emission) ? member / 2 : member - excess(emission);
}

/* Partners at distance 1, 2, ... up to below `distance`. */
static void near_first(struct mpispec_emission *emission, int place, int distance, enum fold fold) {
  const int half = distance / 2;
  if (!half) {
    folded(emission, place, fold);
    return;
  }
  near_first(emission, place, half, fold);
  near_first(emission, place ^ half, half, fold);
  combine(emission);
}

/* Partners at half the group's size, a fourth, ... down to `distance`. */
static void far_first(struct mpispec_emission *emission, int place, int distance) {
  if (distance == lower_power(emission->size)) {
    folded(emission, place, TO_ODD);
    return;
  }
  far_first(emission, place, 2 * distance);
  far_first(emission, place ^ distance, 2 * distance);
  combine(emission);
}

void mpispec_emit_recursive_doubling(struct mpispec_emission *emission) {
  near_first(emission, place_of(emission, emission->self), lower_power(emission->size), TO_ODD);
}

/* The lowest bit of a place selects a half of the vector, and the next bit a half of that half.
 * Therefore the bits of a portion's place are the bits of its number in reverse order. */
static int place_with(int portion, int places) {
  int place = 0;
  for (int bit = 1; bit < places; bit *= 2, portion /= 2)
    place = 2 * place + portion % 2;
  return place;
}

static void halves(struct mpispec_emission *emission, int portion, enum fold fold) {
  const int places = lower_power(emission->size);
  near_first(emission, place_with(portion, places), places, fold);
}

/* Rabenseifner's algorithms for Allreduce and for Reduce. */
void mpispec_emit_halves_to_odd(struct mpispec_emission *emission) {
  halves(emission, portion_of(emission, lower_power(emission->size)), TO_ODD);
}
void mpispec_emit_halves_to_even(struct mpispec_emission *emission) {
  halves(emission, portion_of(emission, lower_power(emission->size)), TO_EVEN);
}
void mpispec_emit_halves_to_odd_with_rest(struct mpispec_emission *emission) {
  halves(emission, portion_with_rest(emission, lower_power(emission->size)), TO_ODD);
}
void mpispec_emit_halves_to_even_with_rest(struct mpispec_emission *emission) {
  halves(emission, portion_with_rest(emission, lower_power(emission->size)), TO_EVEN);
}

void mpispec_emit_recursive_halving(struct mpispec_emission *emission) {
  far_first(emission, place_of(emission, emission->self), 1);
}

/* --- others ------------------------------------------------------------------------------------*/

/* Emits the subtree of `place`, with its children nearer than `distance`. Places count from the
 * root. */
static void subtree(struct mpispec_emission *emission, int place, int distance) {
  const int half = distance / 2;
  if (!half) {
    leaf(emission, (place + emission->root) % emission->size);
    return;
  }
  subtree(emission, place, half);
  if (!(place & half) && (place | half) < emission->size) {
    subtree(emission, place | half, half);
    combine(emission);
  }
}

void mpispec_emit_binomial(struct mpispec_emission *emission) {
  subtree(emission, 0, 2 * lower_power(emission->size));
}

/* In ascending order, as if one rank received all parts. */
void mpispec_emit_one_after_the_other(struct mpispec_emission *emission) {
  leaf(emission, 0);
  for (int member = 1; member < emission->size; ++member) {
    leaf(emission, member);
    combine(emission);
  }
}

/* In descending order. The root begins with the last rank's part, and combines the other parts into
 * it. */
void mpispec_emit_from_the_last(struct mpispec_emission *emission) {
  leaf(emission, emission->size - 1);
  for (int member = emission->size - 2; member >= 0; --member) {
    leaf(emission, member);
    combine(emission);
  }
}

/* A chain of ranks in descending order, from the rank before the root to the rank behind the root,
 * and then to the root. Ranks count from the root. */
void mpispec_emit_chain_to_root(struct mpispec_emission *emission) {
  leaf(emission, (emission->root + emission->size - 1) % emission->size);
  for (int place = emission->size - 2; place >= 0; --place) {
    leaf(emission, (emission->root + place) % emission->size);
    mpispec_emit(emission, MPISPEC_ORDER_COMBINE_OVER);
  }
}

static void chain(struct mpispec_emission *emission, int first, int length) {
  leaf(emission, first);
  for (int i = 1; i < length; ++i) {
    leaf(emission, (first + i) % emission->size);
    mpispec_emit(emission, MPISPEC_ORDER_COMBINE_OVER);
  }
}

void mpispec_emit_chain_to_receiver(struct mpispec_emission *emission) {
  chain(emission, 0, emission->self + 1);
}
void mpispec_emit_chain_before_receiver(struct mpispec_emission *emission) {
  chain(emission, 0, emission->self);
}
/* The chain of a portion begins behind the rank with the portion's number, and ends with that
 * rank. */
void mpispec_emit_ring(struct mpispec_emission *emission) {
  const int portion = portion_rounded_up(emission, emission->size);
  chain(emission, (portion + 1) % emission->size, emission->size);
}

/* A rank receives from all other ranks, in descending order from the rank before it. */
void mpispec_emit_pairwise(struct mpispec_emission *emission) {
  leaf(emission, emission->self);
  for (int i = 1; i < emission->size; ++i) {
    leaf(emission, (emission->self - i + emission->size) % emission->size);
    combine(emission);
  }
}

/* Combines the neighbours up to `distance` as a member of a scan by recursive doubling does. */
static void neighbourhood(struct mpispec_emission *emission, int member, int distance) {
  const int half = distance / 2;
  if (!half) {
    leaf(emission, member);
    return;
  }
  neighbourhood(emission, member, half);
  if ((member ^ half) < emission->size) {
    neighbourhood(emission, member ^ half, half);
    combine(emission);
  }
}

static void neighbourhoods_below(struct mpispec_emission *emission, int has_own) {
  for (int distance = 1; distance <= emission->self; distance *= 2) {
    if (!(emission->self & distance))
      continue;
    neighbourhood(emission, emission->self ^ distance, distance);
    if (has_own)
      combine(emission);
    has_own = 1;
  }
}

void mpispec_emit_scan_doubling(struct mpispec_emission *emission) {
  leaf(emission, emission->self);
  neighbourhoods_below(emission, 1);
}
void mpispec_emit_exscan_doubling(struct mpispec_emission *emission) {
  neighbourhoods_below(emission, 0);
}
