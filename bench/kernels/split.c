/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* split.c - see split.h: the notes of all ranks are combined here */
#include "split.h"

#ifndef KERNEL_SPLIT

void split_start(void) {}
void split_stop(void) {}
void split_keep(double seconds) { (void)seconds; }
void split_print(int rank) { (void)rank; }

#else

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 1 << 20, TAGS = 4, LONG_ELEMENTS = 512 };

static struct split_call calls[CAPACITY];
struct split_call *split_next = calls;
static uint64_t first_tick, last_tick;
static int count, rank, size;
static double kept[3]; /* compute, waiting, inside */

/* The calls of all ranks; those of rank r begin at begins[r]. */
static struct split_call *all;
static int *begins;

void split_start(void) {
  memset(calls, 0, sizeof calls); /* its pages are there before the clock starts */
  PMPI_Barrier(MPI_COMM_WORLD);
  split_next = calls;
  first_tick = split_ticks();
}

void split_stop(void) {
  last_tick = split_ticks();
  count = (int)(split_next - calls);
  if (count > CAPACITY) {
    fprintf(stderr, "split.c: more than %d calls\n", CAPACITY);
    PMPI_Abort(MPI_COMM_WORLD, 2);
  }
}

static void gather(void) {
  int *bytes = malloc(2 * (size_t)size * sizeof *bytes), *offsets = bytes + size;
  const int mine = count * (int)sizeof *calls;
  PMPI_Allgather(&mine, 1, MPI_INT, bytes, 1, MPI_INT, MPI_COMM_WORLD);
  begins = malloc(((size_t)size + 1) * sizeof *begins);
  begins[0] = 0;
  for (int r = 0; r < size; r++) {
    offsets[r] = begins[r] * (int)sizeof *calls;
    begins[r + 1] = begins[r] + bytes[r] / (int)sizeof *calls;
  }
  all = malloc(((size_t)begins[size] + 1) * sizeof *all);
  PMPI_Allgatherv(calls, mine, MPI_BYTE, all, bytes, offsets, MPI_BYTE, MPI_COMM_WORLD);
  free(bytes);
}

/* The next call of `peer`, from *at on, that sends to (or receives from) this rank with that tag.
 * Messages of one pair of ranks and tag keep their order (MPI-4.0, section 3.5). */
static const struct split_call *partner(int *at, int peer, int tag, int sends) {
  for (int i = begins[peer] + *at; i < begins[peer + 1]; i++) {
    const struct split_call *c = &all[i];
    const int other = sends ? c->to : c->from, its_tag = sends ? c->send_tag : c->receive_tag;
    if (c->elements >= 0 && other == rank && its_tag == tag) {
      *at = i - begins[peer] + 1;
      return c;
    }
  }
  fprintf(stderr, "split.c: rank %d: a message to or from %d is in one rank's notes only\n", rank,
          peer);
  PMPI_Abort(MPI_COMM_WORLD, 2);
  return NULL;
}

/* When the last rank came to the next collective call; at[r] is where rank r's calls are looked at.
 */
static uint64_t last_arrival(int *at) {
  uint64_t last = 0;
  for (int r = 0; r < size; r++) {
    int i = begins[r] + at[r];
    while (i < begins[r + 1] && all[i].elements >= 0)
      i++;
    at[r] = i - begins[r] + 1;
    if (i < begins[r + 1] && all[i].enter > last)
      last = all[i].enter;
  }
  return last;
}

/* Ticks of a call before `begun`: what it waited. */
static uint64_t waited(const struct split_call *c, uint64_t begun) {
  const uint64_t end = begun < c->leave ? begun : c->leave;
  return end > c->enter ? end - c->enter : 0;
}

static uint64_t max(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void add_up(uint64_t *waiting, uint64_t *calling) {
  int *receives = calloc((size_t)size * (2 * TAGS + 1), sizeof *receives);
  int *sends = receives + size * TAGS, *collectives = sends + size * TAGS;
  *waiting = *calling = 0;
  for (const struct split_call *c = calls; c < calls + count; c++) {
    uint64_t wait = 0;
    *calling += c->leave - c->enter;
    if (c->elements < 0)
      wait = waited(c, last_arrival(collectives));
    if (c->from >= 0)
      wait = waited(
          c,
          partner(&receives[c->from * TAGS + c->receive_tag], c->from, c->receive_tag, 1)->enter);
    if (c->to >= 0) {
      const struct split_call *receive =
          partner(&sends[c->to * TAGS + c->send_tag], c->to, c->send_tag, 0);
      /* A short send is over before its receive begins; if it is not, that is no waiting. */
      if (c->elements >= LONG_ELEMENTS && c->leave > receive->enter)
        wait = max(wait, waited(c, receive->enter));
    }
    *waiting += wait;
  }
  free(receives);
}

void split_keep(double seconds) {
  uint64_t waiting, calling;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  gather();
  add_up(&waiting, &calling);
  /* The run took `seconds` in the slowest rank: every rank's ticks are as long. */
  uint64_t ticks = last_tick - first_tick, longest;
  PMPI_Allreduce(&ticks, &longest, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  const double tick = seconds / (double)longest;
  /* A rank that is done before the last one waits for it. */
  kept[0] = (double)(ticks - calling) * tick;
  kept[1] = (double)(waiting + longest - ticks) * tick;
  kept[2] = (double)(calling - waiting) * tick;
  free(begins);
  free(all);
}

void split_print(int me) {
  double sum[3];
  PMPI_Reduce(kept, sum, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0)
    printf("compute %.9f\nwaiting %.9f\ninside %.9f\n", sum[0] / size, sum[1] / size,
           sum[2] / size);
}

#endif
