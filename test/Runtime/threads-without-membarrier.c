/* MPI_THREAD_MULTIPLE where the system refuses membarrier: no thread is the owner of the lock, and
 * all else is the same. A filter of system calls refuses, as those of containers do. */
enum { THREADS = 3, ROUNDS = 300 };

#include "team.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static void refuse_membarrier(void) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  CHECK(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  CHECK(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
}

static void *work(void *argument) {
  const int thread = *(int *)argument, peer = rank ^ 1;
  for (int i = 0; i < ROUNDS; ++i) {
    int out = i * THREADS + thread, in = -1;
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_INT, peer, thread, MPI_COMM_WORLD, &request);
    MPI_Send(&out, 1, MPI_INT, peer, thread, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(in == out);
  }
  return NULL;
}

int main(void) {
  refuse_membarrier();
  run_team(work);
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime -lpthread
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// CHECK: all threads came through
