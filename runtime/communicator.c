/* The table of adopted communicators, and how one is adopted. communicator.h says what that means.
 *
 * Each adopted communicator carries an attribute that copies do not inherit; its deletion callback
 * is how we hear that the handle is free to mean something else. */
#include "communicator.h"

#include "lock.h"
#include "node.h"

#include <stdlib.h>
#include <string.h>

static struct {
  struct mpispec_communicator **slots; /* open addressing; `room` is a power of two */
  size_t room, count;
  uint32_t next_context;
  int keyval;
  int verify; /* agreements of one rank may overlap, because some rank runs several threads */
  int *peer_of_world; /* node rank of a rank of MPI_COMM_WORLD, or -1 */
  MPI_Group world;
} table = {.keyval = MPI_KEYVAL_INVALID};

static const uint32_t last_context = (1u << 24) - 1;

/* --- the table ---------------------------------------------------------------------------------*/

static size_t slot_of(MPI_Comm handle) {
  return (size_t)((uint64_t)(uintptr_t)handle * UINT64_C(0x9e3779b97f4a7c15) >> 32) &
         (table.room - 1);
}

struct mpispec_communicator *mpispec_communicator_last;

/* The communicators that templates know: those that an ordinary call used last. */
static struct mpispec_route routes[mpispec_state_routes];

static unsigned long bits_of(MPI_Comm handle) { return (unsigned long)handle; }

static void remember(struct mpispec_communicator *communicator) {
  mpispec_communicator_last = communicator;
  routes[mpispec_route_place(communicator->route.comm)] = communicator->route;
}

/* Before a handle comes to mean something else. */
static void forget_all(void) {
  mpispec_communicator_last = NULL;
  memset(routes, 0, sizeof routes);
}

struct mpispec_communicator *mpispec_communicator_search(MPI_Comm handle) {
  if (!table.count)
    return NULL;
  for (size_t i = slot_of(handle); table.slots[i]; i = (i + 1) & (table.room - 1))
    if (table.slots[i]->handle == handle) {
      remember(table.slots[i]);
      return table.slots[i];
    }
  return NULL;
}

static void put(struct mpispec_communicator *communicator) {
  size_t i = slot_of(communicator->handle);
  while (table.slots[i])
    i = (i + 1) & (table.room - 1);
  table.slots[i] = communicator;
}

/* Makes the table of `room` slots anew, without `leaving`. */
static int rebuild(size_t room, const struct mpispec_communicator *leaving) {
  struct mpispec_communicator **old = table.slots;
  const size_t old_room = table.room;
  struct mpispec_communicator **slots = calloc(room, sizeof *slots);
  if (!slots)
    return 0;
  table.slots = slots;
  table.room = room;
  forget_all();
  for (size_t i = 0; i < old_room; ++i)
    if (old[i] && old[i] != leaving)
      put(old[i]);
  free(old);
  return 1;
}

static int has_room(void) {
  return 2 * (table.count + 1) <= table.room || rebuild(table.room ? 2 * table.room : 64, NULL);
}

void mpispec_communicator_drop(struct mpispec_communicator *communicator) {
  if (--communicator->uses)
    return;
  free(communicator->peer_of);
  free(communicator->route.writers);
  free(communicator->route.readers);
  free(communicator);
}

/* The handle is being freed, by whatever function. */
static int when_freed(MPI_Comm handle, int keyval, void *value, void *extra) {
  (void)keyval, (void)extra;
  struct mpispec_communicator *communicator = value;
  mpispec_lock();
  if (mpispec_communicator_find(handle) == communicator && rebuild(table.room, communicator)) {
    --table.count;
    communicator->handle = MPI_COMM_WORLD; /* for errors of requests that are still under way */
    mpispec_communicator_drop(communicator);
  }
  mpispec_unlock();
  return MPI_SUCCESS;
}

/* --- adoption ----------------------------------------------------------------------------------*/

/* Who of the members is on our node? Returns 0 if a member is not of our job at all. */
static int find_peers(struct mpispec_communicator *communicator) {
  const int size = communicator->size;
  int *ranks = malloc(2 * (size_t)size * sizeof *ranks), *world = ranks + size;
  MPI_Group group;
  if (!ranks)
    return 0;
  for (int i = 0; i < size; ++i)
    ranks[i] = i;
  PMPI_Comm_group(communicator->handle, &group);
  PMPI_Group_translate_ranks(group, size, ranks, table.world, world);
  PMPI_Group_free(&group);
  int known = 1;
  for (int i = 0; i < size; ++i) {
    known &= world[i] != MPI_UNDEFINED;
    communicator->peer_of[i] = world[i] == MPI_UNDEFINED ? -1 : table.peer_of_world[world[i]];
    communicator->remote |= communicator->peer_of[i] < 0;
  }
  free(ranks);
  return known;
}

/* Fills in all of the route but the key, which is not agreed yet. */
static int make_route(struct mpispec_communicator *communicator) {
  static struct mpispec_writer shut_writer;
  static struct mpispec_reader shut_reader = {.queued = 1};
  struct mpispec_route *route = &communicator->route;
  const size_t size = (size_t)communicator->size;
  route->comm = bits_of(communicator->handle);
  route->size = size;
  route->header = mpispec_header(MPISPEC_INLINE, communicator->rank, 0);
  route->writers = malloc(size * sizeof *route->writers);
  route->readers = malloc(size * sizeof *route->readers);
  if (!route->writers || !route->readers)
    return 0;
  for (size_t i = 0; i < size; ++i) {
    const int peer = communicator->peer_of[i];
    route->writers[i] = peer < 0 ? &shut_writer : &mpispec_node.outgoing[peer].end;
    route->readers[i] = peer < 0 ? &shut_reader : &mpispec_node.incoming[peer].end;
  }
  return 1;
}

static struct mpispec_communicator *describe(MPI_Comm handle) {
  struct mpispec_communicator *communicator = calloc(1, sizeof *communicator);
  if (!communicator)
    return NULL;
  communicator->handle = handle;
  communicator->uses = 1;
  PMPI_Comm_rank(handle, &communicator->rank);
  PMPI_Comm_size(handle, &communicator->size);
  communicator->peer_of = malloc((size_t)communicator->size * sizeof(int));
  if (communicator->peer_of && find_peers(communicator) && make_route(communicator))
    return communicator;
  mpispec_communicator_drop(communicator);
  return NULL;
}

/* One round: the largest proposal of all members. Returns 0 if a member cannot take part. */
static int propose(MPI_Comm handle, int able, uint32_t *context) {
  unsigned mine[2] = {!able, 0}, most[2];
  mpispec_lock();
  mine[1] = table.next_context;
  mpispec_unlock();
  if (PMPI_Allreduce(mine, most, 2, MPI_UNSIGNED, MPI_MAX, handle))
    return 0;
  *context = most[1];
  return !most[0] && most[1] <= last_context;
}

static int reserve(uint32_t context) {
  mpispec_lock();
  const int is_free = context >= table.next_context;
  if (is_free)
    table.next_context = context + 1;
  mpispec_unlock();
  return is_free;
}

/* The context id on which all members agree, or 0. With several threads, two agreements under way
 * at once may come to the same number: then somebody has it taken already, and all try again. */
static uint32_t agree(MPI_Comm handle, int able) {
  for (;;) {
    uint32_t context;
    if (!propose(handle, able, &context))
      return 0;
    int reserved = reserve(context), everywhere = 1;
    if (table.verify)
      PMPI_Allreduce(&reserved, &everywhere, 1, MPI_INT, MPI_MIN, handle);
    if (everywhere)
      return context;
  }
}

static void insert(struct mpispec_communicator *communicator, uint32_t context) {
  communicator->context = context;
  communicator->route.key = mpispec_key(context, 0);
  PMPI_Comm_set_attr(communicator->handle, table.keyval, communicator);
  mpispec_lock();
  put(communicator);
  ++table.count;
  mpispec_unlock();
}

static void adopt(MPI_Comm handle) {
  struct mpispec_communicator *communicator = describe(handle);
  mpispec_lock();
  const int able = communicator && has_room();
  mpispec_unlock();
  const uint32_t context = agree(handle, able);
  if (context)
    insert(communicator, context);
  else if (communicator)
    mpispec_communicator_drop(communicator);
}

void mpispec_communicator_adopt(MPI_Comm parent, MPI_Comm made) {
  int is_inter;
  mpispec_lock();
  const int is_ours = mpispec_communicator_find(parent) != NULL;
  mpispec_unlock();
  if (!is_ours || made == MPI_COMM_NULL)
    return;
  PMPI_Comm_test_inter(made, &is_inter);
  if (!is_inter)
    adopt(made);
}

int mpispec_communicators_open(void) {
  const int world_size = mpispec_node.world_size;
  table.next_context = 1;
  PMPI_Comm_group(MPI_COMM_WORLD, &table.world);
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, when_freed, &table.keyval, NULL);
  table.peer_of_world = malloc((size_t)world_size * sizeof(int));
  if (table.peer_of_world) {
    memset(table.peer_of_world, -1, (size_t)world_size * sizeof(int));
    for (int peer = 0; peer < mpispec_node.size; ++peer)
      table.peer_of_world[mpispec_node.world_ranks[peer]] = peer;
  }
  int mine[2] = {table.peer_of_world && has_room(), !mpispec_lock_is_shared()}, all[2];
  PMPI_Allreduce(mine, all, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  table.verify = !all[1];
  if (!all[0])
    return 0;
  adopt(MPI_COMM_WORLD);
  adopt(MPI_COMM_SELF);
  if (table.count != 2)
    return 0;
  mpispec_state.world = mpispec_communicator_find(MPI_COMM_WORLD)->route;
  mpispec_state.routes = routes;
  return 1;
}

/* Runs within the deletion of an attribute, so attributes and keyvals are left to the library. */
void mpispec_communicators_close(void) {
  for (size_t i = 0; i < table.room; ++i)
    if (table.slots[i])
      mpispec_communicator_drop(table.slots[i]);
  PMPI_Group_free(&table.world);
  free(table.slots);
  free(table.peer_of_world);
  forget_all();
  mpispec_state.routes = NULL;
  memset(&table, 0, sizeof table);
}
