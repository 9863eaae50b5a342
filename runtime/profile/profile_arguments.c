/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See profile_arguments.h. */
#include "profile/profile_arguments.h"

#include "profile/profile_sites.h"
#include "profile/values.h"

static int is_same(const struct mpispec_profile_arguments *last,
                   const struct mpispec_profile_call *call) {
  return last->peer == call->peer && last->tag == call->tag && last->datatype == call->datatype &&
         last->communicator == call->communicator && last->bytes == call->bytes &&
         last->buffer == call->buffer;
}

struct mpispec_profile_peer *mpispec_profile_arguments_count(
    struct mpispec_profile_mapping *mapping, struct mpispec_profile_site *site,
    struct mpispec_profile_arguments *last, const struct mpispec_profile_call *call) {
  const int world = mpispec_profile_world_rank(call->communicator, call->peer);
  mpispec_profile_count(&site->peers, world >= 0 ? world : call->peer, call->bytes);
  mpispec_profile_count(&site->tags, call->tag, call->bytes);
  mpispec_profile_count(&site->lengths, (int64_t)call->bytes, call->bytes);
  mpispec_profile_count(&site->communicators, (int64_t)(intptr_t)call->communicator, call->bytes);
  const int is_new =
      mpispec_profile_count(&site->datatypes, (int64_t)(intptr_t)call->datatype, call->bytes);
  if (is_new && call->bytes && call->datatype != MPI_DATATYPE_NULL) /* a Gather has two */
    mpispec_profile_name_datatype(mapping, call->datatype);
  if (site->calls > 1 && is_same(last, call))
    ++site->same;
  else
    *last = (struct mpispec_profile_arguments){call->peer,         call->tag,   call->datatype,
                                               call->communicator, call->bytes, call->buffer};
  struct mpispec_profile_peer *peer =
      world >= 0 && world < (int)mapping->header->world_size ? &mapping->peers[world] : NULL;
  if (peer && call->sends) {
    ++peer->messages;
    peer->bytes += call->bytes;
  }
  return peer;
}
