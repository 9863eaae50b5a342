/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* handoff.c - see handoff.h */
#include "handoff.h"
#include <mpi.h>
#include <stdatomic.h>

enum { REPETITIONS = 9, ROUNDS = 2000 };

/* Far apart: processors fetch neighbouring lines together. */
struct line {
  _Alignas(512) _Atomic int flag;
};

static void hand_over(struct line *lines, int rank, int from, int to) {
  for (int i = from; i < to; ++i) {
    if (rank == 0)
      atomic_store_explicit(&lines[0].flag, i, memory_order_release);
    while (atomic_load_explicit(&lines[!rank].flag, memory_order_acquire) != i)
      __builtin_ia32_pause();
    if (rank == 1)
      atomic_store_explicit(&lines[1].flag, i, memory_order_release);
  }
}

static double best_round(struct line *lines, int rank) {
  double best = 1e9;
  lines[rank].flag = 0;
  for (int i = 0; i < REPETITIONS; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    hand_over(lines, rank, 1 + i * ROUNDS, 1 + (i + 1) * ROUNDS);
    const double took = (MPI_Wtime() - start) / ROUNDS;
    best = took < best ? took : best;
  }
  return best;
}

double handoff_nanoseconds(void) {
  MPI_Comm node;
  MPI_Win window;
  MPI_Aint bytes;
  struct line *lines;
  double nanoseconds = 0;
  int rank, size, together, unit;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, &together);
  if (size == 2 && together == 2) {
    MPI_Win_allocate_shared(rank ? 0 : 2 * sizeof *lines, 1, MPI_INFO_NULL, node, &lines, &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &lines);
    nanoseconds = best_round(lines, rank) / 2 * 1e9;
    MPI_Win_free(&window);
  }
  MPI_Comm_free(&node);
  return nanoseconds;
}
