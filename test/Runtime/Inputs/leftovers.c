/* Uses lanes, counts what it has of segments, and ends as it is told: exit, abort, kill <rank>. */
#define _GNU_SOURCE
#include <dirent.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whole segments, without the home rings that are mapped once more. */
static int count_mapped(void) {
  char line[512];
  unsigned long from, to;
  int count = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps))
    count += strstr(line, "/memfd:mpispec") && sscanf(line, "%lx-%lx", &from, &to) == 2 && to - from > 1 << 20;
  fclose(maps);
  return count;
}

static int count_descriptors(void) {
  char path[300], target[64];
  int count = 0;
  DIR *directory = opendir("/proc/self/fd");
  for (struct dirent *entry; (entry = readdir(directory));) {
    snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
    const ssize_t length = readlink(path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    count += !strncmp(target, "/memfd:mpispec", 14);
  }
  closedir(directory);
  return count;
}

int main(int argc, char **argv) {
  int rank, x = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    printf("launcher %d\nsegments mapped: %d, descriptors: %d\n", getppid(), count_mapped(),
           count_descriptors());
  fflush(stdout);
  MPI_Sendrecv_replace(&x, 1, MPI_INT, rank ^ 1, 0, rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1 && !strcmp(argv[1], "abort"))
    MPI_Abort(MPI_COMM_WORLD, 3);
  if (!strcmp(argv[1], "kill") && rank == atoi(argv[2]))
    raise(SIGKILL);
  MPI_Finalize();
  return 0;
}
