/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Examines processes. See liveness.h.
 *
 * A pidfd is readable when all threads of the process have ended, even if the process is a zombie.
 * It is opened and closed again for each examination, because a job of many ranks may have few
 * descriptors. Until it is open, another process may have got the number; therefore the time at
 * which the process began is compared. That time changes if a job is stored and started again
 * (CRIU), and between namespaces of time. If that time differs but the memory still contains the
 * owner's random number, the process is the owner.
 *
 * A rank in another process namespace has sent its pidfd (passing.h). Without a pidfd, that rank
 * counts as existing. */
#define _GNU_SOURCE
#include "shm/liveness.h"

#include "job/memory.h"
#include "job/node.h"
#include "mpispec/machine.h"
#include "progress/ticks.h"
#include "progress/tuning.h"
#include "shm/shm.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* --- one process -------------------------------------------------------------------------------*/

struct process {
  char state; /* Z: it has ended, and its parent has not waited for it */
  long threads;
  uint64_t start;
};

/* Reads /proc/PROCESS/stat: state, threads and start are its fields 3, 20 and 22. The name of the
 * program, field 2, may contain anything. */
static int read_process(int64_t number, struct process *process) {
  char path[48], line[1024];
  snprintf(path, sizeof path, "/proc/%" PRId64 "/stat", number);
  FILE *file = fopen(path, "re");
  if (!file)
    return 0;
  const char *rest = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
  fclose(file);
  return rest && sscanf(rest + 1,
                        " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %ld "
                        "%*s %" SCNu64,
                        &process->state, &process->threads, &process->start) == 3;
}

uint64_t mpispec_process_start(int64_t number) {
  struct process process;
  return read_process(number, &process) ? process.start : 0;
}

enum state { EXISTS, HAS_ENDED, MAY_BE_ZOMBIE };

/* Zero if the program has closed all its descriptors, and perhaps opened a file with this number.
 * Signal 0 is none. */
static int is_pidfd(int file) {
#ifdef SYS_pidfd_send_signal
  return !(syscall(SYS_pidfd_send_signal, file, 0, NULL, 0) && errno == EBADF);
#else
  return 1;
#endif
}

/* A pidfd becomes readable when its process ends. If a signal interrupts poll, it is not. */
int mpispec_descriptor_has_ended(int process) {
  struct pollfd polled = {process, POLLIN, 0};
  return poll(&polled, 1, 0) == 1 && polled.revents & POLLIN && is_pidfd(process);
}

void mpispec_descriptor_close(int process) {
  if (is_pidfd(process))
    close(process);
}

static enum state state_of_descriptor(int file) {
  return mpispec_descriptor_has_ended(file) ? HAS_ENDED : EXISTS;
}

/* The system call kill with signal 0 sends no signal. It only tests whether the process exists. */
static enum state state_of(int64_t number) {
  if (kill((pid_t)number, 0) && errno == ESRCH)
    return HAS_ENDED;
#ifdef SYS_pidfd_open
  const int file = (int)syscall(SYS_pidfd_open, (pid_t)number, 0);
  if (file >= 0) {
    const enum state state = state_of_descriptor(file);
    close(file);
    return state;
  }
#endif
  return MAY_BE_ZOMBIE;
}

int mpispec_process_has_ended(const struct mpispec_segment_address *address) {
  struct process process;
  const enum state state = state_of(address->process);
  if (state == HAS_ENDED)
    return 1;
  if (!read_process(address->process, &process))
    return 0;
  if (address->start && process.start != address->start)
    return !mpispec_segment_owner_is_readable(address);
  return state == MAY_BE_ZOMBIE && process.state == 'Z' && process.threads <= 1;
}

/* --- ranks of the node -------------------------------------------------------------------------*/

/* For each rank of the node: when it was examined, in ticks. All waits for a rank share this time.
 * Together they examine the rank at most twice in MPISPEC_PEER_CHECK_INTERVAL. */
static struct examined {
  uint64_t at;
  int has_ended;
} *examined;

static int writer_has_ended(const struct mpispec_incoming *lane, struct mpispec_vigil *vigil) {
  return mpispec_vigil_is_due(vigil) && mpispec_peer_has_ended((int)(lane - mpispec_shm.incoming));
}

void mpispec_liveness_open(void) {
  mpispec_lane_has_ended = writer_has_ended;
  examined = mpispec_check_allocation(calloc((size_t)mpispec_node.size, sizeof *examined));
}

void mpispec_liveness_close(void) {
  mpispec_lane_has_ended = NULL;
  free(examined);
  examined = NULL;
}

static int has_ended(int peer) {
  if (!mpispec_shm_is_apart(peer))
    return mpispec_process_has_ended(&mpispec_shm.addresses[peer]);
  const int file = mpispec_shm.passed[peer].process;
  return file >= 0 && state_of_descriptor(file) == HAS_ENDED;
}

int mpispec_peer_has_ended_now(int peer) {
  struct examined *of = &examined[peer];
  int cancellation;
  if (of->has_ended || peer == mpispec_node.rank)
    return of->has_ended;
  /* A thread that is cancelled where it reads a file would keep the runtime's lock. */
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
  of->at = mpispec_ticks();
  of->has_ended = has_ended(peer);
  if (of->has_ended)
    fprintf(stderr,
            "mpispec: rank %d (process %" PRId64 ") has ended: calls that wait for it fail\n",
            mpispec_node.world_ranks[peer], mpispec_shm.addresses[peer].process);
  pthread_setcancelstate(cancellation, NULL);
  return of->has_ended;
}

int mpispec_peer_has_ended(int peer) {
  const struct examined *of = &examined[peer];
  const int is_recent =
      of->at && mpispec_ticks() - of->at < mpispec_ticks_in(MPISPEC_PEER_CHECK_INTERVAL / 2);
  return is_recent ? of->has_ended : mpispec_peer_has_ended_now(peer);
}

int mpispec_vigil_is_due(struct mpispec_vigil *vigil) {
  const uint64_t now = mpispec_ticks();
  if (!vigil->since)
    vigil->since = now;
  if (now - vigil->since < mpispec_ticks_in(MPISPEC_PEER_CHECK_INTERVAL))
    return 0;
  vigil->since = now;
  return 1;
}
