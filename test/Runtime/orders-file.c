/* The file of orders that trials have found. The bits are those of the library throughout.
 *
 *   learn     there is no file that counts: all is found out by trials
 *   read      a trial confirms what the file says, at the first call
 *   wrong     the file is whole, but names other orders: that is found out, and then the right ones
 *   table     the file is not needed
 *   forge F   makes such a file of F, without MPI
 *   fill F    makes a file of F that is full of entries for other numbers of ranks, without MPI */
#include "check.h"
#include "collective/trial.h"
#include "job/cache_file.h"
#include "sums.h"

#include <inttypes.h>
#include <mpi.h>
#include <string.h>

static int rank;

/* "halves", the first order, in place of each; and the sum of all before at the end. */
static void forge(const char *path) {
  static char text[65536], forged[70000];
  FILE *file = fopen(path, "r");
  CHECK(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  int lines = 0;
  for (char *line = strtok(text, "\n"); line && strncmp(line, "end", 3); line = strtok(NULL, "\n")) {
    int at = 0, rest = 0;
    sscanf(line, "%*s %*s %*s %*s %*s %*s %*s %*s %n%*s %*s%n", &at, &rest);
    if (lines++)
      sprintf(forged + strlen(forged), "\n%.*s1 1%s", at, line, line + rest);
    else
      strcpy(forged, line);
  }
  CHECK(lines > 3);
  const uint64_t sum = mpispec_cache_number(forged);
  sprintf(forged + strlen(forged), "\nend %" PRIx64 "\n", sum);
  CHECK(!mpispec_cache_replace(path, forged, strlen(forged), 0600));
}

static void fill(const char *path) {
  enum { MANY = 1000, OTHER_SIZE = 100 };
  static char filled[65536], key[300], entry[200];
  FILE *file = fopen(path, "r");
  CHECK(file && fgets(key, sizeof key, file) && fgets(entry, sizeof entry, file));
  fclose(file);
  key[strcspn(key, "\n")] = entry[strcspn(entry, "\n")] = 0;
  strcpy(filled, key);
  for (int i = 0; i < MANY && strlen(filled) < sizeof filled - 300; ++i)
    sprintf(filled + strlen(filled), "\n%d%s", OTHER_SIZE + i, strchr(entry, ' '));
  const uint64_t sum = mpispec_cache_number(filled);
  sprintf(filled + strlen(filled), "\nend %" PRIx64 "\n", sum);
  CHECK(!mpispec_cache_replace(path, filled, strlen(filled), 0600));
}

int main(int argc, char **argv) {
  static const int lengths[] = {1, 40, 5000};
  const char *what = argv[1];
  if (!strcmp(what, "forge")) {
    forge(argv[2]);
    return passed();
  }
  if (!strcmp(what, "fill")) {
    fill(argv[2]);
    return passed();
  }
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int times = strcmp(what, "read") ? 14 : 2;
  for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    sums_compare(MPI_COMM_WORLD, rank, times, lengths[i], MPI_DOUBLE);
    sums_compare_scan(MPI_COMM_WORLD, rank, times, lengths[i]);
  }
  CHECK(!mpispec_trial_runs == (!strcmp(what, "read") || !strcmp(what, "table")));
  CHECK(!mpispec_trial_confirmations == !strcmp(what, "learn"));
  MPI_Finalize();
  return passed();
}

// A setting without effect, because of which MPICH's orders are not expected.
// REQUIRES: mpich4
// RUN: %mpicc -w %include -I%S %s -o %t %runtime
// DEFINE: %{set} = env MPIR_CVAR_REDUCE_SHORT_MSG_SIZE=2048
// DEFINE: %{run} = %{set} MPISPEC_CACHE=%t.d %mpirun
// RUN: rm -rf %t.d
// RUN: %{run} -n 4 %t learn | FileCheck %s
// RUN: ls %t.d > %t.name && count 1 < %t.name && cp %t.d/* %t.good
// RUN: %{run} -n 4 %t read | FileCheck %s
// RUN: diff %t.d/* %t.good
//
// No cache, on one rank or on all; communicators of another size.
// RUN: %{run} -n 3 %t learn : -n 1 env MPISPEC_CACHE=off %t learn | FileCheck %s
// RUN: %{set} MPISPEC_CACHE=off %mpirun -n 4 %t learn | FileCheck %s
// RUN: diff %t.d/* %t.good
// RUN: %{run} -n 3 %t learn | FileCheck %s
//
// Damage, and files that are not trusted: read as if they were not there.
// RUN: for bad in empty cut changed foreign random writable link; do \
// RUN:   rm -rf %t.d && mkdir %t.d && cp %t.good %t.d/$(cat %t.name) && (cd %t.d && \
// RUN:   case $bad in \
// RUN:   empty) : > *;; \
// RUN:   cut) head -c 120 %t.good > *;; \
// RUN:   changed) sed '2s/^4 /5 /' %t.good > *;; \
// RUN:   foreign) sed '1s/MPICH/Other/' %t.good > *;; \
// RUN:   random) head -c 3000 /dev/urandom > *;; \
// RUN:   writable) chmod 666 *;; \
// RUN:   link) rm * && ln -s %t.good $(cat %t.name);; \
// RUN:   esac) && %{run} -n 4 %t learn > %t.out && FileCheck %s < %t.out || exit 1; done
// RUN: cmp %t.d/* %t.good
//
// Whole, but wrong; then on one rank alone; another setting has another file.
// RUN: rm -rf %t.d %t.wrong && mkdir %t.d && cp %t.good %t.d/$(cat %t.name) && %t forge %t.d/$(cat %t.name) | FileCheck %s
// RUN: cp -r %t.d %t.wrong && not cmp %t.d/* %t.good
// RUN: %{run} -n 4 %t wrong | FileCheck %s
// RUN: %{run} -n 4 %t read | FileCheck %s
// RUN: %{run} -n 3 %t learn : -n 1 env MPISPEC_CACHE=%t.wrong %t learn | FileCheck %s
// RUN: env MPIR_CVAR_REDUCE_SHORT_MSG_SIZE=2047 MPISPEC_CACHE=%t.d %mpirun -n 4 %t learn | FileCheck %s
// RUN: ls %t.d | count 2
//
// Full of what no rank uses.
// RUN: rm -rf %t.d && mkdir %t.d && cp %t.good %t.d/$(cat %t.name) && %t fill %t.d/$(cat %t.name) | FileCheck %s
// RUN: for what in learn read; do %{run} -n 4 %t $what | FileCheck %s || exit 1; done
//
// Where a table says what to expect, or MPISPEC_CACHE is no directory, no file is written.
// RUN: rm -rf %t.d
// RUN: env MPISPEC_CACHE=%t.d %mpirun -n 4 %t table | FileCheck %s && not ls %t.d
// RUN: %{set} MPISPEC_CACHE=%t.good/below %mpirun -n 4 %t learn | FileCheck %s
// CHECK: passed
