/* The receiver makes children while its message is on the way, with pieces pushed into its memory from outside. The
 * bytes are in the parent's memory, not in a child's copy of it. Children write to their copies, and some still exist
 * when the message is complete. */
#include "long-message.h"
#include "p2p/rendezvous.h"

#include <sys/wait.h>

enum { BYTES = 1024 * KIB + 3, ROUNDS = 60, CHILDREN = 3 };

/* Its copy of the buffer is its own. */
static pid_t child(unsigned char *bytes, unsigned after) {
  const pid_t process = fork();
  if (process)
    return process;
  for (int i = 0; i < BYTES; i += 4096)
    bytes[i] = 0x33;
  usleep(after);
  _exit(0);
}

static void receive_with_children(int by_tests) {
  pid_t children[CHILDREN];
  MPI_Probe(0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* the receive is matched at once */
  struct receiving r = receive_start(BYTES, dense, 0, 5);
  for (int i = 0; i < CHILDREN; ++i) {
    children[i] = child(place_of(&r), (unsigned)(i * 2000));
    CHECK(children[i] > 0);
    if (by_tests && r.request != MPI_REQUEST_NULL) {
      int done;
      MPI_Test(&r.request, &done, &r.status);
    }
  }
  if (r.request != MPI_REQUEST_NULL)
    MPI_Wait(&r.request, &r.status);
  receive_check(&r, 0);
  for (int i = 0; i < CHILDREN; ++i)
    CHECK(waitpid(children[i], NULL, 0) == children[i]);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  long_messages_begin();
  for (int i = 0; i < ROUNDS; ++i) {
    ++number;
    if (rank == 0)
      send(i % 3 ? SEND : TESTED_SEND, BYTES, dense, 1, 5);
    else
      receive_with_children(i % 2);
  }
  MPI_Finalize();
  long_messages_end();
  if (rank == 0)
    tell("passed%s", mpispec_rendezvous_counts.pushed ? ", pushed" : "");
  return 0;
}

// A child of a program with several threads must not call what a sanitizer stands in for.
// UNSUPPORTED: sanitizer
//
// RUN: %mpicc -w %include %s -o %t %runtime
// DEFINE: %{long} = env MPISPEC_MODE=lanes MPISPEC_LONG_MESSAGES
// RUN: %{long}=shared %mpirun -n 2 %t | FileCheck %s --check-prefix=PUSHED
// RUN: %{long}=pipe %mpirun -n 2 %t | FileCheck %s
// PUSHED: passed, pushed
// CHECK: passed
