/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* deal.c - the input phase of many programs: rank 0 generates records, and sends each one to the
 * rank that owns its cell. Owners add up the numbers. All messages go from rank 0 to owners, one
 * after the other, without answers.
 *
 * -DFIELDS=n is the number of doubles of a record: 1 as in an update of a table, 25 as in an
 * element of a mesh.
 *
 *   deal [repetitions] */
#include "kernel.h"
#include <string.h>

#ifndef RECORDS
#define RECORDS 20000
#endif
#ifndef FIELDS
#define FIELDS 25
#endif
enum { CELLS = 1024, record_tag = 1, end_tag = 2 };

/* The first field is the number of the cell, and a number in itself. */
struct record {
  double field[FIELDS];
};

/* A record as the input would have it. */
static void read_record(int number, struct record *record) {
  record->field[0] = (int)(number * 2654435761u >> 22) % CELLS;
  for (int i = 1; i < FIELDS; i++)
    record->field[i] = number + i;
}

static int owner(const struct record *record, int owners) {
  return 1 + (int)record->field[0] % owners;
}

/* Sums of whole numbers: in any order the same. */
static double cells[CELLS];
static void add(const struct record *record) {
  double sum = 1;
  for (int i = 0; i < FIELDS; i++)
    sum += record->field[i];
  cells[(int)record->field[0]] += sum;
}

/* To `owners` ranks from 1 on; with none, rank 0 keeps all. */
static void deal(int owners) {
  struct record record;
  for (int i = 0; i < RECORDS; i++) {
    read_record(i, &record);
    if (owners)
      MPI_Send(record.field, FIELDS, MPI_DOUBLE, owner(&record, owners), record_tag,
               MPI_COMM_WORLD);
    else
      add(&record);
  }
  for (int r = 1; r <= owners; r++)
    MPI_Send(NULL, 0, MPI_DOUBLE, r, end_tag, MPI_COMM_WORLD);
}

static void collect(void) {
  struct record record;
  MPI_Status status;
  for (;;) {
    MPI_Recv(record.field, FIELDS, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == end_tag)
      return;
    add(&record);
  }
}

int main(int argc, char **argv) {
  int rank, size, right = 1;
  double all[CELLS], sum = 0;
  kernel_begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  while (kernel_repeats()) {
    memset(cells, 0, sizeof cells);
    kernel_start();
    if (rank == 0)
      deal(size - 1);
    else
      collect();
    kernel_stop();
  }
  MPI_Reduce(cells, all, CELLS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    memset(cells, 0, sizeof cells);
    deal(0);
    right = !memcmp(all, cells, sizeof cells);
  }
  for (int i = 0; rank == 0 && i < CELLS; i++)
    sum += all[i];
  return kernel_end(right, "sum: %.6e", sum);
}
