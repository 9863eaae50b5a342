/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of adopted communicators, and their adoption (communicator.h).
 *
 * Each adopted communicator has an attribute that duplicates do not inherit. The MPI library calls
 * the attribute's deletion callback before it may reuse the handle. */
#include "comm/communicator.h"

#include "abi/layout.h"

#include "job/memory.h"
#include "job/node.h"
#include "progress/lock.h"
#include "shm/shm.h"

#include <stdlib.h>
#include <string.h>

static struct {
  struct mpispec_communicator **entries; /* open addressing; `room` is a power of two */
  size_t room, count;
  int keyval;
  int *peer_of_world; /* node rank of a rank of MPI_COMM_WORLD, or -1 */
  MPI_Group world;
  void (*when_freed)(struct mpispec_communicator *);
  void (*at_end)(struct mpispec_communicator *);
} table = {.keyval = MPI_KEYVAL_INVALID};

/* --- the table ---------------------------------------------------------------------------------*/

static size_t entry_of(MPI_Comm handle) {
  return (size_t)((uint64_t)(uintptr_t)handle * UINT64_C(0x9e3779b97f4a7c15) >> 32) &
         (table.room - 1);
}

static struct mpispec_communicator no_communicator = {.spans_nodes = 1};
struct mpispec_communicator *mpispec_communicator_last = &no_communicator;

/* The communicators that templates find: those that ordinary calls used last. */
static struct mpispec_route routes[mpispec_state_routes];

/* Those that mpispec_communicator_of_context found last. */
enum { RECENT = 64 };
static struct mpispec_communicator *recent[RECENT];

static unsigned long bits_of(MPI_Comm handle) { return (unsigned long)handle; }

static void remember(struct mpispec_communicator *communicator) {
  mpispec_communicator_last = communicator;
  routes[mpispec_route_place(communicator->route.comm)] = communicator->route;
}

/* Called when a communicator leaves the table, because its handle may be reused later. */
static void forget_all(void) {
  mpispec_communicator_last = &no_communicator;
  memset(routes, 0, sizeof routes);
  memset(recent, 0, sizeof recent);
}

struct mpispec_communicator *mpispec_communicator_search(MPI_Comm handle) {
  if (!table.count)
    return NULL;
  for (size_t i = entry_of(handle); table.entries[i]; i = (i + 1) & (table.room - 1))
    if (table.entries[i]->handle == handle) {
      remember(table.entries[i]);
      return table.entries[i];
    }
  return NULL;
}

void mpispec_communicator_show_steps(struct mpispec_communicator *communicator,
                                     struct mpispec_steps *steps) {
  communicator->route.steps = steps;
  remember(communicator);
  if (communicator->handle == MPI_COMM_WORLD)
    mpispec_state.world.steps = steps;
}

static void put(struct mpispec_communicator *communicator) {
  size_t i = entry_of(communicator->handle);
  while (table.entries[i])
    i = (i + 1) & (table.room - 1);
  table.entries[i] = communicator;
}

/* Makes room for one more entry. The table is at most half full. */
static void make_room(void) {
  struct mpispec_communicator **old = table.entries;
  const size_t old_room = table.room;
  if (2 * (table.count + 1) <= old_room)
    return;
  table.room = old_room ? 2 * old_room : 64;
  table.entries = mpispec_check_allocation(calloc(table.room, sizeof *table.entries));
  for (size_t i = 0; i < old_room; ++i)
    if (old[i])
      put(old[i]);
  free(old);
}

/* Removes an entry. Entries behind it move if a search would no longer reach them. */
static void take_out(const struct mpispec_communicator *leaving) {
  size_t gap = entry_of(leaving->handle);
  while (table.entries[gap] != leaving)
    gap = (gap + 1) & (table.room - 1);
  table.entries[gap] = NULL;
  for (size_t i = (gap + 1) & (table.room - 1); table.entries[i]; i = (i + 1) & (table.room - 1)) {
    struct mpispec_communicator *moving = table.entries[i];
    table.entries[i] = NULL;
    put(moving);
  }
  --table.count;
  forget_all();
}

void mpispec_communicator_drop(struct mpispec_communicator *communicator) {
  if (--communicator->uses)
    return;
  if (table.at_end) /* null if the program frees a request at the end of MPI_Finalize */
    table.at_end(communicator);
  mpispec_context_drop(&communicator->context);
  free(communicator->peer_of);
  free(communicator->route.writers);
  free(communicator->route.readers);
  free(communicator);
}

/* The attribute's value. It is null in a duplicate that has not been adopted yet. */
struct holder {
  struct mpispec_communicator *communicator;
};

/* The attribute's copy callback. A duplicate gets the attribute before the attributes of the
 * program that it inherits; adopt() fills in the value. MPI libraries delete attributes in the
 * reverse order. Therefore the program's deletion callbacks can still receive messages of the
 * communicator. */
static int copy_holder(MPI_Comm handle, int keyval, void *extra, void *value, void *copy,
                       int *is_copied) {
  (void)handle, (void)keyval, (void)extra, (void)value;
  *(void **)copy = mpispec_check_allocation(calloc(1, sizeof(struct holder)));
  *is_copied = 1;
  return MPI_SUCCESS;
}

static void hold(MPI_Comm handle, struct mpispec_communicator *communicator) {
  struct holder *holder;
  int is_there;
  PMPI_Comm_get_attr(handle, table.keyval, &holder, &is_there);
  if (!is_there) {
    holder = mpispec_check_allocation(calloc(1, sizeof *holder));
    PMPI_Comm_set_attr(handle, table.keyval, holder);
  }
  holder->communicator = communicator;
}

/* The attribute's deletion callback: called when MPI_Comm_free or any other function frees the
 * handle. */
static int when_deleted(MPI_Comm handle, int keyval, void *value, void *extra) {
  (void)keyval, (void)extra;
  struct mpispec_communicator *communicator = ((struct holder *)value)->communicator;
  free(value);
  if (!communicator)
    return MPI_SUCCESS;
  mpispec_lock();
  if (mpispec_communicator_find(handle) == communicator) {
    table.when_freed(communicator);
    take_out(communicator);
    communicator->handle = MPI_COMM_WORLD; /* its error handler gets errors of pending requests */
    mpispec_communicator_drop(communicator);
  }
  mpispec_unlock();
  return MPI_SUCCESS;
}

/* --- adoption ----------------------------------------------------------------------------------*/

void mpispec_communicator_find_peers(MPI_Group group, int first, int count, int peers[]) {
  int *ranks = mpispec_check_allocation(malloc((size_t)count * sizeof *ranks));
  for (int i = 0; i < count; ++i)
    ranks[i] = first + i;
  PMPI_Group_translate_ranks(group, count, ranks, table.world, peers);
  free(ranks);
  for (int i = 0; i < count; ++i)
    peers[i] = peers[i] < 0 ? -1 : table.peer_of_world[peers[i]]; /* MPI_UNDEFINED < 0 */
}

/* Finds the members on this node. */
static void find_peers(struct mpispec_communicator *communicator) {
  MPI_Group group;
  PMPI_Comm_group(communicator->handle, &group);
  mpispec_communicator_find_peers(group, 0, communicator->size, communicator->peer_of);
  PMPI_Group_free(&group);
  for (int i = 0; i < communicator->size; ++i)
    communicator->spans_nodes |= communicator->peer_of[i] < 0;
}

static void make_route(struct mpispec_communicator *communicator) {
  static struct mpispec_writer closed_writer;
  static struct mpispec_reader closed_reader = {.unexpected = 1};
  struct mpispec_route *route = &communicator->route;
  const size_t size = (size_t)communicator->size;
  route->comm = bits_of(communicator->handle);
  route->size = size;
  route->is_local = !communicator->spans_nodes;
  route->key = mpispec_key(communicator->context.id, 0);
  route->header = mpispec_header(MPISPEC_INLINE, communicator->rank, 0);
  route->writers = mpispec_check_allocation(malloc(size * sizeof *route->writers));
  route->readers = mpispec_check_allocation(malloc(size * sizeof *route->readers));
  for (size_t i = 0; i < size; ++i) {
    const int peer = communicator->peer_of[i];
    route->writers[i] = peer < 0 ? &closed_writer : &mpispec_shm.outgoing[peer].end;
    route->readers[i] = peer < 0 ? &closed_reader : &mpispec_shm.incoming[peer].end;
  }
}

static struct mpispec_communicator *describe(MPI_Comm handle, struct mpispec_context context) {
  struct mpispec_communicator *communicator =
      mpispec_check_allocation(calloc(1, sizeof *communicator));
  communicator->handle = handle;
  communicator->context = context;
  communicator->uses = 1;
  PMPI_Comm_rank(handle, &communicator->rank);
  PMPI_Comm_size(handle, &communicator->size);
  communicator->peer_of =
      mpispec_check_allocation(malloc((size_t)communicator->size * sizeof(int)));
  find_peers(communicator);
  make_route(communicator);
  return communicator;
}

static void adopt(MPI_Comm handle, struct mpispec_context context) {
  if (!context.id)
    return;
  if (handle == MPI_COMM_NULL) {
    mpispec_lock();
    mpispec_context_drop(&context);
    mpispec_unlock();
    return;
  }
  struct mpispec_communicator *communicator = describe(handle, context);
  hold(handle, communicator);
  mpispec_lock();
  make_room();
  put(communicator);
  ++table.count;
  mpispec_unlock();
}

static struct mpispec_communicator *find(MPI_Comm handle) {
  mpispec_lock();
  struct mpispec_communicator *communicator = mpispec_communicator_find(handle);
  mpispec_unlock();
  return communicator;
}

void mpispec_communicator_adopt(MPI_Comm parent, MPI_Comm made) {
  struct mpispec_communicator *ours = find(parent);
  if (ours)
    adopt(made, mpispec_context_take(&ours->context, parent));
}

void mpispec_communicator_adopt_alone(MPI_Comm parent, MPI_Comm made) {
  if (made != MPI_COMM_NULL && find(parent))
    adopt(made, mpispec_context_agree(made));
}

struct mpispec_adoption *mpispec_communicator_adopt_later(struct mpispec_communicator *parent,
                                                          const MPI_Comm *made) {
  const struct mpispec_context context = mpispec_context_take_at_once(&parent->context);
  if (!context.id)
    return NULL;
  struct mpispec_adoption *adoption = mpispec_check_allocation(malloc(sizeof *adoption));
  *adoption = (struct mpispec_adoption){context, made, *made};
  return adoption;
}

void mpispec_communicator_adopt_now(struct mpispec_adoption *adoption, int error) {
  const MPI_Comm made = MPISPEC_IDUP_STORES_EARLY ? adoption->at_once : *adoption->made;
  adopt(error ? MPI_COMM_NULL : made, adoption->context);
  free(adoption);
}

void mpispec_communicators_open(void (*when_freed)(struct mpispec_communicator *),
                                void (*at_end)(struct mpispec_communicator *)) {
  const size_t world_size = (size_t)mpispec_node.world_size;
  table.when_freed = when_freed;
  table.at_end = at_end;
  mpispec_contexts_open();
  table.peer_of_world = mpispec_check_allocation(malloc(world_size * sizeof(int)));
  memset(table.peer_of_world, -1, world_size * sizeof(int));
  for (int peer = 0; peer < mpispec_node.size; ++peer)
    table.peer_of_world[mpispec_node.world_ranks[peer]] = peer;
  PMPI_Comm_group(MPI_COMM_WORLD, &table.world);
  PMPI_Comm_create_keyval(copy_holder, when_deleted, &table.keyval, NULL);
  adopt(MPI_COMM_WORLD, mpispec_context_predefined());
  adopt(MPI_COMM_SELF, mpispec_context_predefined());
  mpispec_state.world = mpispec_communicator_find(MPI_COMM_WORLD)->route;
  mpispec_state.routes = routes;
}

struct mpispec_communicator *mpispec_communicator_each(size_t *place) {
  while (*place < table.room && !table.entries[*place])
    ++*place;
  return *place < table.room ? table.entries[(*place)++] : NULL;
}

struct mpispec_communicator *mpispec_communicator_of_context(uint32_t id) {
  struct mpispec_communicator **place =
      &recent[id * UINT32_C(0x9e3779b9) / (UINT32_MAX / RECENT + 1)];
  if (*place && (*place)->context.id == id)
    return *place;
  for (size_t i = 0; i < table.room; ++i)
    if (table.entries[i] && table.entries[i]->context.id == id)
      return *place = table.entries[i];
  return NULL;
}

/* Called in MPI_Finalize, by the deletion callback of an attribute of MPI_COMM_SELF. The MPI
 * library itself frees the keyval and the attributes of the other communicators. If it calls
 * when_deleted, this callback finds no communicator in the table. */
void mpispec_communicators_close(void) {
  for (size_t i = 0; i < table.room; ++i)
    if (table.entries[i])
      mpispec_communicator_drop(table.entries[i]);
  PMPI_Group_free(&table.world);
  free(table.entries);
  free(table.peer_of_world);
  forget_all();
  mpispec_state.routes = NULL;
  mpispec_state.world = (struct mpispec_route){0};
  memset(&table, 0, sizeof table);
}
