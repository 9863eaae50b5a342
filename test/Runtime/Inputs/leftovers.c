/* Uses lanes, shows what its segment looks like, and ends as it is told: exit, abort, kill. */
#include <dirent.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void show_segment(void) {
  char path[300], target[64];
  DIR *directory = opendir("/proc/self/fd");
  for (struct dirent *entry; (entry = readdir(directory));) {
    struct stat status;
    snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
    const ssize_t length = readlink(path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    if (strncmp(target, "/memfd:mpispec", 14) || stat(path, &status))
      continue;
    printf("segment: mode %o, %s\n", status.st_mode & 0777, status.st_nlink ? "links" : "no links");
  }
  closedir(directory);
  fflush(stdout);
}

int main(int argc, char **argv) {
  int rank, x = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    show_segment();
  MPI_Sendrecv_replace(&x, 1, MPI_INT, rank ^ 1, 0, rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1 && !strcmp(argv[1], "abort"))
    MPI_Abort(MPI_COMM_WORLD, 3);
  if (rank == 1 && !strcmp(argv[1], "kill"))
    raise(SIGKILL);
  MPI_Finalize();
  return 0;
}
