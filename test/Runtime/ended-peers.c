/* Rank 1 ends in the middle of the job, and its launcher lets rank 0 go on. After a second, calls that wait for rank
 * 1 return MPI_ERR_PROC_ABORTED, and one line names it. Earlier messages of rank 1 are received. A rank that is only
 * stopped has not ended.
 *
 *   ended-peers WAY      the call in which rank 0 waits */
#include "check.h"
#include "comm/communicator.h"
#include "job/node.h"
#include "p2p/block.h"
#include "shm/shm.h"

#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

enum { TAG = 4, LONG = 1 << 20, STOPPED_MS = 2500 };

static int rank, process;
static int numbers[LONG], others[LONG];
static MPI_Request requests[3];

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Rank 0 exits, because the library's MPI_Finalize would wait for rank 1. */
static void is_aborted(int error) {
  int class;
  MPI_Error_class(error, &class);
  CHECK(class == MPI_ERR_PROC_ABORTED);
}

/* --- what rank 0 waits for: a row each ---------------------------------------------------------*/

static int recv(void) { return MPI_Recv(numbers, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static int recv_gaps(void) {
  MPI_Datatype gaps;
  MPI_Type_vector(40, 1, 2, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  return MPI_Recv(numbers, 1, gaps, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
/* While rank 1 exists its memory can be read. */
static int recv_long(void) {
  while (!kill(process, 0))
    usleep(1000);
  return MPI_Recv(numbers, LONG, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static int ssend(void) { return MPI_Ssend(numbers, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD); }
static int send_long(void) { return MPI_Send(numbers, LONG, MPI_INT, 1, TAG, MPI_COMM_WORLD); }
static int sendrecv(void) {
  return MPI_Sendrecv(numbers, 1, MPI_INT, 1, TAG, others, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static int probe(void) { return MPI_Probe(1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static int mprobe(void) {
  MPI_Message message;
  return MPI_Mprobe(1, TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
}
static int recv_any(void) {
  return MPI_Recv(numbers, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static int probe_any(void) { return MPI_Probe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static int test_until_done(void) {
  int done = 0, error = MPI_SUCCESS;
  while (!done && !error)
    error = MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
  return error;
}
static int test_recv(void) {
  MPI_Irecv(numbers, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &requests[0]);
  return test_until_done();
}
static int test_any(void) {
  MPI_Irecv(numbers, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &requests[0]);
  return test_until_done();
}
static int test_send(void) {
  MPI_Isend(numbers, LONG, MPI_INT, 1, TAG, MPI_COMM_WORLD, &requests[0]);
  return test_until_done();
}
static void post(void) {
  MPI_Irecv(&numbers[0], 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Issend(&numbers[1], 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(others, LONG, MPI_INT, 1, TAG, MPI_COMM_WORLD, &requests[2]);
}
static int waitall(void) {
  MPI_Status statuses[3];
  post();
  CHECK(MPI_Waitall(3, requests, statuses) == MPI_ERR_IN_STATUS);
  for (int i = 0; i < 3; ++i)
    is_aborted(statuses[i].MPI_ERROR);
  return statuses[0].MPI_ERROR;
}
static int waitany(void) {
  int index, error = MPI_SUCCESS;
  post();
  for (int i = 0; i < 3; ++i)
    is_aborted(error = MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE));
  return error;
}
static int waitsome(void) {
  MPI_Status statuses[3];
  int count, indices[3];
  post();
  CHECK(MPI_Waitsome(3, requests, &count, indices, statuses) == MPI_ERR_IN_STATUS);
  CHECK(count >= 1);
  return statuses[0].MPI_ERROR;
}
static int persistent(void) {
  MPI_Recv_init(numbers, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Start(&requests[0]);
  const int error = MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  CHECK(requests[0] != MPI_REQUEST_NULL);
  MPI_Request_free(&requests[0]);
  return error;
}
static int barrier(void) { return MPI_Barrier(MPI_COMM_WORLD); }
static int bcast(void) { return MPI_Bcast(numbers, 1, MPI_INT, 1, MPI_COMM_WORLD); }
static int allreduce(void) { return MPI_Allreduce(numbers, others, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); }
static int alltoall(void) {
  return MPI_Alltoall(numbers, LONG / 2, MPI_INT, others, LONG / 2, MPI_INT, MPI_COMM_WORLD);
}

/* --- how rank 1 ends ---------------------------------------------------------------------------*/

static void say_nothing(void) {}
static void start_long(void) {
  MPI_Isend(others, LONG, MPI_INT, 0, TAG, MPI_COMM_WORLD, &requests[0]);
}

/* The first cell of a message of several. */
static void write_half(void) {
  struct mpispec_outgoing *lane = &mpispec_shm.outgoing[0];
  CHECK(mpispec_lane_reserve(lane, 4));
  lane->end.next->header = mpispec_header(MPISPEC_INLINE, 1, 160);
  mpispec_lane_publish(lane, mpispec_key(mpispec_communicator_find(MPI_COMM_WORLD)->context.id, TAG));
}

/* A block that is never filled. */
static void lend_empty(void) {
  struct mpispec_outgoing *lane = &mpispec_shm.outgoing[0];
  const struct mpispec_call call = {.bytes = 40000};
  uint64_t words[2];
  CHECK(mpispec_block_lend(&call, words).offset);
  CHECK(mpispec_lane_reserve(lane, 1));
  lane->end.next->header = mpispec_header(MPISPEC_BLOCK, 1, 40000);
  memcpy(lane->end.next->payload, words, sizeof words);
  mpispec_lane_publish(lane, mpispec_key(mpispec_communicator_find(MPI_COMM_WORLD)->context.id, TAG));
}

static const struct way {
  const char *name;
  int (*wait)(void);
  void (*end)(void);
} ways[] = {
    {"recv", recv, say_nothing},
    {"recv-long", recv_long, start_long},
    {"recv-half", recv_long, write_half},
    {"recv-half-gaps", recv_gaps, write_half},
    {"recv-block", recv_long, lend_empty},
    {"ssend", ssend, say_nothing},
    {"send-long", send_long, say_nothing},
    {"sendrecv", sendrecv, say_nothing},
    {"probe", probe, say_nothing},
    {"mprobe", mprobe, say_nothing},
    {"waitall", waitall, say_nothing},
    {"waitany", waitany, say_nothing},
    {"waitsome", waitsome, say_nothing},
    {"persistent", persistent, say_nothing},
    {"recv-any", recv_any, say_nothing},
    {"probe-any", probe_any, say_nothing},
    {"test-recv", test_recv, say_nothing},
    {"test-any", test_any, say_nothing},
    {"test-send", test_send, say_nothing},
    {"barrier", barrier, say_nothing},
    {"bcast", bcast, say_nothing},
    {"allreduce", allreduce, say_nothing},
    {"alltoall", alltoall, say_nothing},
};

static const struct way *way_named(const char *name) {
  for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; ++i)
    if (!strcmp(ways[i].name, name))
      return &ways[i];
  CHECK(!"such a way");
  return NULL;
}

/* --- both ranks --------------------------------------------------------------------------------*/

static void exchange(int tag) {
  int mine = rank, got = -1;
  MPI_Sendrecv(&mine, 1, MPI_INT, 1 - rank, tag, &got, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(got == 1 - rank);
}

static void end(const struct way *way) {
  int last = 5;
  exchange(1);
  if (rank == 1) {
    MPI_Send(&last, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    way->end();
    kill(getpid(), SIGKILL);
  }
  const double begin = seconds();
  is_aborted(way->wait());
  CHECK(seconds() - begin > 0.7);
  last = 0;
  MPI_Recv(&last, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(last == 5);
  is_aborted(recv());
}

/* Rank 1 stops for longer than a wait lasts before it doubts. */
static void stop(void) {
  exchange(1);
  if (rank == 1) {
    raise(SIGSTOP);
    exchange(3);
    MPI_Barrier(MPI_COMM_WORLD);
    return;
  }
  if (!fork()) {
    usleep(STOPPED_MS * 1000);
    kill(process, SIGCONT);
    _exit(0);
  }
  const double begin = seconds();
  exchange(3);
  CHECK(seconds() - begin > STOPPED_MS / 2000.0);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  CHECK(argc == 2);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK(mpispec_node.size == 2);
  process = getpid();
  MPI_Bcast(&process, 1, MPI_INT, 1, MPI_COMM_WORLD);
  if (!strcmp(argv[1], "stop")) {
    stop();
    MPI_Finalize();
  } else if (!strcmp(argv[1], "fatal")) {
    exchange(1);
    if (rank == 1)
      kill(getpid(), SIGKILL);
    recv();
    CHECK(!"reached");
  } else {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    end(way_named(argv[1]));
  }
  if (rank == 0)
    tell("passed");
  _exit(0);
}

// REQUIRES: mpich
// UNSUPPORTED: sanitizer
//
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %mpicc -fPIC -shared %tool/hide.c -o %t.hide.so
// DEFINE: %{job} = env MPISPEC_MODE=lanes MPIEXEC_TIMEOUT=30 mpiexec -n 2 %tool/outlive.sh
// Each way takes more than a second of waiting, therefore several run at once.
// RUN: printf '%%s\n' recv recv-half send-long mprobe waitany recv-any test-any barrier alltoall \
// RUN:   %if !quick %{ recv-long recv-half-gaps recv-block ssend sendrecv probe waitall waitsome persistent probe-any \
// RUN:     test-recv test-send bcast allreduce %} | xargs -P5 -I@ \
// RUN:   sh -c '%{job} %t @ >%t.@.out 2>&1; FileCheck %s <%t.@.out || { echo way @; exit 1; }'
// CHECK: mpispec: rank 1 (process {{[0-9]+}}) has ended: calls that wait for it fail
// CHECK-NOT: has ended
// CHECK: passed
//
// A rank for which nobody waits; a system without pidfds, and one that shows no zombie: that rank counts as alive.
// RUN: env ZOMBIE=1 %{job} %t recv >%t.out 2>&1; FileCheck %s <%t.out
// RUN: env ZOMBIE=1 %{job} env LD_PRELOAD=%t.hide.so HIDE=pidfd %t recv >%t.out 2>&1; FileCheck %s <%t.out
// RUN: %{job} env LD_PRELOAD=%t.hide.so HIDE=pidfd %t recv >%t.out 2>&1; FileCheck %s <%t.out
// RUN: not env ZOMBIE=1 MPISPEC_MODE=lanes MPIEXEC_TIMEOUT=5 mpiexec -n 2 %tool/outlive.sh env LD_PRELOAD=%t.hide.so \
// RUN:   HIDE=pidfd,proc %t recv >%t.out 2>&1
// RUN: FileCheck --allow-empty --check-prefix=HIDDEN %s <%t.out
// HIDDEN-NOT: has ended
//
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t stop >%t.out 2>&1; FileCheck --check-prefix=STOPPED %s <%t.out
// STOPPED-NOT: has ended
// STOPPED: passed
//
// The default error handler ends the job.
// RUN: not %{job} %t fatal >%t.out 2>&1
// RUN: FileCheck --check-prefix=FATAL %s <%t.out
// FATAL: has ended
// FATAL-NOT: reached
