/* A forked child that exits leaves its parent's profile alone. It may exit after the parent's MPI_Finalize, and another
 * thread may have been in a call at the fork.
 *
 *   profile-of-forks DIRECTORY one|threads */
#include "check.h"
#include "profile/profile_file.h"

#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { CHILDREN = 300, LIMIT_S = 20 };

static const struct mpispec_profile_header *map_file(const char *directory, int rank) {
  char path[1000];
  snprintf(path, sizeof path, "%s/rank-%d.mpispec", directory, rank);
  const int file = open(path, O_RDONLY);
  const void *memory = mmap(NULL, sizeof(struct mpispec_profile_header), PROT_READ, MAP_SHARED, file, 0);
  CHECK(file >= 0 && memory != MAP_FAILED);
  return memory;
}

/* A child that exits when `released` is closed. */
static pid_t fork_child(int released[2]) {
  char end;
  CHECK(!pipe(released));
  const pid_t child = fork();
  if (child)
    return child;
  alarm(LIMIT_S);
  close(released[1]);
  CHECK(!read(released[0], &end, 1));
  exit(0);
}

static void await(pid_t child) {
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
}

static atomic_int is_over;

static void *probe(void *unused) {
  int flag;
  while (!is_over)
    MPI_Iprobe(0, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
  return unused;
}

static void fork_beside_calls(void) {
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, probe, NULL));
  for (int i = 0; i < CHILDREN; ++i) {
    const pid_t child = fork();
    if (!child) {
      alarm(LIMIT_S);
      exit(0);
    }
    await(child);
  }
  is_over = 1;
  pthread_join(thread, NULL);
}

int main(int argc, char **argv) {
  int rank, provided, released[2];
  CHECK(argc == 3);
  const int has_threads = !strcmp(argv[2], "threads");
  MPI_Init_thread(NULL, NULL, has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const struct mpispec_profile_header *header = map_file(argv[1], rank);
  const pid_t child = fork_child(released);
  if (has_threads)
    fork_beside_calls();
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(header->end == MPISPEC_PROFILE_CUT_SHORT);
  MPI_Finalize();
  const uint64_t last = header->ticks_last;
  CHECK(header->end == MPISPEC_PROFILE_FINALIZED && header->process == (uint64_t)getpid());
  close(released[1]);
  close(released[0]);
  await(child);
  CHECK(header->end == MPISPEC_PROFILE_FINALIZED && header->ticks_last == last);
  return passed();
}

// Sanitizers wait for threads that a child does not have.
// UNSUPPORTED: sanitizer
//
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_PROFILE=%t.profile %mpirun -n 2 %t %t.profile one | FileCheck %s
// RUN: env MPISPEC_PROFILE=%t.profile %mpirun -n 1 %t %t.profile threads | FileCheck %s
// CHECK: passed
