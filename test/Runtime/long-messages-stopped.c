/* A sender that is stopped while it pushes a piece holds the piece: the receive is over only when
 * the sender has gone on. One that is killed there leaves a receive that is never over, and the job
 * ends by the launcher.
 *
 *   long-messages-stopped continue|end */
#include "long-message.h"

#include <signal.h>
#include <sys/types.h>
#include <time.h>

enum { BYTES = 1024 * KIB + 24, STOPPED_MS = 200, LIMIT_MS = 20000 };

static int64_t milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* The state of a process, behind its name in brackets: T is stopped. */
static char state_of(int process) {
  char path[64], text[256] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE *file = fopen(path, "r");
  if (!file)
    return 0;
  const char *bracket = fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL;
  fclose(file);
  return bracket ? bracket[2] : 0;
}

/* Calls nothing of MPI meanwhile, so that the sender must copy. */
static void await_stop(int process) {
  const int64_t end = milliseconds() + LIMIT_MS;
  while (state_of(process) != 'T' && milliseconds() < end)
    usleep(1000);
  CHECK(state_of(process) == 'T');
}

static void is_not_over(MPI_Request *request, int for_ms) {
  const int64_t end = milliseconds() + for_ms;
  int done = 0;
  while (milliseconds() < end) {
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
    CHECK(!done);
  }
}

/* The message is there, so that its receive is matched at once and the sender may push. */
static struct receiving begin(void) {
  MPI_Probe(0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return receive_start(BYTES, dense, 0, 5);
}

static void receive_from_stopped(int process) {
  struct receiving r = begin();
  await_stop(process);
  is_not_over(&r.request, STOPPED_MS);
  CHECK(!kill(process, SIGCONT));
  MPI_Wait(&r.request, &r.status);
  receive_check(&r, 0);
}

static void receive_from_killed(void) {
  struct receiving r = begin();
  usleep(50 * 1000);
  is_not_over(&r.request, LIMIT_MS);
}

int main(int argc, char **argv) {
  int process = getpid();
  MPI_Init(&argc, &argv);
  long_messages_begin();
  CHECK(argc == 2);
  MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0)
    send(SEND, BYTES, dense, 1, 5);
  else if (!strcmp(argv[1], "continue"))
    receive_from_stopped(process);
  else
    receive_from_killed();
  ++number;
  if (rank == 0)
    send(SSEND, BYTES, dense, 1, 5);
  else
    receive(RECV, BYTES, dense, 0, 5);
  MPI_Finalize();
  long_messages_end();
  if (rank == 1)
    passed();
  return 0;
}

// Preloads into programs that know nothing of a sanitizer, and what Hydra says at an end.
// UNSUPPORTED: sanitizer
// REQUIRES: mpich
//
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %mpicc -fPIC -shared %tool/stop.c -o %t.stop.so
// DEFINE: %{stop} = env MPISPEC_MODE=lanes MPISPEC_LONG_MESSAGES=shared %mpirun -n 2 \
// DEFINE:   env LD_PRELOAD=%t.stop.so STOP_RANK=0
// RUN: %{stop} STOP_BY=19 %t continue | FileCheck %s
// RUN: %{stop} STOP_BY=19 STOP_AFTER=1 %t continue | FileCheck %s
// RUN: not %{stop} STOP_BY=9 %t end 2>&1 | FileCheck %s --check-prefix=KILLED
// RUN: not %{stop} STOP_BY=9 STOP_AFTER=1 %t end 2>&1 | FileCheck %s --check-prefix=KILLED
// CHECK: passed
// KILLED-NOT: failed
// KILLED: {{Killed \(signal 9\)|KILLED BY SIGNAL: 9}}
