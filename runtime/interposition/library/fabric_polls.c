/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Replaces functions in tables of operations. See fabric_polls.h.
 *
 * Providers keep their tables in static memory, which may be read-only. One table serves all
 * objects of a kind. Therefore the runtime copies a table, replaces one function in the copy, and
 * lets the object refer to the copy. If a table cannot be copied, the object keeps it, and its
 * polls are not observed.
 *
 * The layout is that of libfabric's header. Providers and callers depend on the layout. Therefore
 * it is the same in all versions of libfabric.so.1. */
#include "interposition/library/fabric_polls.h"

#include "interposition/library/caller_definition.h"
#include "progress/library_polls.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>

typedef void function(void);

enum { MOST_FUNCTIONS = 31 };
struct table {
  size_t size; /* bytes, with this field; a later libfabric may append functions */
  function *functions[MOST_FUNCTIONS];
};

/* A fabric, a domain, or a completion queue. */
struct mpispec_fabric_object {
  size_t kind;
  void *context, *common_operations;
  struct table *table;
};

/* The places of functions in the tables of the three kinds. */
enum place { DOMAIN = 0, OPEN_QUEUE = 1, READ = 0 };

typedef int open_function(struct mpispec_fabric_object *parent, void *attributes,
                          struct mpispec_fabric_object **opened, void *context);
typedef ssize_t read_function(struct mpispec_fabric_object *queue, void *buffer, size_t count);

/* --- copies of tables --------------------------------------------------------------------------*/

/* Copies are never released: objects refer to them. A provider has few tables. */
enum { MOST_COPIES = 24 };
static struct copy {
  struct table table; /* first, because objects refer to it */
  const struct table *original;
} copies[MOST_COPIES];
static int copies_used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static function *provider_function(const struct mpispec_fabric_object *object, enum place place) {
  return ((const struct copy *)(const void *)object->table)->original->functions[place];
}

static int is_copy(const struct table *table) {
  return (const char *)table >= (const char *)copies &&
         (const char *)table < (const char *)(copies + MOST_COPIES);
}

static int can_copy(const struct table *table, enum place place) {
  const size_t end = offsetof(struct table, functions) + (place + 1U) * sizeof(function *);
  return table && !is_copy(table) && table->size >= end && table->size <= sizeof *table &&
         table->functions[place];
}

/* Null if no copy is left. Called with the mutex locked. */
static struct copy *find_copy(const struct table *original, enum place place, function *ours) {
  for (int i = 0; i < copies_used; ++i)
    if (copies[i].original == original && copies[i].table.functions[place] == ours)
      return &copies[i];
  if (copies_used == MOST_COPIES)
    return NULL;
  struct copy *copy = &copies[copies_used++];
  copy->original = original;
  memcpy(&copy->table, original, original->size);
  copy->table.functions[place] = ours;
  return copy;
}

static void replace(struct mpispec_fabric_object *object, enum place place, function *ours) {
  if (!can_copy(object->table, place))
    return;
  pthread_mutex_lock(&lock);
  struct copy *copy = find_copy(object->table, place, ours);
  pthread_mutex_unlock(&lock);
  if (copy)
    object->table = &copy->table;
}

/* --- functions of the copies -------------------------------------------------------------------*/

static _Atomic int are_seen;

int mpispec_fabric_polls_are_seen(void) {
  return atomic_load_explicit(&are_seen, memory_order_relaxed);
}

/* An error counts as an event, because the caller then fetches the error. libfabric uses the
 * system's numbers of errors. */
static ssize_t read_queue(struct mpispec_fabric_object *queue, void *buffer, size_t count) {
  if (!mpispec_fabric_polls_are_seen())
    atomic_store_explicit(&are_seen, 1, memory_order_relaxed);
  const ssize_t found = ((read_function *)provider_function(queue, READ))(queue, buffer, count);
  mpispec_library_polled(found != -EAGAIN && found != 0);
  return found;
}

static int open_queue(struct mpispec_fabric_object *domain, void *attributes,
                      struct mpispec_fabric_object **queue, void *context) {
  const int error =
      ((open_function *)provider_function(domain, OPEN_QUEUE))(domain, attributes, queue, context);
  if (!error)
    replace(*queue, READ, (function *)read_queue);
  return error;
}

static int open_domain(struct mpispec_fabric_object *fabric, void *info,
                       struct mpispec_fabric_object **domain, void *context) {
  const int error =
      ((open_function *)provider_function(fabric, DOMAIN))(fabric, info, domain, context);
  if (!error)
    replace(*domain, OPEN_QUEUE, (function *)open_queue);
  return error;
}

typedef int fabric_function(struct mpispec_fabric_attributes *attributes,
                            struct mpispec_fabric_object **fabric, void *context);

int fi_fabric(struct mpispec_fabric_attributes *attributes, struct mpispec_fabric_object **fabric,
              void *context) {
  void *caller = __builtin_return_address(0);
  fabric_function *next = (fabric_function *)mpispec_definition_for_caller("fi_fabric", caller);
  if (!next)
    return -ENOSYS; /* no libfabric is loaded */
  const int error = next(attributes, fabric, context);
  /* Within libfabric, one provider opens another one. */
  if (!error && !mpispec_are_in_one_object(caller, (void *)next))
    replace(*fabric, DOMAIN, (function *)open_domain);
  return error;
}
