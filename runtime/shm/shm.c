/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Maps segments and opens lanes in MPI_Init, and closes them in MPI_Finalize. See shm.h. */
#define _GNU_SOURCE
#include "shm/shm.h"

#include "job/agreement.h"
#include "job/memory.h"
#include "job/node.h"
#include "shm/arena.h"
#include "shm/cma.h"
#include "shm/liveness.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct mpispec_shm mpispec_shm;

static void allocate(size_t size) {
  mpispec_shm.segments = mpispec_check_allocation(calloc(size, sizeof *mpispec_shm.segments));
  mpispec_shm.outgoing =
      mpispec_check_allocation(aligned_alloc(64, size * sizeof *mpispec_shm.outgoing));
  mpispec_shm.incoming =
      mpispec_check_allocation(aligned_alloc(64, size * sizeof *mpispec_shm.incoming));
  mpispec_shm.addresses = mpispec_check_allocation(calloc(size, sizeof *mpispec_shm.addresses));
}

/* The text of an error, with the system's message. */
static const char *error_text(const char *what) {
  static char text[128];
  snprintf(text, sizeof text, "%s (%s)", what, strerror(errno));
  return text;
}

/* Finds the size that all segments can have, and unmaps the bytes of this rank's segment beyond
 * that size. */
static void agree_on_bytes(void) {
  const uint64_t own = mpispec_shm.addresses[mpispec_node.rank].bytes;
  mpispec_shm.bytes = own;
  for (int peer = 0; peer < mpispec_node.size; ++peer) {
    const uint64_t bytes = mpispec_shm.addresses[peer].bytes; /* 0: a rank without a segment */
    if (bytes && bytes < mpispec_shm.bytes)
      mpispec_shm.bytes = bytes;
  }
  if (mpispec_shm.bytes < own)
    mpispec_segment_shorten(mpispec_shm.segments[mpispec_node.rank], mpispec_node.size, own,
                            mpispec_shm.bytes);
}

/* Whether all ranks have the same process namespace. Equal on all ranks. */
static int is_one_of_processes(void) {
  for (int peer = 1; peer < mpispec_node.size; ++peer)
    if (mpispec_shm.addresses[peer].process_namespace != mpispec_shm.addresses[0].process_namespace)
      return 0;
  return 1;
}

/* Receives descriptors of all peers, which are in several process namespaces. */
static const char *receive_descriptors(void) {
  const size_t size = (size_t)mpispec_node.size;
  if (!mpispec_can_pass(mpispec_shm.addresses, mpispec_node.size))
    return "ranks are in different namespaces of processes and of the network, and have no common "
           "/dev/shm: no segment can be passed";
  mpispec_shm.passed = mpispec_check_allocation(malloc(size * sizeof *mpispec_shm.passed));
  if (mpispec_pass(mpispec_shm.addresses, mpispec_node.size, mpispec_node.rank, mpispec_shm.passed))
    return NULL;
  free(mpispec_shm.passed);
  mpispec_shm.passed = NULL;
  return error_text("a peer's shared memory segment has not been passed");
}

static unsigned char *map_peer(int peer) {
  const struct mpispec_segment_address *address = &mpispec_shm.addresses[peer];
  const struct mpispec_home_place home = {mpispec_node.rank,
                                          mpispec_homes_at(mpispec_shm.homes, peer)};
  const int size = mpispec_node.size;
  const uint64_t bytes = mpispec_shm.bytes;
  return mpispec_shm.passed
             ? mpispec_segment_map(size, bytes, address, mpispec_shm.passed[peer].segment, &home)
             : mpispec_segment_attach(size, bytes, address, &home);
}

/* Maps the segments of all peers. An address of zeros is that of a rank without a segment. */
static const char *map_peers(void) {
  for (int peer = 0; peer < mpispec_node.size; ++peer)
    if (!mpispec_shm.addresses[peer].process)
      return "another rank cannot take part";
  const char *reason = is_one_of_processes() ? NULL : receive_descriptors();
  mpispec_shm.homes = mpispec_homes_reserve(mpispec_node.size);
  if (!reason && !mpispec_shm.homes)
    reason = error_text("a peer's shared memory segment cannot be mapped");
  for (int peer = 0; peer < mpispec_node.size; ++peer) {
    if (peer == mpispec_node.rank)
      continue;
    if (reason && mpispec_shm.passed)
      close(mpispec_shm.passed[peer].segment);
    else if (!reason && !(mpispec_shm.segments[peer] = map_peer(peer)))
      reason = error_text("a peer's shared memory segment cannot be mapped");
  }
  return reason;
}

/* Makes this rank's segment. Returns the reason of a failure. */
static const char *create(struct mpispec_segment_address *own, int *file) {
  unsigned char *segment = mpispec_segment_create(mpispec_node.size, file, own);
  if (!segment)
    return error_text("no shared memory segment could be made");
  mpispec_shm.segments[mpispec_node.rank] = segment;
  own->start = mpispec_process_start(own->process);
  own->process_namespace = mpispec_namespace("pid");
  own->socket_namespace = mpispec_namespace("net");
  own->directory = mpispec_passing_directory();
  mpispec_processors_publish(&mpispec_shm_header(mpispec_node.rank)->processors);
  return NULL;
}

const char *mpispec_shm_map(MPI_Comm members, const char *reason, int *file) {
  const int size = mpispec_node.size;
  struct mpispec_segment_address own = {0};
  *file = -1;
  allocate((size_t)size);
  if (!reason && size > MPISPEC_MAXIMUM_PEERS)
    reason = "there are too many ranks on a node";
  if (!reason)
    reason = create(&own, file);
  mpispec_agreement_allgather(&own, sizeof own, mpispec_shm.addresses, members);
  agree_on_bytes();
  if (!reason)
    reason = map_peers();
  if (!reason)
    mpispec_cma_open();
  return reason;
}

/* The home ring for messages from this rank to a peer. */
static struct mpispec_cell *home_in(int peer) {
  const int rank = mpispec_node.rank;
  return peer == rank ? mpispec_segment_home(mpispec_shm.segments[rank], mpispec_node.size, rank)
                      : (struct mpispec_cell *)mpispec_homes_at(mpispec_shm.homes, peer);
}

static void open_lanes(void) {
  const int size = mpispec_node.size, rank = mpispec_node.rank;
  unsigned char *own = mpispec_shm.segments[rank];
  mpispec_arena_open(&mpispec_shm.arena, own, mpispec_segment_arena(size),
                     mpispec_segment_end(size, mpispec_shm.bytes));
  if (size <= MPISPEC_FEW_PEERS && !mpispec_shm_header(0)->is_oversubscribed)
    mpispec_arena_warm(&mpispec_shm.arena);
  for (int peer = 0; peer < size; ++peer) {
    unsigned char *theirs = mpispec_shm.segments[peer];
    mpispec_outgoing_open(&mpispec_shm.outgoing[peer], home_in(peer),
                          mpispec_segment_credit(theirs, rank), &mpispec_shm.arena);
    mpispec_incoming_open(&mpispec_shm.incoming[peer], mpispec_segment_home(own, size, peer),
                          mpispec_segment_credit(own, peer), theirs);
  }
  mpispec_liveness_open();
}

void mpispec_shm_decide(int file, int opens) {
  if (file >= 0)
    close(file); /* all ranks have opened it, or will never do so */
  if (opens)
    open_lanes();
  else
    mpispec_shm_close();
}

static void close_passed(void) {
  for (int peer = 0; mpispec_shm.passed && peer < mpispec_node.size; ++peer)
    if (mpispec_shm.passed[peer].process >= 0)
      mpispec_descriptor_close(mpispec_shm.passed[peer].process);
  free(mpispec_shm.passed);
}

void mpispec_shm_close(void) {
  for (int peer = 0; mpispec_shm.segments && peer < mpispec_node.size; ++peer)
    if (mpispec_shm.segments[peer])
      mpispec_segment_detach(mpispec_shm.segments[peer], mpispec_node.size, mpispec_shm.bytes);
  if (mpispec_shm.homes)
    mpispec_homes_release(mpispec_shm.homes, mpispec_node.size);
  free(mpispec_shm.segments);
  free(mpispec_shm.outgoing);
  free(mpispec_shm.incoming);
  free(mpispec_shm.addresses);
  close_passed();
  mpispec_cma_close();
  mpispec_liveness_close();
  mpispec_arena_close(&mpispec_shm.arena);
  memset(&mpispec_shm, 0, sizeof mpispec_shm);
}
