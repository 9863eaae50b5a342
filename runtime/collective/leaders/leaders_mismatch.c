/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See leaders_mismatch.h. */
#include "collective/leaders/leaders_mismatch.h"

#include "collective/leaders/leaders.h"
#include "collective/mismatch.h"
#include "collective/mismatch_text.h"
#include "job/memory.h"

#include <stdlib.h>

enum { LOG = 64 };

/* The log of a leader's operations. `history[i % LOG]` and `signature[i % LOG]` belong to operation
 * i. */
struct note {
  /* The communicator's slot, and its first step there: they tell notes of this communicator from
   * those that a freed one has left behind. */
  uint64_t slot, first_step;
  uint64_t operations; /* among leaders, so far; the last one is under way */
  uint64_t history[LOG], signature[LOG];
  int64_t rank;                 /* its sender's, in the communicator */
  char call[mpispec_slot_note]; /* the last operation */
  /* If the sender has found a mismatch: the first operation that differs, and the call of the other
   * nodes. */
  int64_t is_settled;
  uint64_t place;
  char elsewhere[mpispec_slot_note];
};

enum { COMPARISON_LOG, SETTLED, KINDS }; /* tags: a log, and one mismatch that a leader has found */

struct mpispec_leaders_watch {
  struct note own;
  struct note received;    /* the last note of the leader before this one */
  struct note from[KINDS]; /* posted receives */
  struct note to[KINDS];
  MPI_Request receiving[KINDS], sending[KINDS];
  MPI_Comm leaders;
  int before, next; /* ranks among the leaders */
  uint64_t comparisons, sent_at;
  uint64_t compared; /* the history at the last comparison */
};

static void post(struct mpispec_leaders_watch *watch, int kind) {
  PMPI_Irecv(&watch->from[kind], (int)sizeof(struct note), MPI_BYTE, watch->before, kind,
             watch->leaders, &watch->receiving[kind]);
}

struct mpispec_leaders_watch *
mpispec_leaders_watch_open(const struct mpispec_collective *collective) {
  const struct mpispec_nodes *nodes = collective->nodes;
  struct mpispec_leaders_watch *watch = mpispec_check_allocation(calloc(1, sizeof *watch));
  watch->leaders = nodes->leaders;
  watch->before = (nodes->self + nodes->count - 1) % nodes->count;
  watch->next = (nodes->self + 1) % nodes->count;
  watch->own.slot = collective->number;
  watch->own.first_step = collective->first_step;
  watch->comparisons = 2;
  watch->compared = UINT64_MAX; /* none */
  for (int kind = 0; kind < KINDS; ++kind) {
    watch->sending[kind] = MPI_REQUEST_NULL;
    post(watch, kind);
  }
  return watch;
}

static int is_over(MPI_Request *request) {
  int done = 1;
  return *request == MPI_REQUEST_NULL || (!PMPI_Test(request, &done, MPI_STATUS_IGNORE) && done);
}

/* Whether the note belongs to a communicator that is freed. A leader may end its part of an
 * operation and free the communicator before the leader before it sends its log. The MPI library
 * keeps this log, and may hand it to a later communicator. */
static int is_left_behind(const struct mpispec_leaders_watch *watch, const struct note *note) {
  return note->slot != watch->own.slot || note->first_step != watch->own.first_step;
}

/* Receives a note of the leader before this one if there is one. */
static int receive_note(struct mpispec_leaders_watch *watch) {
  for (int kind = 0; kind < KINDS; ++kind)
    while (watch->receiving[kind] != MPI_REQUEST_NULL && is_over(&watch->receiving[kind])) {
      const int is_ours = !is_left_behind(watch, &watch->from[kind]);
      watch->received = watch->from[kind];
      post(watch, kind);
      if (is_ours)
        return 1;
    }
  return 0;
}

void mpispec_leaders_watch_close(struct mpispec_leaders_watch *watch) {
  int all = 1;
  for (int kind = 0; kind < KINDS; ++kind) {
    if (watch->receiving[kind] != MPI_REQUEST_NULL) {
      PMPI_Cancel(&watch->receiving[kind]);
      PMPI_Wait(&watch->receiving[kind], MPI_STATUS_IGNORE);
    }
    all &= is_over(&watch->sending[kind]);
  }
  if (all) /* else the library still reads there */
    free(watch);
}

int mpispec_leaders_watch_begin(struct mpispec_collective *collective) {
  struct note *own = &collective->nodes->watch->own;
  const uint64_t place = ++own->operations % LOG;
  own->history[place] = collective->steps.history;
  own->signature[place] = collective->call.signature;
  own->rank = collective->rank;
  return place == 0;
}

/* --- what was called ---------------------------------------------------------------------------*/

/* Appends an operation of a note: the call if it is the last operation, else its signature. */
static void append_operation(struct mpispec_text *text, const struct note *note,
                             uint64_t operation) {
  if (operation == note->operations)
    mpispec_text_append(text, "%s", note->call);
  else if (!mpispec_text_append_signature(text, note->signature[operation % LOG]))
    mpispec_text_append(text, "(not seen)");
}

static void send_note(struct mpispec_leaders_watch *watch, int kind) {
  watch->to[kind] = watch->own;
  PMPI_Isend(&watch->to[kind], (int)sizeof(struct note), MPI_BYTE, watch->next, kind,
             watch->leaders, &watch->sending[kind]);
}

/* Returns the first operation whose histories differ in the two logs, or 0. */
static uint64_t find_parting(const struct note *a, const struct note *b) {
  const uint64_t last = a->operations < b->operations ? a->operations : b->operations;
  const uint64_t most = a->operations > b->operations ? a->operations : b->operations;
  for (uint64_t i = most < LOG ? 1 : most - LOG + 1; i <= last; ++i)
    if (a->history[i % LOG] != b->history[i % LOG])
      return i;
  return 0;
}

static void append_own_call(struct mpispec_collective *collective, struct note *own) {
  struct mpispec_text text = {own->call, own->call + sizeof own->call};
  mpispec_mismatch_append_call(&text, collective);
}

/* Raises the error on this node and sends it to the next leader. The logs differ in `operation`.
 * The leader before this one has made another call there, or has received a note about it. */
static void report_mismatch(struct mpispec_collective *collective, uint64_t operation) {
  struct mpispec_leaders_watch *watch = collective->nodes->watch;
  struct note *own = &watch->own, *received = &watch->received;
  const uint64_t i = operation % LOG;
  const int is_theirs = own->history[i] != received->history[i];
  const int is_before = is_theirs && own->signature[i] == received->signature[i];
  char here[mpispec_slot_note];
  struct mpispec_text text = {own->elsewhere, own->elsewhere + sizeof own->elsewhere};
  struct mpispec_text text_here = {here, here + sizeof here};
  if (is_theirs) {
    mpispec_text_append(&text, "rank %d: ", (int)received->rank);
    append_operation(&text, received, operation);
  } else {
    mpispec_text_append(&text, "%s", received->elsewhere);
  }
  if (is_before)
    mpispec_text_append(&text, ", after other operations");
  own->place = operation;
  own->is_settled = 1;
  append_own_call(collective, own);
  append_operation(&text_here, own, operation);
  send_note(watch, SETTLED);
  mpispec_mismatch_between_nodes(collective, here, own->elsewhere);
}

void mpispec_leaders_watch_report(struct mpispec_collective *collective, const char *text) {
  struct mpispec_leaders_watch *watch = collective->nodes ? collective->nodes->watch : NULL;
  if (!watch || watch->own.is_settled)
    return;
  struct mpispec_text own = {watch->own.elsewhere, watch->own.elsewhere + mpispec_slot_note};
  mpispec_text_append(&own, "%s", text);
  watch->own.is_settled = 1;
  watch->own.place = watch->own.operations; /* equal in all logs */
  send_note(watch, SETTLED);
}

/* --- when to search ----------------------------------------------------------------------------*/

int mpispec_leaders_watch_poll(struct mpispec_collective *collective) {
  struct mpispec_leaders_watch *watch = collective->nodes->watch;
  if (watch->comparisons - watch->sent_at >= 2 && is_over(&watch->sending[COMPARISON_LOG])) {
    append_own_call(collective, &watch->own);
    send_note(watch, COMPARISON_LOG);
    watch->sent_at = watch->comparisons;
  }
  while (receive_note(watch)) {
    const uint64_t parting = find_parting(&watch->own, &watch->received);
    if (parting || watch->received.is_settled) {
      report_mismatch(collective, parting ? parting : watch->received.place);
      return 1;
    }
  }
  return 0;
}

int mpispec_leaders_watch_has_compared(const struct mpispec_collective *collective) {
  const uint64_t before = collective->steps.history - collective->call.signature;
  return collective->nodes->watch->compared == before;
}

void mpispec_leaders_watch_compared(struct mpispec_collective *collective) {
  struct mpispec_leaders_watch *watch = collective->nodes->watch;
  watch->compared = collective->steps.history;
  ++watch->comparisons;
  if (is_over(&watch->receiving[COMPARISON_LOG]))
    post(watch, COMPARISON_LOG);
}

void mpispec_leaders_watch_await_mismatch(struct mpispec_collective *collective) {
  struct mpispec_leaders_watch *watch = collective->nodes->watch;
  const double end = PMPI_Wtime() + MPISPEC_NOTES_TIMEOUT * 1e-9;
  while (PMPI_Wtime() < end)
    if (mpispec_leaders_watch_poll(collective))
      return;
  report_mismatch(collective, watch->own.operations);
}
