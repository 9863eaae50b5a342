/* See profile_arguments.h. */
#include "profile/profile_arguments.h"

#include "profile/profile.h"
#include "profile/profile_sites.h"
#include "profile/values.h"

static unsigned place_of(const struct mpispec_profile_call *call) {
  return ((unsigned)call->peer ^ (unsigned)call->tag ^ (unsigned)(call->bytes >> 3)) %
         MPISPEC_PROFILE_KNOWN;
}

static inline int are_those_of(const struct mpispec_profile_known *known,
                               const struct mpispec_profile_call *call) {
  return known->peer == call->peer && known->tag == call->tag && known->bytes == call->bytes &&
         known->datatype == call->datatype && known->communicator == call->communicator;
}

static void forget_rows(struct mpispec_profile_arguments *arguments) {
  for (int i = 0; i < MPISPEC_PROFILE_KNOWN; ++i)
    arguments->known[i].is_counted = 0;
}

/* Looks each value up. Rows may change hands, and then nothing that is known is true any more. */
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
static __attribute__((noinline)) void begin(struct mpispec_profile_arguments *arguments,
                                            struct mpispec_profile_known *known,
                                            const struct mpispec_profile_call *call) {
  *known = (struct mpispec_profile_known){.peer = call->peer,
                                          .tag = call->tag,
                                          .datatype = call->datatype,
                                          .communicator = call->communicator,
                                          .bytes = call->bytes};
  if (arguments->last == known)
    arguments->last = NULL;
}

struct mpispec_profile_peer *mpispec_profile_arguments_count(
    struct mpispec_profile_mapping *mapping, struct mpispec_profile_site *site,
    struct mpispec_profile_arguments *arguments, const struct mpispec_profile_call *call) {
  struct mpispec_profile_known *known = &arguments->known[place_of(call)];
  if (__builtin_expect(!are_those_of(known, call), 0))
    begin(arguments, known, call);
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
  return peer;
}

void mpispec_profile_arguments_forget(struct mpispec_profile_arguments *arguments,
                                      MPI_Comm communicator) {
  for (int i = 0; i < MPISPEC_PROFILE_KNOWN; ++i)
    if (arguments->known[i].communicator == communicator)
      arguments->known[i].is_counted = 0;
}
