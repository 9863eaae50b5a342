/* Matching alone, against a model that keeps everything in two plain lists and searches from the
 * front, as the MPI standard words it. */
#include "p2p/matching.h"
#include "shm/cell.h"
#include "check.h"

#include <string.h>

enum { PEERS = 3, RECEIVES = 64, STEPS = 200000 };

static struct mpispec_matching matching;
static int told[PEERS + 1]; /* the last is for any */

static void when_told(int peer, int is_queued) {
  int *last = &told[peer == MPISPEC_ANY_PEER ? PEERS : peer];
  CHECK(*last != is_queued);
  *last = is_queued;
}

/* The model: receives and messages in the order in which they came. */
static struct mpispec_posted receives[RECEIVES];
static int posted[RECEIVES], posted_count;
static struct {
  int peer;
  uint64_t key;
  unsigned number;
} messages[STEPS];
static int message_count;

static int fits(const struct mpispec_posted *receive, int peer, uint64_t key) {
  return (receive->peer == MPISPEC_ANY_PEER || receive->peer == peer) &&
         (key & receive->mask) == receive->key;
}

static void remove_posted(int i) {
  memmove(&posted[i], &posted[i + 1], (size_t)(--posted_count - i) * sizeof posted[0]);
}
static void remove_message(int i) {
  memmove(&messages[i], &messages[i + 1], (size_t)(--message_count - i) * sizeof messages[0]);
}

static void message_comes(unsigned number) {
  const int peer = rand() % PEERS;
  const uint64_t key = mpispec_key(1 + (uint32_t)rand() % 2, rand() % 3);
  int expected = 0;
  while (expected < posted_count && !fits(&receives[posted[expected]], peer, key))
    ++expected;
  struct mpispec_posted *taken = mpispec_matching_take_posted(&matching, peer, key);
  if (expected < posted_count) {
    CHECK(taken == &receives[posted[expected]]);
    remove_posted(expected);
    return;
  }
  CHECK(!taken);
  struct mpispec_message *message = calloc(1, sizeof *message);
  message->peer = peer;
  message->key = key;
  message->word[0] = number;
  mpispec_matching_add(&matching, message);
  messages[message_count].peer = peer;
  messages[message_count].key = key;
  messages[message_count++].number = number;
}

/* From any source, MPI leaves open whose message comes first: it must be the first of its peer. */
static void check_message(const struct mpispec_posted *receive,
                          const struct mpispec_message *message) {
  int i = 0;
  if (!message) {
    for (; i < message_count; ++i)
      CHECK(!fits(receive, messages[i].peer, messages[i].key));
    return;
  }
  while (messages[i].peer != message->peer || !fits(receive, messages[i].peer, messages[i].key))
    ++i;
  CHECK(messages[i].number == message->word[0]);
  remove_message(i);
}

static void receive_comes(void) {
  int free_one = 0;
  while (free_one < RECEIVES && receives[free_one].waiting)
    ++free_one;
  if (free_one == RECEIVES)
    return;
  struct mpispec_posted *receive = &receives[free_one];
  const int any_tag = rand() % 4 == 0;
  receive->peer = rand() % 3 ? rand() % PEERS : MPISPEC_ANY_PEER;
  receive->mask = any_tag ? ~(uint64_t)UINT32_MAX : ~UINT64_C(0);
  receive->key = mpispec_key(1 + (uint32_t)rand() % 2, rand() % 3) & receive->mask;
  struct mpispec_message *message = mpispec_matching_take(&matching, receive);
  check_message(receive, message);
  if (!message) {
    mpispec_matching_post(&matching, receive);
    posted[posted_count++] = free_one;
  }
  free(message);
}

static void receive_is_cancelled(void) {
  if (!posted_count)
    return;
  const int i = rand() % posted_count;
  mpispec_matching_withdraw(&matching, &receives[posted[i]]);
  remove_posted(i);
}

static void check_told(void) {
  int expected[PEERS + 1] = {0};
  for (int i = 0; i < posted_count; ++i) {
    const int peer = receives[posted[i]].peer;
    expected[peer == MPISPEC_ANY_PEER ? PEERS : peer] = 1;
  }
  for (int i = 0; i < message_count; ++i)
    expected[messages[i].peer] = 1;
  CHECK(!memcmp(told, expected, sizeof told));
}

int main(void) {
  CHECK(mpispec_matching_open(&matching, PEERS, when_told));
  for (unsigned step = 0; step < STEPS; ++step) {
    check_told();
    switch (rand() % 9) {
    case 0:
      receive_is_cancelled();
      break;
    case 1:
    case 2:
    case 3:
    case 4:
      receive_comes();
      break;
    default:
      if (message_count < 40)
        message_comes(step);
    }
  }
  CHECK((int)matching.posted_count == posted_count);
  CHECK((int)matching.unexpected_count == message_count);
  mpispec_matching_close(&matching);
  return passed();
}

// RUN: %mpicc %include %s -o %t %runtime
// RUN: %t | FileCheck %s
// RUN: %sanitize %include -fsanitize=address,undefined %s %sources/p2p/matching.c -o %t.a
// RUN: %t.a | FileCheck %s
// CHECK: passed
