/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts the messages that a rank gives to UCX for ranks of other nodes, and delays each. The
 * program is linked with this library ahead of UCX.
 *
 * UCX has an endpoint for each receiver. While `transport_calibrates` has the number of a rank, the
 * program sends one message to this rank. Therefore the endpoint of this message is that of the
 * rank.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { MOST = 1024 };
static struct {
  const void *endpoint;
  int rank;
} known[MOST];
static int knowns;

int transport_calibrates = -1;        /* the rank that the next message goes to, or -1 */
unsigned char transport_is_far[MOST]; /* the ranks of other nodes */
long transport_messages;              /* to these ranks */
long transport_delay;                 /* microseconds for each of these messages */

static void note(const void *endpoint) {
  int i = 0;
  while (i < knowns && known[i].endpoint != endpoint)
    ++i;
  if (i == knowns && transport_calibrates >= 0 && knowns < MOST) {
    known[knowns].endpoint = endpoint;
    known[knowns++].rank = transport_calibrates;
  }
  if (i == knowns || !transport_is_far[known[i].rank])
    return;
  ++transport_messages;
  const struct timespec delay = {0, transport_delay * 1000};
  if (transport_delay)
    nanosleep(&delay, NULL);
}

#define COUNTED(NAME, PARAMETERS, ARGUMENTS)                                                       \
  void *NAME PARAMETERS {                                                                          \
    static void *(*next)PARAMETERS;                                                                \
    if (!next)                                                                                     \
      *(void **)&next = dlsym(RTLD_NEXT, #NAME);                                                   \
    note(endpoint);                                                                                \
    return next ARGUMENTS;                                                                         \
  }

COUNTED(ucp_tag_send_nbx,
        (void *endpoint, const void *bytes, size_t count, uint64_t tag, const void *parameters),
        (endpoint, bytes, count, tag, parameters))
COUNTED(ucp_tag_send_sync_nbx,
        (void *endpoint, const void *bytes, size_t count, uint64_t tag, const void *parameters),
        (endpoint, bytes, count, tag, parameters))
COUNTED(ucp_am_send_nbx,
        (void *endpoint, unsigned id, const void *header, size_t header_length, const void *bytes,
         size_t count, const void *parameters),
        (endpoint, id, header, header_length, bytes, count, parameters))
