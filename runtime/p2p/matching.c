/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The posted and the unexpected queues. matching.h describes the rules. */
#include "p2p/matching.h"

#include <stdlib.h>
#include <string.h>

static void open_list(struct mpispec_reader *reader) {
  reader->first = NULL;
  reader->last = &reader->first;
  reader->unexpected = 0;
}

int mpispec_matching_open(struct mpispec_matching *matching, int peers,
                          struct mpispec_reader *(*reader_of)(int peer),
                          mpispec_matching_changed *on_change) {
  memset(matching, 0, sizeof *matching);
  matching->peers = peers;
  matching->on_change = on_change;
  matching->readers = calloc((size_t)peers, sizeof *matching->readers);
  matching->unexpected = calloc((size_t)peers, sizeof *matching->unexpected);
  if (!matching->readers || !matching->unexpected) {
    mpispec_matching_close(matching);
    return 0;
  }
  open_list(&matching->any);
  for (int peer = 0; peer < peers; ++peer)
    open_list(matching->readers[peer] = reader_of(peer));
  return 1;
}

void mpispec_matching_close(struct mpispec_matching *matching) {
  if (matching->unexpected)
    for (int peer = 0; peer < matching->peers; ++peer)
      for (struct mpispec_message *m = matching->unexpected[peer].first; m;) {
        struct mpispec_message *next = m->next;
        free(m);
        m = next;
      }
  free(matching->readers);
  free(matching->unexpected);
  memset(matching, 0, sizeof *matching);
}

/* Sets the limit of a reading end: null while anything is queued there. */
static void settle(struct mpispec_reader *reader) {
  reader->limit = reader->first || reader->unexpected ? NULL : reader->end;
}

void mpispec_matching_post(struct mpispec_matching *matching, struct mpispec_reader *reader,
                           struct mpispec_receive *receive) {
  const int is_any = reader == &matching->any, any_waits = mpispec_matching_awaits_any(matching);
  receive->order = is_any || any_waits ? ++matching->last_order : 0;
  receive->next = NULL;
  *reader->last = receive;
  reader->last = &receive->next;
  ++mpispec_state.posted;
  settle(reader);
  if (is_any && !any_waits)
    matching->on_change();
}

/* Removes the receive at `*link` from its list. */
static struct mpispec_receive *take_off(struct mpispec_matching *matching,
                                        struct mpispec_reader *reader,
                                        struct mpispec_receive **link) {
  struct mpispec_receive *receive = *link;
  *link = receive->next;
  if (!receive->next)
    reader->last = link;
  --mpispec_state.posted;
  settle(reader);
  if (reader == &matching->any && !reader->first)
    matching->on_change();
  return receive;
}

void mpispec_matching_withdraw(struct mpispec_matching *matching, struct mpispec_reader *reader,
                               struct mpispec_receive *receive) {
  struct mpispec_receive **link = &reader->first;
  while (*link != receive)
    link = &(*link)->next;
  take_off(matching, reader, link);
}

/* The address of the link to the first receive that fits, or of the null link at the end of the
 * list. */
static struct mpispec_receive **first_fit(struct mpispec_reader *reader, uint64_t key) {
  struct mpispec_receive **link = &reader->first;
  while (*link && !mpispec_fits(*link, key))
    link = &(*link)->next;
  return link;
}

struct mpispec_receive *mpispec_matching_take_posted(struct mpispec_matching *matching, int peer,
                                                     uint64_t key) {
  struct mpispec_reader *reader = matching->readers[peer];
  struct mpispec_receive **named = first_fit(reader, key);
  struct mpispec_receive **any = first_fit(&matching->any, key);
  if (*any && (!*named || (*any)->order < (*named)->order))
    return take_off(matching, &matching->any, any);
  return *named ? take_off(matching, reader, named) : NULL;
}

void mpispec_matching_add(struct mpispec_matching *matching, struct mpispec_message *message) {
  struct mpispec_message_list *list = &matching->unexpected[message->peer];
  message->next = NULL;
  *(list->last ? &list->last->next : &list->first) = message;
  list->last = message;
  if (!matching->unexpected_count++)
    matching->on_change();
  ++matching->readers[message->peer]->unexpected;
  settle(matching->readers[message->peer]);
}

/* Searches one peer's messages. If `take` is nonzero, takes the message off its list. */
static struct mpispec_message *search(struct mpispec_matching *matching, int peer,
                                      const struct mpispec_receive *wanted, int take) {
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
  if (!--matching->unexpected_count)
    matching->on_change();
  --matching->readers[peer]->unexpected;
  settle(matching->readers[peer]);
  return message;
}

static struct mpispec_message *search_peers(struct mpispec_matching *matching, int from,
                                            const struct mpispec_receive *wanted, int take) {
  if (!matching->unexpected_count)
    return NULL;
  if (from != MPISPEC_ANY_PEER)
    return search(matching, from, wanted, take);
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

struct mpispec_message *mpispec_matching_find(struct mpispec_matching *matching, int peer,
                                              const struct mpispec_receive *wanted) {
  return search_peers(matching, peer, wanted, 0);
}

struct mpispec_message *mpispec_matching_take(struct mpispec_matching *matching, int peer,
                                              const struct mpispec_receive *wanted) {
  return search_peers(matching, peer, wanted, 1);
}
