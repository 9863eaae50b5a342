/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* by-hand.c - what two processes can do without MPI: the operations of by-size.c that move data
 * from one rank to the other, over shared memory and process_vm_readv and _writev. Rows have the
 * same names. MPI only starts the processes and times them.
 *
 *   by-hand -w WAY [-s LEAST] [-m MOST] [-d] [-o parts of names] [-t milliseconds]
 *
 *   segment  the giver copies pieces into shared memory, and the taker copies them out meanwhile
 *   pull     the taker reads the giver's memory
 *   both     the taker reads the first half, and the giver writes the second half
 *
 * A giver may be ahead of the taker by the pieces that fit its ring. By address, it waits until
 * the taker has read. */
#include "batches.h"
#include "buffers.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PIECES = 16, PIECE = 16 << 10, PAYLOAD = 40, LINE = 64 };

/* A line of the ring: it contains a short piece, and tells of a long one. */
struct line {
  _Alignas(LINE) _Atomic uint64_t number; /* of the piece, from 1 on */
  uint64_t address;
  char payload[PAYLOAD];
};

/* The memory that one rank writes and the other rank reads. The number `taken` is that of the
 * pieces which the writer of this memory has read from the other rank. */
struct side {
  struct line line[PIECES];
  _Alignas(2 * LINE) _Atomic uint64_t taken;
  _Alignas(4096) char piece[PIECES][PIECE];
};

enum way { SEGMENT, PULL, BOTH };
enum operation { BCAST, GATHER, SCATTER, ALLGATHER, OPERATIONS };
static const char *const names[] = {"bcast", "gather", "scatter", "allgather"};

static struct side *own, *other;
static uint64_t given, taken; /* pieces */
static pid_t peer;
static int rank;
static char *out, *in;
static enum way way;

/* The row that is being measured. */
static struct {
  enum operation operation;
  size_t bytes;
  int is_moving, is_touched;
} now;

static void wait_for(const _Atomic uint64_t *word, uint64_t least) {
  while (atomic_load_explicit(word, memory_order_acquire) < least)
    __builtin_ia32_pause();
}

/* --- by shared memory --------------------------------------------------------------------------*/

static void give_piece(const char *from, size_t bytes) {
  struct line *line = &own->line[given % PIECES];
  if (given >= PIECES)
    wait_for(&other->taken, given - PIECES + 1);
  memcpy(bytes <= PAYLOAD ? line->payload : own->piece[given % PIECES], from, bytes);
  atomic_store_explicit(&line->number, ++given, memory_order_release);
}

static void take_piece(char *to, size_t bytes) {
  const struct line *line = &other->line[taken % PIECES];
  wait_for(&line->number, taken + 1);
  memcpy(to, bytes <= PAYLOAD ? line->payload : other->piece[taken % PIECES], bytes);
  ++taken;
  if (bytes > PAYLOAD || taken % (PIECES / 4) == 0)
    atomic_store_explicit(&own->taken, taken, memory_order_release);
}

/* Either buffer may be null. */
static void by_segment(const char *from, char *to, size_t bytes) {
  for (size_t at = 0; at < bytes; at += PIECE) {
    const size_t piece = bytes - at < PIECE ? bytes - at : PIECE;
    if (from)
      give_piece(from + at, piece);
    if (to)
      take_piece(to + at, piece);
  }
}

/* --- by address --------------------------------------------------------------------------------*/

static void check(ssize_t moved, size_t bytes) {
  if (moved != (ssize_t)bytes)
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void show(const char *buffer) {
  struct line *line = &own->line[given % PIECES];
  line->address = (uint64_t)(uintptr_t)buffer;
  atomic_store_explicit(&line->number, ++given, memory_order_release);
}

static char *shown(void) {
  const struct line *line = &other->line[taken % PIECES];
  wait_for(&line->number, taken + 1);
  return (char *)(uintptr_t)line->address;
}

static void pull(char *to, size_t bytes) {
  const struct iovec here = {to, bytes}, there = {shown(), bytes};
  check(process_vm_readv(peer, &here, 1, &there, 1, 0), bytes);
  atomic_store_explicit(&own->taken, ++taken, memory_order_release);
}

static void by_pull(const char *from, char *to, size_t bytes) {
  if (from)
    show(from);
  if (to)
    pull(to, bytes);
  if (from)
    wait_for(&other->taken, given);
}

/* One way only. Each rank shows its buffer. */
static void by_both(const char *from, char *to, size_t bytes) {
  const size_t half = bytes / 2 / LINE * LINE, rest = bytes - half;
  show(from ? from : to);
  char *there = shown();
  ++taken;
  if (from) {
    const struct iovec here = {(char *)(uintptr_t)from + half, rest}, target = {there + half, rest};
    check(process_vm_writev(peer, &here, 1, &target, 1, 0), rest);
  } else {
    const struct iovec here = {to, half}, source = {there, half};
    check(half ? process_vm_readv(peer, &here, 1, &source, 1, 0) : 0, half);
  }
  atomic_store_explicit(&own->taken, taken, memory_order_release);
  wait_for(&other->taken, given);
}

static void move(const char *from, char *to) {
  if (way == SEGMENT)
    by_segment(from, to, now.bytes);
  else if (way == PULL || (from && to))
    by_pull(from, to, now.bytes);
  else
    by_both(from, to, now.bytes);
}

/* --- operations --------------------------------------------------------------------------------*/

static void operate(int rounds) {
  const size_t bytes = now.bytes, all = 2 * bytes;
  const int is_scatter = now.operation == SCATTER, is_allgather = now.operation == ALLGATHER;
  const int reads_one = is_scatter || now.operation == BCAST;
  const char *from = is_scatter ? out + (size_t)!rank * bytes : out;
  char *to = reads_one ? in : in + (size_t)!rank * bytes;
  for (int round = 0; round < rounds; ++round) {
    const int is_root = rank == (now.is_moving ? round % 2 : 0);
    const int gives = is_allgather || (now.operation == GATHER) != is_root;
    const int takes = is_allgather || !gives;
    const int copies = now.operation != BCAST && (is_allgather || is_root); /* its own portion */
    if (now.is_touched && (is_scatter ? is_root : gives || copies))
      buffers_write(out, is_scatter ? all : bytes, 0);
    move(gives ? from : NULL, takes ? to : NULL);
    if (copies && is_scatter)
      memcpy(in, out + (size_t)rank * bytes, bytes);
    else if (copies)
      memcpy(in + (size_t)rank * bytes, out, bytes);
    if (now.is_touched && (takes || copies))
      buffers_read(in, reads_one ? bytes : all, 0);
  }
}

static void measure_all(void) {
  char name[64];
  for (now.is_moving = 0; now.is_moving <= (now.operation != ALLGATHER); ++now.is_moving)
    for (now.is_touched = 0; now.is_touched < 2; ++now.is_touched) {
      snprintf(name, sizeof name, "%s%s/%s", names[now.operation], now.is_moving ? "-moving" : "",
               now.is_touched ? "touched" : "still");
      if (batches_are_wanted(name))
        batches_measure(name, now.bytes, 1, operate);
    }
}

static void open_sides(void) {
  MPI_Win window;
  MPI_Aint bytes;
  int unit, pid = getpid(), pids[2];
  MPI_Win_allocate_shared(sizeof *own, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
  memset(own, 0, sizeof *own);
  MPI_Win_shared_query(window, !rank, &bytes, &unit, &other);
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  MPI_Allgather(&pid, 1, MPI_INT, pids, 1, MPI_INT, MPI_COMM_WORLD);
  peer = pids[!rank];
}

/* Takes "-w WAY" out of the arguments. */
static void read_way(int *argc, char **argv) {
  const char *word = *argc > 2 && !strcmp(argv[1], "-w") ? argv[2] : "";
  if (strcmp(word, "segment") && strcmp(word, "pull") && strcmp(word, "both")) {
    fprintf(stderr, "usage: by-hand -w segment|pull|both [options of by-size]\n");
    exit(2);
  }
  way = word[0] == 's' ? SEGMENT : word[0] == 'p' ? PULL : BOTH;
  *argc -= 2;
  memmove(argv + 1, argv + 3, (size_t)*argc * sizeof *argv);
}

int main(int argc, char **argv) {
  int ranks;
  read_way(&argc, argv);
  const struct batches_options options = batches_begin(
      &argc, &argv,
      (struct batches_options){
          .seconds = 0.002, .batches = 5, .only = "", .factor = 8, .least = 1, .most = 1 << 20});
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2)
    MPI_Abort(MPI_COMM_WORLD, 2);
  open_sides();
  out = buffers_allocate(2 * options.most);
  in = buffers_allocate(2 * options.most);
  for (now.operation = BCAST; now.operation < OPERATIONS; ++now.operation)
    for (now.bytes = options.least ? options.least : 1; now.bytes <= options.most;
         now.bytes *= (size_t)options.factor)
      measure_all();
  MPI_Finalize();
  return 0;
}
