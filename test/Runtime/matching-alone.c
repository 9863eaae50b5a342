/* Matching alone, against a model that keeps everything in two plain lists and searches from the
 * front, as the MPI standard words it. */
#include "p2p/matching.h"
#include "shm/cell.h"
#include "check.h"

#include <string.h>

enum { PEERS = 3, RECEIVES = 64, STEPS = 200000 };

struct mpispec_state mpispec_state;
static struct mpispec_matching matching;
static struct mpispec_reader readers[PEERS];
static struct mpispec_cell cells[1];
static int any_waits, any_is_kept;

static struct mpispec_reader *reader_of(int peer) {
  readers[peer].limit = readers[peer].end = cells + 1;
  return &readers[peer];
}

static void when_told(void) {
  const int any = mpispec_matching_awaits_any(&matching), kept = matching.unexpected_count != 0;
  CHECK(any_waits != any || any_is_kept != kept);
  any_waits = any;
  any_is_kept = kept;
}

/* The model: receives and messages in the order in which they came. */
static struct mpispec_receive receives[RECEIVES];
static int peers[RECEIVES], waiting[RECEIVES]; /* for each receive */
static int posted[RECEIVES], posted_count;
static struct {
  int peer;
  uint64_t key;
  unsigned number;
} messages[STEPS];
static int message_count;

static int fits(int receive, int peer, uint64_t key) {
  const int any_tag = receives[receive].wild != 0;
  return (peers[receive] == MPISPEC_ANY_PEER || peers[receive] == peer) &&
         mpispec_key_context(key) == mpispec_key_context(receives[receive].key) &&
         (any_tag || mpispec_key_tag(key) == mpispec_key_tag(receives[receive].key));
}

static void remove_posted(int i) {
  waiting[posted[i]] = 0;
  memmove(&posted[i], &posted[i + 1], (size_t)(--posted_count - i) * sizeof posted[0]);
}
static void remove_message(int i) {
  memmove(&messages[i], &messages[i + 1], (size_t)(--message_count - i) * sizeof messages[0]);
}

static void message_comes(unsigned number) {
  const int peer = rand() % PEERS;
  const uint64_t key = mpispec_key(1 + (uint32_t)rand() % 2, rand() % 3);
  int expected = 0;
  while (expected < posted_count && !fits(posted[expected], peer, key))
    ++expected;
  struct mpispec_receive *taken = mpispec_matching_take_posted(&matching, peer, key);
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
static void check_message(int receive, const struct mpispec_message *message) {
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
  while (free_one < RECEIVES && waiting[free_one])
    ++free_one;
  if (free_one == RECEIVES)
    return;
  struct mpispec_receive *receive = &receives[free_one];
  const int any_tag = rand() % 4 == 0, peer = rand() % 3 ? rand() % PEERS : MPISPEC_ANY_PEER;
  peers[free_one] = peer;
  receive->wild = any_tag ? UINT32_MAX : 0;
  receive->key = mpispec_key(1 + (uint32_t)rand() % 2, any_tag ? 0 : rand() % 3);
  struct mpispec_message *message = mpispec_matching_take(&matching, peer, receive);
  check_message(free_one, message);
  if (!message) {
    mpispec_matching_post(&matching, mpispec_matching_reader(&matching, peer), receive);
    posted[posted_count++] = free_one;
    waiting[free_one] = 1;
  }
  free(message);
}

static void receive_is_cancelled(void) {
  if (!posted_count)
    return;
  const int i = rand() % posted_count;
  const int receive = posted[i];
  mpispec_matching_withdraw(&matching, mpispec_matching_reader(&matching, peers[receive]),
                            &receives[receive]);
  remove_posted(i);
}

/* Lanes are shut, and any source is told of, exactly while something is queued. */
static void check_shut(void) {
  int queued[PEERS] = {0}, any = 0;
  for (int i = 0; i < posted_count; ++i) {
    const int peer = peers[posted[i]];
    *(peer == MPISPEC_ANY_PEER ? &any : &queued[peer]) = 1;
  }
  for (int i = 0; i < message_count; ++i)
    queued[messages[i].peer] = 1;
  for (int peer = 0; peer < PEERS; ++peer)
    CHECK(!readers[peer].limit == queued[peer]);
  CHECK(any_waits == any && any_is_kept == (message_count > 0));
}

int main(void) {
  CHECK(mpispec_matching_open(&matching, PEERS, reader_of, when_told));
  for (unsigned step = 0; step < STEPS; ++step) {
    check_shut();
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
  CHECK((int)mpispec_state.posted == posted_count);
  CHECK((int)matching.unexpected_count == message_count);
  mpispec_matching_close(&matching);
  return passed();
}

// It is built with the sanitizers below.
// UNSUPPORTED: sanitizer
// REQUIRES: clang-22
// RUN: %mpicc %include %s -o %t %runtime
// RUN: %t | FileCheck %s
// RUN: %sanitize %include -fsanitize=address,undefined %s %sources/p2p/matching.c -o %t.a
// RUN: %t.a | FileCheck %s
// CHECK: passed
