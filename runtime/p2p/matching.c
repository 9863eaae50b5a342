/* The posted and the unexpected queues. matching.h says the rules. */
#include "p2p/matching.h"

#include <stdlib.h>
#include <string.h>

int mpispec_matching_open(struct mpispec_matching *matching, int peers,
                          mpispec_matching_tell *tell) {
  memset(matching, 0, sizeof *matching);
  matching->peers = peers;
  matching->tell = tell;
  matching->queued = calloc((size_t)peers + 1, sizeof *matching->queued);
  matching->posted = calloc((size_t)peers + 1, sizeof *matching->posted);
  matching->unexpected = calloc((size_t)peers, sizeof *matching->unexpected);
  if (matching->posted && matching->unexpected && matching->queued)
    return 1;
  mpispec_matching_close(matching);
  return 0;
}

void mpispec_matching_close(struct mpispec_matching *matching) {
  if (matching->unexpected)
    for (int peer = 0; peer < matching->peers; ++peer)
      for (struct mpispec_message *m = matching->unexpected[peer].first; m;) {
        struct mpispec_message *next = m->next;
        free(m);
        m = next;
      }
  free(matching->queued);
  free(matching->posted);
  free(matching->unexpected);
  memset(matching, 0, sizeof *matching);
}

static int place_of(const struct mpispec_matching *matching, int peer) {
  return peer == MPISPEC_ANY_PEER ? matching->peers : peer;
}

static struct mpispec_posted_list *list_of(struct mpispec_matching *matching, int peer) {
  return &matching->posted[place_of(matching, peer)];
}

static void count_one_more(struct mpispec_matching *matching, int peer) {
  if (!matching->queued[place_of(matching, peer)]++)
    matching->tell(peer, 1);
}

static void count_one_less(struct mpispec_matching *matching, int peer) {
  if (!--matching->queued[place_of(matching, peer)])
    matching->tell(peer, 0);
}

void mpispec_matching_post(struct mpispec_matching *matching, struct mpispec_posted *posted) {
  struct mpispec_posted_list *list = list_of(matching, posted->peer);
  posted->order = matching->next_order++;
  posted->waiting = 1;
  posted->next = NULL;
  posted->previous = list->last;
  *(list->last ? &list->last->next : &list->first) = posted;
  list->last = posted;
  ++matching->posted_count;
  count_one_more(matching, posted->peer);
}

void mpispec_matching_withdraw(struct mpispec_matching *matching, struct mpispec_posted *posted) {
  struct mpispec_posted_list *list = list_of(matching, posted->peer);
  *(posted->previous ? &posted->previous->next : &list->first) = posted->next;
  *(posted->next ? &posted->next->previous : &list->last) = posted->previous;
  posted->waiting = 0;
  --matching->posted_count;
  count_one_less(matching, posted->peer);
}

static struct mpispec_posted *first_fit(struct mpispec_posted *posted, uint64_t key) {
  while (posted && !mpispec_fits(posted, key))
    posted = posted->next;
  return posted;
}

struct mpispec_posted *mpispec_matching_take_posted(struct mpispec_matching *matching, int peer,
                                                    uint64_t key) {
  struct mpispec_posted *named = first_fit(matching->posted[peer].first, key);
  struct mpispec_posted *any = first_fit(matching->posted[matching->peers].first, key);
  struct mpispec_posted *taken = !named || (any && any->order < named->order) ? any : named;
  if (taken)
    mpispec_matching_withdraw(matching, taken);
  return taken;
}

void mpispec_matching_add(struct mpispec_matching *matching, struct mpispec_message *message) {
  struct mpispec_message_list *list = &matching->unexpected[message->peer];
  message->next = NULL;
  *(list->last ? &list->last->next : &list->first) = message;
  list->last = message;
  ++matching->unexpected_count;
  count_one_more(matching, message->peer);
}

/* Searches one peer's messages; takes what it found off the list if `take`. */
static struct mpispec_message *search(struct mpispec_matching *matching, int peer,
                                      const struct mpispec_posted *wanted, int take) {
  struct mpispec_message_list *list = &matching->unexpected[peer];
  struct mpispec_message *before = NULL;
  struct mpispec_message *message = list->first;
  for (; message && !mpispec_fits(wanted, message->key); message = message->next)
    before = message;
  if (!message || !take)
    return message;
  *(before ? &before->next : &list->first) = message->next;
  if (list->last == message)
    list->last = before;
  --matching->unexpected_count;
  count_one_less(matching, peer);
  return message;
}

static struct mpispec_message *search_peers(struct mpispec_matching *matching,
                                            const struct mpispec_posted *wanted, int take) {
  if (!matching->unexpected_count)
    return NULL;
  if (wanted->peer != MPISPEC_ANY_PEER)
    return search(matching, wanted->peer, wanted, take);
  for (int i = 0; i < matching->peers; ++i) {
    const int peer = (matching->next_peer + i) % matching->peers;
    struct mpispec_message *message = search(matching, peer, wanted, take);
    if (!message)
      continue;
    if (take)
      matching->next_peer = (peer + 1) % matching->peers;
    return message;
  }
  return NULL;
}

struct mpispec_message *mpispec_matching_find(struct mpispec_matching *matching,
                                              const struct mpispec_posted *wanted) {
  return search_peers(matching, wanted, 0);
}

struct mpispec_message *mpispec_matching_take(struct mpispec_matching *matching,
                                              const struct mpispec_posted *wanted) {
  return search_peers(matching, wanted, 1);
}
