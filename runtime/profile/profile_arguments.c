/* See profile_arguments.h. */
#include "profile/profile_arguments.h"

#include "profile/batch.h"
#include "profile/profile_sites.h"
#include "profile/values.h"

/* The next call with these arguments looks its values up. */
static void forget_rows_of(struct mpispec_profile_known *known) {
  known->is_counted = known->is_open = 0;
  known->caller = NULL;
}

static void forget_rows(struct mpispec_profile_arguments *arguments) {
  for (int i = 0; i < MPISPEC_PROFILE_BATCHES; ++i)
    forget_rows_of(&arguments->known[i]);
}

static void add_batch(struct mpispec_profile_mapping *mapping,
                      struct mpispec_profile_known *known) {
  struct mpispec_profile_batch *batch = known->batch;
  if (!batch || !batch->calls)
    return;
  known->timed_at -= batch->calls;
  known->timed_last -= batch->calls;
  known->late_timed -= batch->late;
  mpispec_profile_batch_add(batch, known->site, mapping->peers, mapping->header->world_size);
}

/* The time of those that were not timed is left to the next of their size that is. */
static void close_batch(struct mpispec_profile_mapping *mapping,
                        struct mpispec_profile_known *known) {
  if (known->is_sampled) {
    *known->untimed += (uint32_t)(known->batch->calls - known->timed_last);
    known->timed_last = known->batch->calls;
  }
  add_batch(mapping, known);
}

void mpispec_profile_arguments_settle(struct mpispec_profile_mapping *mapping,
                                      struct mpispec_profile_arguments *arguments) {
  for (int i = 0; i < MPISPEC_PROFILE_BATCHES; ++i)
    add_batch(mapping, &arguments->known[i]);
}

/* Looks each value up. Rows may change hands: batches are added before, and then nothing that is
 * known is true any more. */
static __attribute__((noinline)) void look_up(struct mpispec_profile_mapping *mapping,
                                              struct mpispec_profile_site *site,
                                              struct mpispec_profile_arguments *arguments,
                                              struct mpispec_profile_known *known,
                                              const struct mpispec_profile_call *call) {
  const int world = mpispec_profile_world_rank(call->communicator, call->peer);
  const struct {
    struct mpispec_profile_values *values;
    int64_t value;
  } columns[MPISPEC_PROFILE_ARGUMENTS] = {
      {&site->peers, world >= 0 ? world : call->peer},
      {&site->tags, call->tag},
      {&site->lengths, (int64_t)call->bytes},
      {&site->datatypes, (int64_t)(intptr_t)call->datatype},
      {&site->communicators, (int64_t)(intptr_t)call->communicator}};
  mpispec_profile_arguments_settle(mapping, arguments);
  known->is_counted = 1;
  for (int i = 0; i < MPISPEC_PROFILE_ARGUMENTS; ++i) {
    if (mpispec_profile_count(columns[i].values, columns[i].value, call->bytes)) {
      forget_rows(arguments);
      if (columns[i].values == &site->datatypes && call->bytes &&
          call->datatype != MPI_DATATYPE_NULL) /* as a Gather, which has two */
        mpispec_profile_name_datatype(mapping, call->datatype);
    }
    known->rows[i] = mpispec_profile_row(columns[i].values, columns[i].value);
    if (!known->rows[i])
      known->is_counted = 0;
  }
  known->in_world =
      world >= 0 && world < (int)mapping->header->world_size ? &mapping->peers[world] : NULL;
}

/* Other arguments have been in this place. */
static __attribute__((noinline)) void begin(struct mpispec_profile_mapping *mapping,
                                            struct mpispec_profile_site *site,
                                            struct mpispec_profile_arguments *arguments,
                                            struct mpispec_profile_known *known,
                                            const struct mpispec_profile_call *call) {
  close_batch(mapping, known);
  if (mpispec_profile_last == known)
    mpispec_profile_last = NULL;
  *known = (struct mpispec_profile_known){.peer = call->peer,
                                          .tag = call->tag,
                                          .datatype = call->datatype,
                                          .communicator = call->communicator,
                                          .bytes = call->bytes,
                                          .batch = &site->batches[known - arguments->known],
                                          .site = site,
                                          .of_site = arguments};
  if (arguments->last == known)
    arguments->last = NULL;
}

struct mpispec_profile_known *
mpispec_profile_arguments_count(struct mpispec_profile_mapping *mapping,
                                struct mpispec_profile_site *site,
                                struct mpispec_profile_arguments *arguments,
                                const struct mpispec_profile_call *call, int *came_before) {
  struct mpispec_profile_known *known = mpispec_profile_known_at(arguments, call);
  if (__builtin_expect(!known->batch || !mpispec_profile_known_is_of(known, call), 0))
    begin(mapping, site, arguments, known, call);
  *came_before = known->is_counted;
  if (__builtin_expect(known->is_counted, 1)) {
#pragma GCC unroll 5
    for (int i = 0; i < MPISPEC_PROFILE_ARGUMENTS; ++i) {
      ++known->rows[i]->calls;
      known->rows[i]->bytes += call->bytes;
    }
  } else {
    look_up(mapping, site, arguments, known, call);
  }
  site->same += arguments->last == known && known->buffer == call->buffer;
  arguments->last = known;
  known->buffer = call->buffer;
  struct mpispec_profile_peer *peer = known->in_world;
  if (peer && call->sends) {
    ++peer->messages;
    peer->bytes += call->bytes;
  }
  return known;
}

void mpispec_profile_batch_open(struct mpispec_profile_mapping *mapping,
                                struct mpispec_profile_known *known, unsigned size,
                                enum mpispec_profile_path path, int sends) {
  const struct mpispec_profile_site *site = known->site;
  const struct mpispec_profile_values *const tables[MPISPEC_PROFILE_ARGUMENTS] = {
      &site->peers, &site->tags, &site->lengths, &site->datatypes, &site->communicators};
  struct mpispec_profile_batch *batch = known->batch;
  close_batch(mapping, known);
  known->is_open = 1;
  batch->bytes = known->bytes;
  batch->peer = known->in_world ? (uint32_t)(known->in_world - mapping->peers) : UINT32_MAX;
  batch->size = (uint8_t)size;
  batch->path = (uint8_t)path;
  batch->sends = (uint16_t)sends;
  for (int i = 0; i < MPISPEC_PROFILE_ARGUMENTS; ++i)
    batch->rows[i] = (uint8_t)(known->rows[i] - tables[i]->kept);
}

void mpispec_profile_arguments_forget(struct mpispec_profile_arguments *arguments,
                                      MPI_Comm communicator) {
  for (int i = 0; i < MPISPEC_PROFILE_BATCHES; ++i)
    if (arguments->known[i].communicator == communicator)
      forget_rows_of(&arguments->known[i]);
}
