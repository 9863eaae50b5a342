/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Init, MPI_Init_thread, MPI_Finalize: start and end of the runtime, and the state.
 *
 * `mpispec_state` is what template functions test; every object that uses templates also defines it
 * weakly. The strong definition must be in this file. A linker takes a member out of a static
 * library for an undefined name, such as MPI_Init, and never for one that is weakly defined. */
#include "abi/layout.h"
#include "abi/library.h"
#include "abi/mpi.h"
#include "collective/collective.h"
#include "collective/known_orders.h"
#include "collective/mismatch.h"
#include "collective/reduction.h"
#include "collective/slot.h"
#include "comm/communicator.h"
#include "interposition/arguments.h"
#include "interposition/library/deferred_free.h"
#include "interposition/library/library_yield.h"
#include "interposition/library/next.h"
#include "job/accelerator.h"
#include "job/agreement.h"
#include "job/announcement.h"
#include "job/environment.h"
#include "job/fatal.h"
#include "job/launcher.h"
#include "job/memory.h"
#include "job/node.h"
#include "mpispec/message.h"
#include "p2p/block_cache.h"
#include "p2p/completion.h"
#include "p2p/ended_peers.h"
#include "p2p/library_part.h"
#include "p2p/network.h"
#include "p2p/pending.h"
#include "p2p/queues.h"
#include "p2p/receiver.h"
#include "p2p/rendezvous.h"
#include "p2p/request.h"
#include "p2p/room.h"
#include "p2p/way.h"
#include "profile/profile.h"
#include "progress/doorbell.h"
#include "progress/helper.h"
#include "progress/library_polls.h"
#include "progress/lock.h"
#include "progress/progress.h"
#include "progress/ticks.h"
#include "progress/yield.h"
#include "reason.h"
#include "shm/cell_copy.h"
#include "shm/cma.h"
#include "shm/node_doorbells.h"
#include "shm/node_processors.h"
#include "shm/shm.h"
#include "template_state.h"

#include <stddef.h>
#include <stdio.h>

extern char **environ;

/* Objects of programs define the state weakly, and the dynamic linker may choose such a definition.
 * AddressSanitizer puts no red zone behind a weak variable. Therefore this definition must have
 * none either: the bytes behind the chosen one may belong to other variables. */
#ifdef __clang__
__attribute__((no_sanitize("address")))
#endif
struct mpispec_state mpispec_state = {0};

/* The engines of all operations that can be pending. */
const struct mpispec_engine mpispec_engines[] = {
    {&mpispec_state.posted, NULL, mpispec_receive_progress, MPISPEC_ANYBODY,
     mpispec_receive_has_news},
    {&mpispec_rendezvous_under_way, &mpispec_rendezvous_moved, mpispec_rendezvous_progress,
     MPISPEC_ANYBODY, NULL},
    {&mpispec_library_parts_due, NULL, mpispec_library_parts_progress, MPISPEC_LIBRARY_CALLER,
     NULL},
    {&mpispec_network_under_way, NULL, mpispec_network_progress, MPISPEC_LIBRARY_CALLER, NULL},
    {&mpispec_requests_released, NULL, mpispec_requests_reap, MPISPEC_PROGRAM_ALONE, NULL},
    {NULL, NULL, NULL, MPISPEC_ANYBODY, NULL}};

static struct mpispec_environment environment;
static int is_initialized; /* by the runtime's MPI_Init */
static int session_first;  /* the library was initialized before MPI_Init */

/* PMPI_Finalize deletes this attribute of MPI_COMM_SELF after the program's, while MPI works. */
static int finalize_keyval = MPI_KEYVAL_INVALID, finalize_error;

static void report(const char *what, const char *why) {
  fprintf(stderr, "mpispec: %s%s%s\n", what, why ? ": " : "", why ? why : "");
}

/* --- finalize ----------------------------------------------------------------------------------*/

static void leave_node(void) {
  mpispec_gate = 0;
  mpispec_block_cache_clear();
  mpispec_ways_close();
  mpispec_node_doorbells_close(environment.verbose && !mpispec_node.world_rank);
  mpispec_rendezvous_close();
  mpispec_queues_close();
  mpispec_shm_close();
  if (environment.ptracer)
    mpispec_cma_permit(0);
  mpispec_node_leave();
}

static void end_job(void) { PMPI_Abort(MPI_COMM_WORLD, 1); }

static int finalize(MPI_Comm self, int keyval, void *value, void *extra) {
  MPI_Comm where;
  (void)self, (void)keyval, (void)value, (void)extra;
  mpispec_lock();
  mpispec_transfers_await();
  finalize_error = mpispec_collectives_leave(&where);
  mpispec_unlock();
  if (finalize_error)
    mpispec_raise(where, finalize_error);
  mpispec_deferred_free();
  mpispec_lock();
  mpispec_freed_receives_await();
  mpispec_transfers_await(); /* those that the progress in between has begun */
  mpispec_unlock();
  mpispec_helper_close();
  mpispec_templates_admit(0);
  mpispec_communicators_close();
  mpispec_collectives_close();
  mpispec_known_orders_close(!mpispec_node.world_rank);
  mpispec_arguments_close();
  mpispec_progress_when_idle = NULL;
  mpispec_agreement_while_waiting = mpispec_helper_tends = NULL;
  mpispec_progress_close();
  leave_node();
  mpispec_fatal_ends_by(NULL);
  return MPI_SUCCESS;
}

int MPI_Finalize(void) {
  const uint64_t begun = mpispec_profile_setup_begin();
  const int reports = environment.verbose && !mpispec_node.world_rank;
  if (reports && mpispec_node.queries_memory)
    mpispec_accelerator_report_end();
  mpispec_deferred_free();
  mpispec_library_enter();
  const int library_error = mpispec_next.Finalize();
  mpispec_library_leave();
  mpispec_library_yield_close(reports);
  mpispec_profile_setup_end(MPISPEC_PROFILE_FINALIZE, begun);
  mpispec_profile_close(MPISPEC_PROFILE_FINALIZED);
  return finalize_error ? finalize_error : library_error;
}

/* --- initialize --------------------------------------------------------------------------------*/

/* Returns the reason why this rank cannot use lanes, or null. This function tests only what can be
 * read before the rank maps segments. */
static const char *find_obstacle(int library_is_threaded) {
  const char *reason = mpispec_layout_detect();
  if (!reason)
    reason = mpispec_accelerator_open(&environment);
  if (reason)
    return reason;
  if (mpispec_node.size < mpispec_node.world_size && !library_is_threaded)
    return "there are other nodes, and the MPI library lets one thread in only"; /* helper.h */
  return mpispec_tool_in_front();
}

static const enum mpispec_way way_of[] = {[MPISPEC_LONG_MEASURED] = MPISPEC_WAY_OPEN,
                                          [MPISPEC_LONG_PIPE] = MPISPEC_WAY_PIPE,
                                          [MPISPEC_LONG_SHARED] = MPISPEC_WAY_SHARED};

/* All ranks of the job map segments, agree, and open lanes. Returns null, or this rank's reason.
 * The decision is the same on every rank. `library_is_threaded`: two threads may be in the MPI
 * library at a time. */
static const char *join_node(int library_is_threaded) {
  MPI_Comm members;
  int file;
  const char *reason = mpispec_node_find(&environment, &members);
  if (reason)
    return reason;
  if (environment.ptracer)
    mpispec_cma_permit(1);
  mpispec_segment_reserve(mpispec_slot_offset(1), mpispec_slot_offset(MPISPEC_SLOTS));
  reason = mpispec_shm_map(members, find_obstacle(library_is_threaded), &file);
  if (!reason) {
    mpispec_ways_load(&environment);
    mpispec_node_decide(environment.sleeps);
  }
  reason = mpispec_node_agree(reason, &environment, library_is_threaded, &members);
  mpispec_shm_decide(file, !reason);
  if (reason)
    mpispec_node_leave();
  else if (!mpispec_queues_open(mpispec_node.size))
    mpispec_check_allocation(NULL);
  if (reason && environment.ptracer)
    mpispec_cma_permit(0);
  if (!reason) {
    mpispec_rendezvous_open();
    mpispec_ways_open(way_of[environment.long_messages]);
  }
  return reason;
}

static const char *open_lanes(int thread_level, int library_is_threaded) {
  mpispec_library_yield_find_switch(environment.yields_in_library);
  const char *reason = join_node(library_is_threaded);
  if (reason)
    return reason;
  mpispec_lock_open(thread_level == MPI_THREAD_MULTIPLE,
                    mpispec_node_processors() < 2 * mpispec_node.size);
  mpispec_node_doorbells_open(environment.sleeps);
  mpispec_fast_path_set_disabled(mpispec_profile_is_on);
  mpispec_arguments_open();
  mpispec_cell_copy_open();
  mpispec_communicators_open(mpispec_receive_promote_all, mpispec_collective_close);
  mpispec_reductions_open(environment.in_rank_order);
  mpispec_known_orders_open(environment.cache);
  mpispec_ticks_calibrate();
  mpispec_progress_open(mpispec_shm_header(0)->is_oversubscribed, mpispec_node_refresh_processors,
                        mpispec_room_tend);
  mpispec_progress_when_idle = mpispec_pending_requests_check_peers;
  mpispec_agreement_while_waiting = mpispec_room_tend_in_library;
  mpispec_helper_tends = mpispec_room_answer;
  mpispec_requests_open();
  mpispec_template_state_open(environment.mode == MPISPEC_MODE_FULL, thread_level);
  mpispec_gate = !mpispec_profile_is_on;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finalize, &finalize_keyval, NULL);
  PMPI_Comm_set_attr(MPI_COMM_SELF, finalize_keyval, NULL);
  return NULL;
}

/* Determined once, because a rank that has announced itself must take part. */
static const char *own_reason;

static void prepare_init(void) {
  mpispec_ticks_begin();
  mpispec_environment_read(&environment, environ, 0);
  is_initialized = 1;
  if (!environment.yields_in_library)
    mpispec_yield_keep_slices();
  own_reason = mpispec_reason_find(&environment, session_first);
  if (own_reason)
    return;
  mpispec_cma_permit_job(mpispec_launcher_process());
  mpispec_announce();
  mpispec_library_yield_prepare(environment.yields_in_library);
}

static void complete_init(int thread_level, int library_is_threaded) {
  int rank;
  mpispec_fatal_ends_by(end_job);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mpispec_environment_read(&environment, environ, rank == 0);
  if (environment.profile && !mpispec_is_duplicate)
    mpispec_profile_open(environment.profile, environment.profile_frames, thread_level);
  const char *reason = own_reason ? own_reason : open_lanes(thread_level, library_is_threaded);
  mpispec_profile_note_lanes(!reason);
  if ((environment.verbose || mpispec_reason_is_mistake(reason)) &&
      mpispec_reason_is_reported(reason, rank))
    report(reason ? "all calls go to MPI" : "lanes are open", reason);
  mpispec_library_yield_open(environment.yields_in_library, !reason, environment.verbose && !rank);
  if (!reason && mpispec_node.queries_memory && !rank)
    mpispec_accelerator_report();
  if (environment.verbose && mpispec_doorbells_used && !rank)
    report("ranks share processors", "those that wait in vain sleep");
  const char *obstacle = environment.verbose && !reason ? mpispec_cma_obstacle() : NULL;
  if (obstacle)
    report("long messages go through pipes", obstacle);
  else if (environment.verbose && !reason && rank == 0)
    report("costs of long messages", mpispec_ways_origin());
}

/* A tool may have defined MPI_Init. Then the runtime's MPI_Init was never called. */
__attribute__((destructor)) static void report_missed_init(void) {
  int library_is_initialized = 0;
  if (is_initialized || mpispec_is_duplicate || !mpispec_library_is_found())
    return;
  mpispec_environment_read(&environment, environ, 0);
  if (environment.verbose && environment.mode != MPISPEC_MODE_OFF)
    PMPI_Initialized(&library_is_initialized);
  if (library_is_initialized)
    report("all calls went to MPI", "MPI_Init did not come to the runtime");
}

/* The thread level of the program, which may be lower than the level requested from the library.
 * It is MPI_THREAD_MULTIPLE until the runtime's MPI_Init has determined it. */
static int granted = MPI_THREAD_MULTIPLE;

/* `required` is null for MPI_Init. The function is not inlined, because compilers read the address
 * of a variable of the MPI library early in a function. mpispec_next_begin may change the address.
 *
 * Receives from any source on a communicator that spans nodes, and messages from an accelerator's
 * memory (p2p/library_part.h), need the MPI library's progress also while the program is in it
 * (helper.h). Therefore the library must admit two threads. That costs a lock in each of its calls,
 * and is requested only where needed. A tool behind the runtime must get the program's own call. */
static __attribute__((noinline)) int initialise(int *argc, char ***argv, const int *required) {
  int provided;
  const uint64_t begun = mpispec_ticks();
  prepare_init();
  mpispec_library_enter();
  const int is_seen =
      mpispec_next.Init != PMPI_Init || mpispec_next.Init_thread != PMPI_Init_thread;
  const int more = !own_reason && !is_seen &&
                   (mpispec_launcher_spreads() || mpispec_accelerator_find(&environment));
  const int level = more ? MPI_THREAD_MULTIPLE : required ? *required : MPI_THREAD_SINGLE;
  const int error = more || required ? mpispec_next.Init_thread(argc, argv, level, &provided)
                                     : mpispec_next.Init(argc, argv);
  mpispec_library_leave();
  if (error)
    return error;
  PMPI_Query_thread(&provided);
  const int in_init = mpispec_launcher_sets_level() ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  const int wanted = required ? *required : in_init;
  granted = more && wanted < provided ? wanted : provided;
  mpispec_cma_threaded = granted != MPI_THREAD_SINGLE;
  complete_init(granted, provided == MPI_THREAD_MULTIPLE);
  if (mpispec_node.size)
    mpispec_helper_open(provided == MPI_THREAD_MULTIPLE, mpispec_templates_pause);
  mpispec_profile_setup_end(MPISPEC_PROFILE_INIT, begun);
  return MPI_SUCCESS;
}

int MPI_Init(int *argc, char ***argv) {
  if (mpispec_next_begin(__builtin_return_address(0)))
    return mpispec_next.Init(argc, argv);
  return initialise(argc, argv, NULL);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  if (mpispec_next_begin(__builtin_return_address(0)))
    return mpispec_next.Init_thread(argc, argv, required, provided);
  const int error = initialise(argc, argv, &required);
  if (!error)
    *provided = granted;
  return error;
}

int MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session) {
  if (mpispec_next_begin(__builtin_return_address(0)))
    mpispec_fatal("handles of a session are not passed on to another MPI library");
  session_first |= !is_initialized;
  return mpispec_next.Session_init(info, errhandler, session);
}

int MPI_Query_thread(int *provided) {
  const int error = mpispec_next.Query_thread(provided);
  if (!error && *provided > granted)
    *provided = granted;
  return error;
}
