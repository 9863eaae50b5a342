/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sends descriptors in datagrams. See passing.h.
 *
 * All users see the name of a rank's socket, in /proc/net/unix or in /dev/shm. A datagram
 * contains the random number of its sender's segment, which only ranks of the job have. The
 * socket's name does not reveal this number. That name contains only the exclusive or of the
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

static int is_one_network(const struct mpispec_segment_address addresses[], int ranks) {
  for (int rank = 1; rank < ranks; ++rank)
    if (addresses[rank].socket_namespace != addresses[0].socket_namespace)
      return 0;
  return 1;
}

uint64_t mpispec_passing_directory(void) {
  struct stat status;
  return access("/dev/shm", W_OK | X_OK) || stat("/dev/shm", &status)
             ? 0
             : (uint64_t)status.st_dev << 32 ^ status.st_ino;
}

int mpispec_can_pass(const struct mpispec_segment_address addresses[], int ranks) {
  int is_one_directory = addresses[0].directory != 0;
  for (int rank = 1; rank < ranks; ++rank)
    is_one_directory &= addresses[rank].directory == addresses[0].directory;
  return is_one_directory || is_one_network(addresses, ranks);
}

/* An abstract name begins with a zero. */
static socklen_t write_name(struct sockaddr_un *name, const struct mpispec_segment_address *of,
                            int is_abstract) {
  *name = (struct sockaddr_un){.sun_family = AF_UNIX};
  const int length = snprintf(name->sun_path, sizeof name->sun_path,
                              "/dev/shm/mpispec.segment.%016" PRIx64, of->random ^ of->base);
  if (is_abstract)
    name->sun_path[0] = 0;
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)length + !is_abstract);
}

static int open_socket(const struct mpispec_segment_address *own, int is_abstract) {
  struct sockaddr_un name;
  const socklen_t length = write_name(&name, own, is_abstract);
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

/* System calls, because a program may define functions with the names of the C library's. */
static ssize_t send_message(int end, const struct msghdr *message) {
  return syscall(SYS_sendmsg, end, message, MSG_NOSIGNAL);
}
static ssize_t receive_message(int end, struct msghdr *message) {
  return syscall(SYS_recvmsg, end, message, MSG_CMSG_CLOEXEC);
}

/* `process` is -1 if the system has no pidfd. Returns 0 with errno set if nothing was sent. */
static int send_to(int end, const struct sockaddr_un *name, socklen_t name_length,
                   struct datagram datagram, const int descriptors[2]) {
  union control control = {{0}};
  struct iovec text = {&datagram, sizeof datagram};
  const size_t count = descriptors[1] < 0 ? 1 : 2;
  struct msghdr message = {.msg_name = (void *)(uintptr_t)name,
                           .msg_namelen = name_length,
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

/* The first two conditions end when the receiver reads, the next two when it opens its socket. */
static int is_worth_a_retry(int error) {
  return error == EAGAIN || error == ETOOMANYREFS || error == ECONNREFUSED || error == ENOENT ||
         error == EINTR || error == ENOBUFS;
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
  int ranks, rank, end, is_abstract;
  int descriptors[2];
  int sent, received; /* numbers of ranks */
  struct datagrams {
    unsigned char is_sent, is_received;
  } *datagrams;      /* to and from each rank */
  int is_incomplete; /* a datagram arrived without a segment */
  struct mpispec_passed *passed;
};

/* Returns 0 with errno set if a rank cannot be reached. */
static int send_to_all(struct exchange *exchange) {
  const struct datagram own = {exchange->rank, exchange->addresses[exchange->rank].random};
  for (int peer = 0; peer < exchange->ranks; ++peer) {
    if (exchange->datagrams[peer].is_sent)
      continue;
    struct sockaddr_un name;
    const socklen_t length = write_name(&name, &exchange->addresses[peer], exchange->is_abstract);
    if (send_to(exchange->end, &name, length, own, exchange->descriptors))
      exchange->sent += exchange->datagrams[peer].is_sent = 1;
    else if (!is_worth_a_retry(errno))
      return 0;
  }
  return 1;
}

static int is_awaited(const struct exchange *exchange, struct datagram datagram) {
  return datagram.rank >= 0 && datagram.rank < exchange->ranks &&
         !exchange->datagrams[datagram.rank].is_received &&
         datagram.random == exchange->addresses[datagram.rank].random;
}

static void receive_all(struct exchange *exchange) {
  struct datagram datagram;
  struct mpispec_passed passed;
  while (receive(exchange->end, &datagram, &passed))
    if (is_awaited(exchange, datagram)) {
      exchange->passed[datagram.rank] = passed;
      exchange->received += exchange->datagrams[datagram.rank].is_received = 1;
      exchange->is_incomplete |= passed.segment < 0;
    } else {
      close_all(&passed);
    }
}

static time_t seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

/* The system drops descriptors for which this process has no room (EMFILE). Then the exchange goes
 * on, because the other ranks wait for this one. */
static int run(struct exchange *exchange) {
  const time_t begin = seconds_now();
  struct pollfd more = {exchange->end, POLLIN, 0};
  while (send_to_all(exchange)) {
    receive_all(exchange);
    errno = EMFILE;
    if (exchange->sent == exchange->ranks - 1 && exchange->received == exchange->ranks - 1)
      return !exchange->is_incomplete;
    errno = ETIMEDOUT;
    if (seconds_now() - begin > MPISPEC_PASSING_TIMEOUT)
      return 0;
    poll(&more, 1, MPISPEC_PASSING_PAUSE);
  }
  return 0;
}

/* Called when no rank sends to this one any more, or when the exchange has failed. */
static void close_socket(const struct exchange *exchange) {
  struct sockaddr_un name;
  if (exchange->end < 0)
    return;
  close(exchange->end);
  write_name(&name, &exchange->addresses[exchange->rank], exchange->is_abstract);
  if (!exchange->is_abstract)
    unlink(name.sun_path);
}

int mpispec_pass(const struct mpispec_segment_address addresses[], int ranks, int rank,
                 struct mpispec_passed passed[]) {
  const int is_abstract = is_one_network(addresses, ranks);
  struct exchange exchange = {.addresses = addresses,
                              .ranks = ranks,
                              .rank = rank,
                              .end = open_socket(&addresses[rank], is_abstract),
                              .is_abstract = is_abstract,
                              .descriptors = {(int)addresses[rank].file, open_own_process()},
                              .datagrams = calloc((size_t)ranks, sizeof(struct datagrams)),
                              .passed = passed};
  for (int peer = 0; peer < ranks; ++peer)
    passed[peer] = (struct mpispec_passed){-1, -1};
  if (exchange.datagrams)
    exchange.datagrams[rank] = (struct datagrams){1, 1};
  const int done = exchange.datagrams && exchange.end >= 0 && run(&exchange);
  const int error = errno;
  for (int peer = 0; !done && peer < ranks; ++peer)
    close_all(&passed[peer]);
  close_socket(&exchange);
  if (exchange.descriptors[1] >= 0)
    close(exchange.descriptors[1]);
  free(exchange.datagrams);
  errno = error;
  return done;
}
