/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds members in different operations, and raises the error (mismatch.h). */
#include "collective/mismatch.h"

#include "collective/collective.h"
#include "collective/ended_members.h"
#include "collective/leaders/leaders_mismatch.h"
#include "collective/mismatch_text.h"
#include "comm/communicator.h"
#include "progress/ticks.h"
#include "progress/tuning.h"
#include "progress/yield.h"

#include <stdio.h>
#include <string.h>

enum { MAXIMUM_TEXT = MPI_MAX_ERROR_STRING };

/* The step of a word, which contains only the low bits. The result is the step with these bits that
 * is next to this rank's step. */
static uint64_t step_of(const struct mpispec_collective *collective, uint64_t word) {
  enum { UNKNOWN = 64 - mpispec_signature_place };
  const uint64_t now = collective->steps.step;
  return now + (uint64_t)((int64_t)((word - now) << UNKNOWN) >> UNKNOWN);
}

/* Nonzero if `word` is a current word of this communicator. 0 is no word. A slot may have words of
 * an earlier communicator, whose steps are lower. A member that no longer waits leaves an old word
 * in its slot. Members are at most a few times MPISPEC_SLOT_CELLS steps apart. Therefore a word is
 * ignored if its step is more than MOST_APART away. An old word counts as current only while the
 * low bits of this rank's step are near its own. */
static int is_ours(const struct mpispec_collective *collective, uint64_t word) {
  enum { MOST_APART = 1 << 12 };
  const uint64_t step = step_of(collective, word);
  return word && step >= collective->first_step &&
         step + MOST_APART - collective->steps.step < 2 * MOST_APART;
}

/* Nonzero if two words of the same step differ. 0 is no word. */
static int differ(const struct mpispec_collective *collective, uint64_t a, uint64_t b) {
  return a && b && a != b && step_of(collective, a) == step_of(collective, b) &&
         is_ours(collective, a);
}

static uint64_t load(const unsigned long long *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static uint64_t cell_word(const struct mpispec_slot *slot, uint64_t step) {
  return mpispec_slot_cell_peek(&slot->cells[step % MPISPEC_SLOT_CELLS]);
}

void mpispec_mismatch_append_call(struct mpispec_text *text,
                                  const struct mpispec_collective *collective) {
  const struct mpispec_collective_call *call = &collective->call;
  const char *begin = text->at;
  if (!mpispec_text_append_signature(text, call->signature))
    mpispec_text_append(text, "something else");
  if (call->bytes > 0)
    mpispec_text_append(text, " of %lld bytes", (long long)call->bytes);
  if (call->root >= 0 && !strstr(begin, " root "))
    mpispec_text_append(text, " to root %d", call->root);
  mpispec_text_append_place(text, call);
}

/* Writes this rank's call for the other members, or the text `nodes` about a mismatch between
 * nodes. */
static void write_note(struct mpispec_collective *collective, uint64_t word, const char *nodes) {
  struct mpispec_slot *own = collective->steps.own;
  struct mpispec_text text = {(char *)own->note, (char *)own->note + sizeof own->note};
  if (nodes)
    mpispec_text_append(&text, "%s", nodes);
  else
    mpispec_mismatch_append_call(&text, collective);
  __atomic_store_n(&own->noted, word, __ATOMIC_RELEASE);
}

/* --- who is where ------------------------------------------------------------------------------*/

/* The word that a member has shown in a step, or that it waits for; or 0. */
static uint64_t word_of(const struct mpispec_collective *collective, int member, uint64_t step) {
  const struct mpispec_slot *slot = collective->steps.slots[member];
  const uint64_t shown = cell_word(slot, step), waiting = load(&slot->waiting);
  return step_of(collective, shown) == step     ? shown
         : step_of(collective, waiting) == step ? waiting
                                                : 0;
}

/* Nonzero if a member has another word than this rank in the step in which this rank waits. */
static int is_apart_now(const struct mpispec_collective *collective, int member) {
  const uint64_t waiting = collective->steps.own->waiting;
  return differ(collective, waiting, word_of(collective, member, step_of(collective, waiting)));
}

/* Nonzero if a member has another word than this rank in one of the steps whose cells are still
 * there. */
static int is_apart(const struct mpispec_collective *collective, int member) {
  const struct mpispec_slot *own = collective->steps.own;
  int apart = 0;
  for (int i = 0; i < MPISPEC_SLOT_CELLS; ++i) {
    const uint64_t ours = mpispec_slot_cell_peek(&own->cells[i]);
    apart |= differ(collective, ours, word_of(collective, member, step_of(collective, ours)));
  }
  return apart || is_apart_now(collective, member);
}

/* Whether it is time to compare all cells. With many members this takes longer than the polls
 * between two comparisons, and takes lines away from those that will write them next. */
static int compares_all(struct mpispec_collective *collective) {
  enum { FEW_MEMBERS = 8 };
  const uint64_t now = mpispec_ticks();
  if (collective->steps.members > FEW_MEMBERS &&
      now - collective->compared_at < mpispec_ticks_in(MPISPEC_COMPARE_PAUSE))
    return 0;
  collective->compared_at = now;
  return 1;
}

/* Nonzero if any member has another word, or has found a mismatch. */
static int is_different(struct mpispec_collective *collective) {
  int (*const differs)(const struct mpispec_collective *, int) =
      compares_all(collective) ? is_apart : is_apart_now;
  for (int i = 0; i < collective->steps.members; ++i) {
    const uint64_t word = load(&collective->steps.slots[i]->mismatch);
    if (is_ours(collective, word) || differs(collective, i))
      return 1;
  }
  return 0;
}

/* Nonzero if the member that should show this cell has continued without showing it. */
static int is_passed(const struct mpispec_collective *collective,
                     const struct mpispec_slot_cell *cell, uint64_t word) {
  for (int i = 0; i < collective->steps.members; ++i) {
    const struct mpispec_slot *slot = collective->steps.slots[i];
    if (cell < slot->cells || cell >= slot->cells + MPISPEC_SLOT_CELLS)
      continue;
    const uint64_t waiting = load(&slot->waiting), completed = mpispec_slot_completed(slot);
    const uint64_t step = step_of(collective, word);
    if ((is_ours(collective, waiting) && step_of(collective, waiting) > step) || completed > step)
      return !mpispec_slot_cell_is_shown(cell, word);
  }
  return 0;
}

/* --- the error ---------------------------------------------------------------------------------*/

static int rank_of(const struct mpispec_collective *collective, int member) {
  for (int rank = 0; rank < collective->size; ++rank)
    if (collective->member_of[rank] == member)
      return rank;
  return -1;
}

static int has_noted(const struct mpispec_collective *collective, int member) {
  const uint64_t noted = load(&collective->steps.slots[member]->noted);
  return is_ours(collective, noted);
}

static void await_notes(const struct mpispec_collective *collective) {
  const double end = PMPI_Wtime() + MPISPEC_NOTES_TIMEOUT * 1e-9;
  for (int i = 0; i < collective->steps.members && PMPI_Wtime() < end;) {
    if (has_noted(collective, i))
      ++i;
    else
      mpispec_yield();
  }
}

/* Nonzero if a member has shown another word in the step of `word`. */
static int is_contradicted(const struct mpispec_collective *collective, uint64_t word) {
  for (int i = 0; i < collective->steps.members; ++i)
    if (differ(collective, word, word_of(collective, i, step_of(collective, word))))
      return 1;
  return 0;
}

/* The first step in which the words of two members differ, even if this rank has shown no word
 * there. Returns UINT64_MAX if that step is too long ago. */
static uint64_t find_parting(const struct mpispec_collective *collective) {
  uint64_t first = UINT64_MAX;
  for (int i = 0; i < collective->steps.members; ++i)
    for (int k = 0; k <= MPISPEC_SLOT_CELLS; ++k) {
      const struct mpispec_slot *slot = collective->steps.slots[i];
      const uint64_t word =
          k < MPISPEC_SLOT_CELLS ? mpispec_slot_cell_peek(&slot->cells[k]) : load(&slot->waiting);
      if (step_of(collective, word) < first && is_contradicted(collective, word))
        first = step_of(collective, word);
    }
  return first;
}

/* The history of all members before that step if a member has shown it, else UINT64_MAX. */
static uint64_t history_before(const struct mpispec_collective *collective, uint64_t step) {
  if (step == UINT64_MAX || step == collective->first_step)
    return step == UINT64_MAX ? step : 0;
  for (int i = 0; i < collective->steps.members; ++i) {
    const uint64_t before = word_of(collective, i, step - 1);
    if (before)
      return before - (step - 1);
  }
  const uint64_t ours = collective->steps.own->waiting;
  return step == step_of(collective, ours) ? ours - step - collective->call.signature : UINT64_MAX;
}

/* Appends the call of a member in the step that differs, and its current call if that is another
 * one. */
static void append_member(struct mpispec_text *text, const struct mpispec_collective *collective,
                          int member, uint64_t step) {
  const struct mpispec_slot *slot = collective->steps.slots[member];
  const uint64_t word = step == UINT64_MAX ? 0 : word_of(collective, member, step);
  const uint64_t history = history_before(collective, step);
  const int noted = has_noted(collective, member);
  const int is_there = noted && (step == UINT64_MAX || load(&slot->noted) == word);
  if (!is_there && !(word && history != UINT64_MAX &&
                     mpispec_text_append_signature(text, word - step - history)))
    mpispec_text_append(text, "(not seen)");
  if (noted)
    mpispec_text_append(text, is_there ? "%.*s" : ", then %.*s", (int)sizeof slot->note,
                        (const char *)slot->note);
}

/* Members with equal texts are listed together. */
static void append_all(struct mpispec_text *text, const struct mpispec_collective *collective) {
  const uint64_t step = find_parting(collective);
  char texts[2][2 * mpispec_slot_note];
  for (int i = 0, first = 0; i <= collective->steps.members; ++i) {
    struct mpispec_text now = {texts[i % 2], texts[i % 2] + sizeof texts[0]};
    texts[i % 2][0] = 0;
    if (i < collective->steps.members)
      append_member(&now, collective, i, step);
    if (!i || !strcmp(texts[0], texts[1]))
      continue;
    mpispec_text_append(text, first + 1 == i ? "%s rank %d" : "%s ranks %d", first ? ";" : "",
                        rank_of(collective, first));
    for (int k = first + 1; k < i; ++k)
      mpispec_text_append(text, ", %d", rank_of(collective, k));
    mpispec_text_append(text, ": %s", texts[(i + 1) % 2]);
    first = i;
  }
}

/* Makes an error code whose string is the text. */
static int make_error(const char *text) {
  static int class;
  int code;
  if (!class && PMPI_Add_error_class(&class))
    return MPI_ERR_OTHER;
  PMPI_Add_error_string(class, "ranks are in different collective operations");
  if (PMPI_Add_error_code(class, &code))
    return class;
  PMPI_Add_error_string(code, text);
  return code;
}

/* Publishes the mismatch, waits for the notes of the other members, and raises the error. */
static void report_mismatch(struct mpispec_collective *collective, uint64_t word,
                            const char *nodes) {
  char name[MPI_MAX_OBJECT_NAME] = "", whole[MAXIMUM_TEXT];
  struct mpispec_text text = {whole, whole + sizeof whole};
  int length;
  write_note(collective, word, nodes);
  __atomic_store_n(&collective->steps.own->mismatch, word, __ATOMIC_RELEASE);
  await_notes(collective);
  PMPI_Comm_get_name(collective->communicator->handle, name, &length);
  mpispec_text_append(&text, "ranks of %s are in different collective operations:",
                      *name ? name : "a communicator");
  const char *all = text.at;
  append_all(&text, collective);
  mpispec_leaders_watch_report(collective, all + 1);
  mpispec_collective_fail(collective, make_error(whole));
}

/* --- when to search ----------------------------------------------------------------------------*/

int mpispec_mismatch_poll(struct mpispec_collective *collective,
                          const struct mpispec_slot_cell *cell, uint64_t word) {
  struct mpispec_slot *own = collective->steps.own;
  if (own->waiting != word)
    __atomic_store_n(&own->waiting, word, __ATOMIC_RELEASE);
  if (!is_different(collective) && !(cell && is_passed(collective, cell, word)))
    return 0;
  if (cell && mpispec_slot_cell_is_shown(cell, word))
    return 0; /* the members differ in a later operation only: this one succeeds */
  if (mpispec_members_have_ended(collective))
    return 1;
  report_mismatch(collective, word, NULL);
  return 1;
}

void mpispec_mismatch_between_nodes(struct mpispec_collective *collective, const char *here,
                                    const char *elsewhere) {
  char nodes[2 * mpispec_slot_note];
  snprintf(nodes, sizeof nodes, "%s; on another node, %s", here, elsewhere);
  report_mismatch(collective, mpispec_steps_word(&collective->steps, 0), nodes);
}

void mpispec_mismatch_leave(struct mpispec_collective *collective, int kind) {
  if (collective->size == 1 || collective->error || collective->is_left)
    return;
  collective->is_left = 1;
  collective->call = (struct mpispec_collective_call){
      .signature = mpispec_signature(kind, 0), .bytes = -1, .root = -1};
  collective->steps.history += collective->call.signature;
  /* Sequentially consistent: if two members leave at once, at least one of them reads the other's
   * word. */
  __atomic_store_n(&collective->steps.own->waiting, mpispec_steps_word(&collective->steps, 0),
                   __ATOMIC_SEQ_CST);
}

int mpispec_mismatch_check(struct mpispec_collective *collective) {
  if (collective->size > 1 && !collective->error && is_different(collective) &&
      !mpispec_members_have_ended(collective))
    report_mismatch(collective, collective->steps.own->waiting, NULL);
  return collective->error;
}

int mpispec_collectives_leave(MPI_Comm *where) {
  const struct mpispec_communicator *communicator;
  int error = 0;
  for (size_t place = 0; (communicator = mpispec_communicator_each(&place));)
    if (communicator->collective)
      mpispec_mismatch_leave(communicator->collective, mpispec_is_Finalize);
  for (size_t place = 0; !error && (communicator = mpispec_communicator_each(&place));)
    if (communicator->collective) {
      error = mpispec_mismatch_check(communicator->collective);
      *where = communicator->handle;
    }
  return error;
}
