/* Communicators and their slots: split, duplicated, reordered, freed and made again. There are more of them than
 * slots, and some are freed while a slower member still reads. */
#define _GNU_SOURCE
#include "check.h"

#include <mpi.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

/* A bit of everything on a communicator; `salt` makes results differ. */
static void use(MPI_Comm comm, int salt) {
  static double in[3000], out[3000];
  int me, all, word;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &all);
  double x = me + salt, sum = -1;
  MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  CHECK(sum == all * (all - 1) / 2 + (double)all * salt);
  word = me == salt % all ? salt : -1;
  MPI_Bcast(&word, 1, MPI_INT, salt % all, comm);
  CHECK(word == salt);
  for (int i = 0; i < 3000; ++i)
    in[i] = i + me + salt;
  MPI_Reduce(in, out, 3000, MPI_DOUBLE, MPI_MAX, all - 1, comm);
  for (int i = 0; me == all - 1 && i < 3000; i += 100)
    CHECK(out[i] == i + all - 1 + salt);
  MPI_Allgather(&x, 1, MPI_DOUBLE, out, 1, MPI_DOUBLE, comm);
  for (int i = 0; i < all; ++i)
    CHECK(out[i] == i + salt);
  MPI_Barrier(comm);
}

static void various(void) {
  MPI_Comm comms[6];
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, (rank + size / 2) % size, &comms[2]);
  MPI_Comm_split(comms[2], rank / 2, rank, &comms[3]);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comms[4]);
  MPI_Comm_dup(MPI_COMM_SELF, &comms[5]);
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 6; ++i)
      use(comms[(i + round) % 6], round * 10 + i);
  for (int i = 0; i < 6; ++i)
    MPI_Comm_free(&comms[i]);
}

/* The same slots serve one after the other, with groups that overlap in part. */
static void one_after_the_other(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, round % 3 ? (rank + round) / 2 % 2 : 0,
                   rank * (round % 2 ? 1 : -1), &comm);
    use(comm, round);
    MPI_Comm_free(&comm);
  }
}

/* The root leaves and frees its communicator; the others read later. */
static void freed_early(void) {
  for (int round = 0; round < 8; ++round) {
    MPI_Comm comm;
    int words[2000];
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    use(comm, round);
    for (int i = 0; i < 2000; ++i)
      words[i] = rank ? -1 : round * i;
    if (rank == 1)
      usleep(2000);
    MPI_Bcast(words, round % 2 ? 2000 : 2, MPI_INT, 0, comm);
    MPI_Comm_free(&comm);
    for (int i = 0; i < (round % 2 ? 2000 : 2); ++i)
      CHECK(words[i] == round * i);
  }
}

/* Far more than have large chunks; of MPI's limit on communicators all may have their share. */
static void many_at_once(int count) {
  MPI_Comm *comms = malloc((size_t)count * sizeof *comms);
  for (int i = 0; i < count; ++i)
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  for (int i = 0; i < count; ++i) {
    int one = 1, sum;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comms[i]);
    CHECK(sum == size);
  }
  for (int i = 0; i < count; i += 7)
    use(comms[i], i + 1);
  for (int i = 0; i < count; ++i)
    MPI_Comm_free(&comms[(i * 11) % count]);
  free(comms);
}

/* Kilobytes of a segment of ours that are in memory. */
static long resident(void) {
  char line[512];
  unsigned long from, to;
  long kilobytes, most = 0;
  int ours = 0;
  FILE *maps = fopen("/proc/self/smaps", "r");
  while (fgets(line, sizeof line, maps)) {
    if (sscanf(line, "%lx-%lx ", &from, &to) == 2) /* a mapping begins, the library's own, say */
      ours = strstr(line, "rw-s") && strstr(line, "memfd:mpispec");
    if (ours && sscanf(line, "Rss: %ld", &kilobytes) == 1 && kilobytes > most)
      most = kilobytes;
  }
  fclose(maps);
  return most;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  various();
  one_after_the_other(size > 2 ? 15 : 40);
  freed_early();
  many_at_once(argc > 1 ? atoi(argv[1]) : 100);
  CHECK(resident() < 32 * 1024);
  one_after_the_other(20);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w %include %s -I%S -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t 1000 | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t 20 | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 1 %t 100 | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t 70 | FileCheck %s %}
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t 4 | FileCheck %s %}
// CHECK: passed
