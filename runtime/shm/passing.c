/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sends descriptors in datagrams. See passing.h.
 *
 * The address of a rank's socket is abstract, and all users see it in /proc/net/unix. A datagram
 * contains the random number of its sender's segment, which only ranks of the job have. The
 * socket's address does not reveal this number. That address contains only the exclusive or of the
 * number and the address at which the rank has mapped its own segment. Therefore no other process
 * can send a descriptor that is accepted. Descriptors are also tested when they are mapped
 * (segment.c).
 *
 * No call blocks: two ranks whose queues are full would wait for each other. */
#define _GNU_SOURCE
#include "shm/passing.h"

#include "progress/tuning.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

uint64_t mpispec_namespace(const char *kind) {
  char path[32];
  struct stat status;
  snprintf(path, sizeof path, "/proc/self/ns/%s", kind);
  return stat(path, &status) ? 0 : status.st_ino;
}

struct datagram {
  int64_t rank;
  uint64_t random;
};

union control {
  char bytes[CMSG_SPACE(2 * sizeof(int))];
  struct cmsghdr header;
};

static socklen_t write_name(struct sockaddr_un *name, const struct mpispec_segment_address *of) {
  *name = (struct sockaddr_un){.sun_family = AF_UNIX}; /* abstract: sun_path begins with a zero */
  const int length = snprintf(name->sun_path + 1, sizeof name->sun_path - 1,
                              "mpispec.segment.%016" PRIx64, of->random ^ of->base);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static int open_socket(const struct mpispec_segment_address *own) {
  struct sockaddr_un name;
  const socklen_t length = write_name(&name, own);
  const int end = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (end >= 0 && !bind(end, (struct sockaddr *)&name, length))
    return end;
  if (end >= 0)
    close(end);
  return -1;
}

static int open_own_process(void) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, getpid(), 0);
#else
  return -1;
#endif
}

/* --- one datagram ------------------------------------------------------------------------------*/

/* Not the C library's functions, because a program may define functions with these names. */
static ssize_t send_message(int end, const struct msghdr *message) {
  return syscall(SYS_sendmsg, end, message, MSG_NOSIGNAL);
}
static ssize_t receive_message(int end, struct msghdr *message) {
  return syscall(SYS_recvmsg, end, message, MSG_CMSG_CLOEXEC);
}

/* `process` is -1 if the system has no pidfd. Returns 0 with errno set if nothing was sent. */
static int send_to(int end, const struct mpispec_segment_address *peer, struct datagram datagram,
                   const int descriptors[2]) {
  struct sockaddr_un name;
  union control control = {{0}};
  struct iovec text = {&datagram, sizeof datagram};
  const size_t count = descriptors[1] < 0 ? 1 : 2;
  struct msghdr message = {.msg_name = &name,
                           .msg_namelen = write_name(&name, peer),
                           .msg_iov = &text,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = CMSG_SPACE(count * sizeof(int))};
  control.header.cmsg_level = SOL_SOCKET;
  control.header.cmsg_type = SCM_RIGHTS;
  control.header.cmsg_len = CMSG_LEN(count * sizeof(int));
  memcpy(CMSG_DATA(&control.header), descriptors, count * sizeof(int));
  return send_message(end, &message) == sizeof datagram;
}

/* The first two conditions end when the receiver reads, the third one when it opens its socket. */
static int is_worth_a_retry(int error) {
  return error == EAGAIN || error == ETOOMANYREFS || error == ECONNREFUSED || error == EINTR ||
         error == ENOBUFS;
}

static void close_all(const struct mpispec_passed *passed) {
  if (passed->segment >= 0)
    close(passed->segment);
  if (passed->process >= 0)
    close(passed->process);
}

/* Returns 0 if no datagram has arrived. Fills in -1 for each descriptor that the datagram does not
 * contain. */
static int receive(int end, struct datagram *datagram, struct mpispec_passed *passed) {
  union control control;
  int descriptors[2] = {-1, -1};
  struct iovec text = {datagram, sizeof *datagram};
  struct msghdr message = {.msg_iov = &text,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  datagram->rank = -1;
  const ssize_t bytes = receive_message(end, &message);
  if (bytes < 0)
    return 0;
  const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_type == SCM_RIGHTS)
    memcpy(descriptors, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
  *passed = (struct mpispec_passed){descriptors[0], descriptors[1]};
  if (bytes != sizeof *datagram)
    datagram->rank = -1;
  return 1;
}

/* --- all of them -------------------------------------------------------------------------------*/

struct exchange {
  const struct mpispec_segment_address *addresses;
  int ranks, rank, end;
  int descriptors[2];
  int sent, received; /* numbers of ranks */
  unsigned char *is_sent;
  struct mpispec_passed *passed;
};

/* Returns 0 with errno set if a rank cannot be reached. */
static int send_to_all(struct exchange *exchange) {
  const struct datagram own = {exchange->rank, exchange->addresses[exchange->rank].random};
  for (int peer = 0; peer < exchange->ranks; ++peer) {
    if (exchange->is_sent[peer])
      continue;
    if (send_to(exchange->end, &exchange->addresses[peer], own, exchange->descriptors))
      exchange->sent += exchange->is_sent[peer] = 1;
    else if (!is_worth_a_retry(errno))
      return 0;
  }
  return 1;
}

static int is_awaited(const struct exchange *exchange, struct datagram datagram,
                      const struct mpispec_passed *passed) {
  return datagram.rank >= 0 && datagram.rank < exchange->ranks && passed->segment >= 0 &&
         exchange->passed[datagram.rank].segment < 0 && datagram.rank != exchange->rank &&
         datagram.random == exchange->addresses[datagram.rank].random;
}

static void receive_all(struct exchange *exchange) {
  struct datagram datagram;
  struct mpispec_passed passed;
  while (receive(exchange->end, &datagram, &passed))
    if (is_awaited(exchange, datagram, &passed)) {
      exchange->passed[datagram.rank] = passed;
      ++exchange->received;
    } else {
      close_all(&passed);
    }
}

static time_t seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

static int run(struct exchange *exchange) {
  const time_t begin = seconds_now();
  struct pollfd more = {exchange->end, POLLIN, 0};
  while (send_to_all(exchange)) {
    receive_all(exchange);
    if (exchange->sent == exchange->ranks - 1 && exchange->received == exchange->ranks - 1)
      return 1;
    errno = ETIMEDOUT;
    if (seconds_now() - begin > MPISPEC_PASSING_TIMEOUT)
      return 0;
    poll(&more, 1, MPISPEC_PASSING_PAUSE);
  }
  return 0;
}

int mpispec_pass(const struct mpispec_segment_address addresses[], int ranks, int rank,
                 struct mpispec_passed passed[]) {
  struct exchange exchange = {.addresses = addresses,
                              .ranks = ranks,
                              .rank = rank,
                              .end = open_socket(&addresses[rank]),
                              .descriptors = {(int)addresses[rank].file, open_own_process()},
                              .is_sent = calloc((size_t)ranks, 1),
                              .passed = passed};
  for (int peer = 0; peer < ranks; ++peer)
    passed[peer] = (struct mpispec_passed){-1, -1};
  if (exchange.is_sent)
    exchange.is_sent[rank] = 1;
  const int done = exchange.is_sent && exchange.end >= 0 && run(&exchange);
  const int error = errno;
  for (int peer = 0; !done && peer < ranks; ++peer)
    close_all(&passed[peer]);
  if (exchange.end >= 0)
    close(exchange.end);
  if (exchange.descriptors[1] >= 0)
    close(exchange.descriptors[1]);
  free(exchange.is_sent);
  errno = error;
  return done;
}
