/* The ways in which long messages' bytes go are those that MPISPEC_LONG_MESSAGES names, as far as
 * the system permits: by the counters of both ranks. Every byte of a message is counted once,
 * whoever copies it, and what is put into pipes is taken out.
 *
 *   long-messages-ways <names of checks>... */
#include "long-message.h"
#include "p2p/rendezvous.h"

#include <fcntl.h>

enum { BYTES = 1024 * KIB + 24, ROUNDS = 20, TRIES = 2000 };

enum { FILLED, EMPTIED, PULLED, PUSHED, COUNTS };
struct counts {
  uint64_t of[COUNTS];
};

static struct counts counts_now(void) {
  struct counts mine = {{mpispec_rendezvous_counts.filled, mpispec_rendezvous_counts.emptied,
                         mpispec_rendezvous_counts.pulled, mpispec_rendezvous_counts.pushed}};
  struct counts all;
  MPI_Allreduce(mine.of, all.of, COUNTS, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

static void one_way_to(enum receive_way way, struct layout out, struct layout in) {
  ++number;
  if (rank == 0)
    send(SEND, BYTES, out, 1, 5);
  else
    receive(way, BYTES, in, 0, 5);
}

static void one_way(struct layout out, struct layout in) { one_way_to(RECV, out, in); }

/* The receiver is in no call that waits for the message. */
static void to_one_that_tests(struct layout out, struct layout in) {
  one_way_to(TESTED_RECV, out, in);
}

static void both_ways(struct layout out, struct layout in) {
  ++number;
  struct receiving r = receive_start(BYTES, in, left, 6);
  send(ISEND, BYTES, out, right, 6);
  MPI_Wait(&r.request, &r.status);
  receive_check(&r, left);
}

typedef void exchange(struct layout out, struct layout in);

/* The numbers of bytes of some messages that went each way. */
static struct counts counted(exchange *exchange, struct layout out, struct layout in) {
  const struct counts before = counts_now();
  for (int i = 0; i < ROUNDS; ++i)
    exchange(out, in);
  struct counts counts = counts_now();
  for (int i = 0; i < COUNTS; ++i)
    counts.of[i] -= before.of[i];
  const uint64_t bytes = (uint64_t)BYTES * ROUNDS * (exchange == both_ways ? 2 : 1);
  CHECK(counts.of[FILLED] == counts.of[EMPTIED]);
  CHECK(counts.of[FILLED] + counts.of[PULLED] + counts.of[PUSHED] >= bytes);
  return counts;
}

static struct counts once(exchange *exchange) {
  const struct counts counts = counted(exchange, dense, dense);
  const uint64_t bytes = (uint64_t)BYTES * ROUNDS * (exchange == both_ways ? 2 : 1);
  CHECK(counts.of[FILLED] + counts.of[PULLED] + counts.of[PUSHED] == bytes);
  return counts;
}

/* --- what the ways are -------------------------------------------------------------------------*/

/* Both ranks copy; on a busy machine not in every message. */
static void shared(void) {
  uint64_t pulled = 0, pushed = 0;
  for (int i = 0; i < TRIES && !(i && pulled && pushed); ++i) {
    const struct counts one = once(one_way), both = once(both_ways);
    CHECK(!one.of[FILLED] && !both.of[FILLED]);
    pulled += one.of[PULLED];
    pushed += one.of[PUSHED];
  }
  CHECK(pulled && pushed);
}

/* A rank that is left alone pulls or pushes; two that wait do not. */
static void pipe_is_filled(void) {
  uint64_t filled = 0, others = 0;
  for (int i = 0; i < TRIES && !(i && filled > others); ++i) {
    const struct counts one = once(one_way), both = once(both_ways);
    filled = one.of[FILLED] < both.of[FILLED] ? one.of[FILLED] : both.of[FILLED];
    others = one.of[PULLED] + one.of[PUSHED];
  }
  CHECK(filled > others);
}

/* On a busy machine a sender may be away from each of some messages: then none is filled. */
static void fills(exchange *exchange, struct layout out, struct layout in) {
  uint64_t filled = 0;
  for (int i = 0; i < TRIES && !filled; ++i)
    filled = counted(exchange, out, in).of[FILLED];
  CHECK(filled);
}

/* Datatypes with gaps go by the pipe, whatever is wished; unless they leave in one block, as those
 * of senders that do not wait. */
static void types(void) {
  fills(one_way, gaps[0], dense);
  fills(one_way, dense, gaps[2]);
  fills(one_way, gaps[1], gaps[3]);
  fills(both_ways, dense, gaps[3]);
}

/* The system lets nobody write. */
static void pulled(void) {
  const struct counts one = once(one_way), both = once(both_ways);
  CHECK(one.of[PULLED] == (uint64_t)BYTES * ROUNDS);
  CHECK(both.of[PULLED] == (uint64_t)BYTES * ROUNDS * 2);
}

/* The sender pushes to a receiver that tests, too, */
static void tested(void) {
  uint64_t pushed = 0;
  for (int i = 0; i < TRIES && !pushed; ++i)
    pushed = once(to_one_that_tests).of[PUSHED];
  CHECK(pushed);
}

/* but not on an old kernel, where the bytes may get lost if the receiver forks. Nor does it push there if another
 * thread of the receiver may fork while it waits (`funneled pulled`). */
static void awaited(void) {
  CHECK(!once(to_one_that_tests).of[PUSHED]);
  shared();
}

/* Some programs close all descriptors that they have not opened, and open files, which stay open. */
static int opened = -1;

static void closed(void) {
  char path[64], target[64] = "";
  shared();
  for (int file = 3; file < 1000; ++file) {
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    if (!strstr(target, "pidfd"))
      continue;
    close(file);
    CHECK(open("/dev/null", O_RDONLY) == file);
    opened = file;
  }
  CHECK(opened > 0);
  shared();
}

/* The system refuses everything, */
static void refused(void) {
  const struct counts one = once(one_way), both = once(both_ways);
  CHECK(one.of[FILLED] == (uint64_t)BYTES * ROUNDS);
  CHECK(both.of[FILLED] == (uint64_t)BYTES * ROUNDS * 2);
}

/* or does so from some time on: what was refused is copied again. */
static void given_up(void) {
  counted(one_way, dense, dense);
  counted(both_ways, dense, dense);
}

int main(int argc, char **argv) {
  int level;
  static const struct {
    const char *name;
    void (*check)(void);
  } checks[] = {{"shared", shared}, {"pipe", pipe_is_filled}, {"types", types},
                {"pulled", pulled}, {"refused", refused},     {"given-up", given_up},
                {"tested", tested}, {"awaited", awaited},     {"closed", closed}};
  if (argc > 1 && !strcmp(argv[1], "funneled"))
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  else
    MPI_Init(&argc, &argv);
  long_messages_begin();
  for (int i = 1; i < argc; ++i)
    for (unsigned k = 0; k < sizeof checks / sizeof *checks; ++k)
      if (!strcmp(argv[i], checks[k].name))
        checks[k].check();
  MPI_Finalize();
  CHECK(opened < 0 || fcntl(opened, F_GETFD) >= 0);
  long_messages_end();
  if (rank == 0)
    passed();
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// DEFINE: %{long} = env MPISPEC_MODE=lanes MPISPEC_LONG_MESSAGES
// RUN: %{long}=shared %mpirun -n 2 %t shared tested types | FileCheck %s
// RUN: %{long}=shared %mpirun -n 2 %t funneled shared | FileCheck %s
// RUN: %{long}=shared %mpirun -n 2 %t closed | FileCheck %s
// RUN: %{long}=pipe %mpirun -n 2 %t pipe types | FileCheck %s
// DEFINE: %{refuse} = env LD_PRELOAD=%t.refuse.so REFUSE
// DEFINE: %{refused} = %{long}=shared %mpirun -n 2 %{refuse}
// RUN: %if !sanitizer %{ %mpicc -fPIC -shared %tool/refuse.c -o %t.refuse.so && \
// RUN:   %{refused}=new-kernel %t awaited types | FileCheck %s && \
// RUN:   %{refused}=new-kernel %t funneled pulled types | FileCheck %s && \
// RUN:   %{refused}=writev %t pulled types | FileCheck %s && \
// RUN:   %{refused}=readv %t refused types | FileCheck %s && \
// RUN:   %{refused}=writev-later %t given-up types | FileCheck %s && \
// RUN:   %{refused}=readv-later %t given-up types | FileCheck %s && \
// RUN:   %{refused}=readv-later REFUSE_ERROR=3 %t given-up | FileCheck %s && \
// RUN:   %{refused}=writev-later REFUSE_ERROR=38 %t given-up | FileCheck %s && \
// RUN:   %{long}=pipe %mpirun -n 2 %{refuse}=readv-later %t given-up types | FileCheck %s && \
// RUN:   %{refused}=readv-more %t shared | FileCheck %s && \
// RUN:   %{refused}=writev-more %t shared types | FileCheck %s %}
//
// Under valgrind nobody writes. Valgrind is known by what it preloads.
// RUN: %if !sanitizer %{ cp %t.refuse.so %t.vgpreload.so && \
// RUN:   %{long}=shared %mpirun -n 2 env LD_PRELOAD=%t.vgpreload.so %t pulled types | FileCheck %s %}
//
// Yama: ranks permit it to descendants of their launcher, if that is known. MPISPEC_PTRACER permits it to all processes,
// until MPI_Finalize. Intel MPI permits it to the descendants of each rank's parent, which may be a shell.
// DEFINE: %{yama} = env LD_PRELOAD=%t.yama.so YAMA=%t.permits
// RUN: %if !sanitizer %{ %mpicc -fPIC -shared %tool/yama.c -o %t.yama.so && \
// RUN:   rm -rf %t.permits && mkdir %t.permits && \
// RUN:   %{long}=shared YAMA_FOR_ALL=1 %mpirun -n 2 %{yama} %t refused | FileCheck %s && \
// RUN:   %{long}=shared %mpirun -n 2 %{yama} sh -c '"$@"; exit $?' rank %t %if intel %{ refused %} %else %{ shared %} | FileCheck %s && \
// RUN:   rm -rf %t.permits && mkdir %t.permits && \
// RUN:   %{long}=shared MPISPEC_PTRACER=1 %mpirun -n 2 %{yama} %t shared | FileCheck %s && \
// RUN:   rmdir %t.permits %}
// CHECK: passed
