/* Members in different operations: mismatch.h says when that is found out. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include "collective/mismatch.h"

#include "collective/collective.h"
#include "comm/communicator.h"
#include "progress/tuning.h"
#include "progress/yield.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>

enum { MAXIMUM_TEXT = MPI_MAX_ERROR_STRING };

static uint64_t step_of(uint64_t word) {
  return word & ((UINT64_C(1) << mpispec_signature_place) - 1);
}

/* Words of other communicators, which had the slot before, mean nothing. */
static int is_ours(const struct mpispec_collective *collective, uint64_t word) {
  return step_of(word) >= collective->first_step;
}

/* Two words of the same step that are not the same; 0 is none. */
static int differ(const struct mpispec_collective *collective, uint64_t a, uint64_t b) {
  return a && b && a != b && step_of(a) == step_of(b) && is_ours(collective, a);
}

static uint64_t look(const unsigned long long *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static uint64_t cell_word(const struct mpispec_slot *slot, uint64_t step) {
  return mpispec_slot_cell_look(&slot->cells[step % MPISPEC_SLOT_CELLS]);
}

/* --- words -------------------------------------------------------------------------------------*/

struct text {
  char *at, *end;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *text, const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  const int length = vsnprintf(text->at, (size_t)(text->end - text->at), format, rest);
  va_end(rest);
  text->at = length < text->end - text->at ? text->at + length : text->end - 1;
}

static const char *const kinds[] = {
    [mpispec_is_Barrier] = "MPI_Barrier",
    [mpispec_is_Bcast] = "MPI_Bcast",
    [mpispec_is_Reduce] = "MPI_Reduce",
    [mpispec_is_Allreduce] = "MPI_Allreduce",
    [mpispec_is_Scan] = "MPI_Scan",
    [mpispec_is_Exscan] = "MPI_Exscan",
    [mpispec_is_Reduce_scatter] = "MPI_Reduce_scatter",
    [mpispec_is_Reduce_scatter_block] = "MPI_Reduce_scatter_block",
    [mpispec_is_Gather] = "MPI_Gather",
    [mpispec_is_Gatherv] = "MPI_Gatherv",
    [mpispec_is_Scatter] = "MPI_Scatter",
    [mpispec_is_Scatterv] = "MPI_Scatterv",
    [mpispec_is_Allgather] = "MPI_Allgather",
    [mpispec_is_Allgatherv] = "MPI_Allgatherv",
    [mpispec_is_Alltoall] = "MPI_Alltoall",
    [mpispec_is_Alltoallv] = "MPI_Alltoallv",
    [mpispec_is_Alltoallw] = "MPI_Alltoallw",
    [mpispec_is_Comm_free] = "MPI_Comm_free",
    [mpispec_is_Finalize] = "MPI_Finalize",
};

static const char *const operations[16] = {
    [mpispec_MAX] = "MPI_MAX",   [mpispec_MIN] = "MPI_MIN",       [mpispec_SUM] = "MPI_SUM",
    [mpispec_PROD] = "MPI_PROD", [mpispec_LAND] = "MPI_LAND",     [mpispec_LOR] = "MPI_LOR",
    [mpispec_LXOR] = "MPI_LXOR", [mpispec_BAND] = "MPI_BAND",     [mpispec_BOR] = "MPI_BOR",
    [mpispec_BXOR] = "MPI_BXOR", [mpispec_MAXLOC] = "MPI_MAXLOC", [mpispec_MINLOC] = "MPI_MINLOC",
};

static const char *const numbers[8] = {
    [mpispec_signed_integer] = "integers",
    [mpispec_unsigned_integer] = "unsigned integers",
    [mpispec_floating_point] = "floating point",
    [mpispec_complex_number] = "complex numbers",
    [mpispec_logical] = "logical values",
    [mpispec_bytes] = "raw bytes",
    [mpispec_pair] = "pairs",
};

static int has_root(int kind) {
  return kind == mpispec_is_Bcast || kind == mpispec_is_Gather || kind == mpispec_is_Gatherv ||
         kind == mpispec_is_Scatter || kind == mpispec_is_Scatterv;
}

static void say_details(struct text *text, int kind, unsigned details) {
  const char *operation = operations[details >> 15 & 15], *number = numbers[details >> 12 & 7];
  const unsigned rest = details % mpispec_signature_lengths;
  if (kind >= mpispec_is_Reduce && kind <= mpispec_is_Reduce_scatter_block && operation && number)
    say(text, " (%s of %u-byte %s)", operation, 1u << (details >> 9 & 7), number);
  if (has_root(kind))
    say(text, " with root %u", rest);
}

/* What a signature says; returns 0 if it is none. */
static int say_signature(struct text *text, uint64_t signature) {
  const uint64_t bits = signature >> mpispec_signature_place;
  const uint64_t kind = bits >> mpispec_signature_details;
  if (kind >= sizeof kinds / sizeof kinds[0] || !kinds[kind])
    return 0;
  say(text, "%s", kinds[kind]);
  say_details(text, (int)kind, (unsigned)(bits & ((1u << mpispec_signature_details) - 1)));
  return 1;
}

/* Specialised calls know their place, of others we know where they return to. */
static void say_place(struct text *text, const struct mpispec_collective_call *call) {
  Dl_info info;
  if (call->place) {
    say(text, " at %s", call->place);
  } else if (call->caller && dladdr(call->caller, &info) && info.dli_fname) {
    const char *slash = strrchr(info.dli_fname, '/');
    say(text, " at %s+0x%lx", slash ? slash + 1 : info.dli_fname,
        (unsigned long)((uintptr_t)call->caller - (uintptr_t)info.dli_fbase) - 1);
  }
}

/* What we have called, for the others. */
static void write_note(struct mpispec_collective *collective, uint64_t word) {
  struct mpispec_slot *own = collective->steps.own;
  const struct mpispec_collective_call *call = &collective->call;
  struct text text = {(char *)own->note, (char *)own->note + sizeof own->note};
  if (!say_signature(&text, call->signature))
    say(&text, "something else");
  if (call->bytes > 0)
    say(&text, " of %lld bytes", (long long)call->bytes);
  if (call->root >= 0 && !strstr((char *)own->note, " root "))
    say(&text, " to root %d", call->root);
  say_place(&text, call);
  __atomic_store_n(&own->noted, word, __ATOMIC_RELEASE);
}

/* --- who is where ------------------------------------------------------------------------------*/

/* What a member has shown in a step, or waits for in it; or 0. */
static uint64_t word_of(const struct mpispec_collective *collective, int member, uint64_t step) {
  const struct mpispec_slot *slot = collective->steps.slots[member];
  const uint64_t shown = cell_word(slot, step), waiting = look(&slot->waiting);
  return step_of(shown) == step ? shown : step_of(waiting) == step ? waiting : 0;
}

/* Has a member another word than ours in a step, of those whose cells still stand? */
static int is_apart(const struct mpispec_collective *collective, int member) {
  const struct mpispec_slot *own = collective->steps.own;
  int apart = 0;
  for (int i = 0; i < MPISPEC_SLOT_CELLS; ++i) {
    const uint64_t ours = mpispec_slot_cell_look(&own->cells[i]);
    apart |= differ(collective, ours, word_of(collective, member, step_of(ours)));
  }
  return apart ||
         differ(collective, own->waiting, word_of(collective, member, step_of(own->waiting)));
}

/* Is it so with any member, or has one found out? */
static int is_different(const struct mpispec_collective *collective) {
  for (int i = 0; i < collective->steps.members; ++i) {
    const uint64_t word = look(&collective->steps.slots[i]->mismatch);
    if ((word && is_ours(collective, word)) || is_apart(collective, i))
      return 1;
  }
  return 0;
}

/* Has the member that should show this cell gone on without? */
static int is_passed(const struct mpispec_collective *collective,
                     const struct mpispec_slot_cell *cell, uint64_t word) {
  for (int i = 0; i < collective->steps.members; ++i) {
    const struct mpispec_slot *slot = collective->steps.slots[i];
    if (cell < slot->cells || cell >= slot->cells + MPISPEC_SLOT_CELLS)
      continue;
    const uint64_t waiting = look(&slot->waiting), left = mpispec_slot_told_left(slot);
    if ((is_ours(collective, waiting) && step_of(waiting) > step_of(word)) || left > step_of(word))
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
  const uint64_t noted = look(&collective->steps.slots[member]->noted);
  return noted && is_ours(collective, noted);
}

static void await_notes(const struct mpispec_collective *collective) {
  const double end = PMPI_Wtime() + MPISPEC_NOTES_PATIENCE * 1e-9;
  for (int i = 0; i < collective->steps.members && PMPI_Wtime() < end;) {
    if (has_noted(collective, i))
      ++i;
    else
      mpispec_yield();
  }
}

/* Has a member shown another word than this, in its step? */
static int is_contradicted(const struct mpispec_collective *collective, uint64_t word) {
  for (int i = 0; i < collective->steps.members; ++i)
    if (differ(collective, word, word_of(collective, i, step_of(word))))
      return 1;
  return 0;
}

/* The step in which ways part, of any two members, also where we have shown nothing; or UINT64_MAX:
 * that is too long ago. */
static uint64_t find_parting(const struct mpispec_collective *collective) {
  uint64_t first = UINT64_MAX;
  for (int i = 0; i < collective->steps.members; ++i)
    for (int k = 0; k <= MPISPEC_SLOT_CELLS; ++k) {
      const struct mpispec_slot *slot = collective->steps.slots[i];
      const uint64_t word =
          k < MPISPEC_SLOT_CELLS ? mpispec_slot_cell_look(&slot->cells[k]) : look(&slot->waiting);
      if (step_of(word) < first && is_contradicted(collective, word))
        first = step_of(word);
    }
  return first;
}

/* The history that all had before that step, if anyone has shown it; or UINT64_MAX. */
static uint64_t history_before(const struct mpispec_collective *collective, uint64_t step) {
  if (step == UINT64_MAX || step == collective->first_step)
    return step == UINT64_MAX ? step : 0;
  for (int i = 0; i < collective->steps.members; ++i) {
    const uint64_t before = word_of(collective, i, step - 1);
    if (before)
      return before - (step - 1);
  }
  const uint64_t ours = collective->steps.own->waiting;
  return step == step_of(ours) ? ours - step - collective->call.signature : UINT64_MAX;
}

/* What a member has called where ways part; and where it is now, if that is elsewhere. */
static void say_member(struct text *text, const struct mpispec_collective *collective, int member,
                       uint64_t step) {
  const struct mpispec_slot *slot = collective->steps.slots[member];
  const uint64_t word = step == UINT64_MAX ? 0 : word_of(collective, member, step);
  const uint64_t history = history_before(collective, step);
  const int noted = has_noted(collective, member);
  const int is_there = noted && (step == UINT64_MAX || look(&slot->noted) == word);
  if (!is_there && !(word && history != UINT64_MAX && say_signature(text, word - step - history)))
    say(text, "(not seen)");
  if (noted)
    say(text, is_there ? "%.*s" : ", then %.*s", (int)sizeof slot->note, (const char *)slot->note);
}

/* Members that say the same are named together. */
static void say_all(struct text *text, const struct mpispec_collective *collective) {
  const uint64_t step = find_parting(collective);
  char said[2][2 * mpispec_slot_note];
  for (int i = 0, first = 0; i <= collective->steps.members; ++i) {
    struct text now = {said[i % 2], said[i % 2] + sizeof said[0]};
    said[i % 2][0] = 0;
    if (i < collective->steps.members)
      say_member(&now, collective, i, step);
    if (!i || !strcmp(said[0], said[1]))
      continue;
    say(text, first + 1 == i ? "%s rank %d" : "%s ranks %d", first ? ";" : "",
        rank_of(collective, first));
    for (int k = first + 1; k < i; ++k)
      say(text, ", %d", rank_of(collective, k));
    say(text, ": %s", said[(i + 1) % 2]);
    first = i;
  }
}

/* An error code of its own, whose string is the text. */
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

/* Tells the others and finds out what they have called. */
static void settle(struct mpispec_collective *collective, uint64_t word) {
  char name[MPI_MAX_OBJECT_NAME] = "", whole[MAXIMUM_TEXT];
  struct text text = {whole, whole + sizeof whole};
  int length;
  write_note(collective, word);
  __atomic_store_n(&collective->steps.own->mismatch, word, __ATOMIC_RELEASE);
  await_notes(collective);
  PMPI_Comm_get_name(collective->communicator->handle, name, &length);
  say(&text,
      "ranks of %s are in different collective operations:", *name ? name : "a communicator");
  say_all(&text, collective);
  mpispec_collective_fail(collective, make_error(whole));
}

/* --- when to look ------------------------------------------------------------------------------*/

int mpispec_mismatch_look(struct mpispec_collective *collective,
                          const struct mpispec_slot_cell *cell, uint64_t word) {
  struct mpispec_slot *own = collective->steps.own;
  if (own->waiting != word)
    __atomic_store_n(&own->waiting, word, __ATOMIC_RELEASE);
  if (!is_different(collective) && !(cell && is_passed(collective, cell, word)))
    return 0;
  if (cell && mpispec_slot_cell_is_shown(cell, word))
    return 0; /* ways part only later: this operation still ends well */
  settle(collective, word);
  return 1;
}

void mpispec_mismatch_leave(struct mpispec_collective *collective, int kind) {
  if (collective->size == 1 || collective->error || collective->is_left)
    return;
  collective->is_left = 1;
  collective->call = (struct mpispec_collective_call){
      .signature = mpispec_signature(kind, 0), .bytes = -1, .root = -1};
  collective->steps.history += collective->call.signature;
  /* Of two who only look now, one sees the other. */
  __atomic_store_n(&collective->steps.own->waiting, mpispec_steps_word(&collective->steps, 0),
                   __ATOMIC_SEQ_CST);
}

int mpispec_mismatch_check(struct mpispec_collective *collective) {
  if (collective->size > 1 && !collective->error && is_different(collective))
    settle(collective, collective->steps.own->waiting);
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
