/* Polls of libfabric are observed by tables of operations with functions of the runtime: fabric,
 * domain, completion queue. Here a small library stands for libfabric. The results of its functions
 * pass through, and its own tables stay unchanged. Objects that it opens for itself are left alone.
 * The same holds for tables that are too short or too long. */
#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

struct object {
  size_t kind;
  void *context, *operations;
  const struct table *table;
};
struct table {
  size_t size;
  void *functions[40];
};
int fi_fabric(void *attributes, struct object **fabric, void *context);
extern const struct table queue_table, short_table, long_table;
int open_within(struct object **fabric);

#ifdef FABRIC
static ssize_t queue_read(struct object *queue, void *buffer, size_t count) {
  return queue->context ? (ssize_t)count : buffer ? -EAGAIN : -5;
}
const struct table queue_table = {4 * sizeof(size_t), {queue_read}};
const struct table short_table = {sizeof(size_t), {queue_read}};
const struct table long_table = {41 * sizeof(size_t), {queue_read}};

static int open_queue(struct object *domain, void *attributes, struct object **queue, void *context) {
  static struct object queues[40];
  static int used;
  if (!attributes)
    return -22;
  *queue = &queues[used++];
  (*queue)->context = context;
  (*queue)->table = attributes;
  return 0;
}
static int open_vector(void) { return 17; }
static const struct table domain_table = {3 * sizeof(size_t), {open_vector, open_queue}};

static int open_domain(struct object *fabric, void *info, struct object **domain, void *context) {
  static struct object one;
  one.table = &domain_table;
  *domain = &one;
  return info ? -22 : 0;
}
static const struct table fabric_table = {2 * sizeof(size_t), {open_domain}};

int fi_fabric(void *attributes, struct object **fabric, void *context) {
  static struct object outer, inner;
  *fabric = context ? &inner : &outer;
  (*fabric)->table = &fabric_table;
  return attributes ? -22 : 0;
}
int open_within(struct object **fabric) {
  const int error = fi_fabric(NULL, fabric, "inner"); /* by the dynamic linker, as libfabric does */
  __asm__ volatile("" ::: "memory"); /* no tail call */
  return error;
}
#else
#include "check.h"

static int polls, events_seen;
void mpispec_library_polled(unsigned events) {
  ++polls;
  events_seen += events != 0;
}
void *mpispec_definition_behind(const char *name) { return NULL; }
int mpispec_is_of_other_copy(void *function) { return 0; }
int mpispec_fabric_polls_are_seen(void);

typedef int open_function(struct object *, const void *, struct object **, void *);
typedef ssize_t read_function(struct object *, void *, size_t);

static int open_by(struct object *parent, int place, const void *attributes, struct object **opened,
                   void *context) {
  return ((open_function *)parent->table->functions[place])(parent, attributes, opened, context);
}
static ssize_t read_from(struct object *queue, void *buffer, size_t count) {
  return ((read_function *)queue->table->functions[0])(queue, buffer, count);
}

int main(void) {
  struct object *fabric, *inner, *domain, *same, *queue, *other, *odd;
  CHECK(fi_fabric("bad", &fabric, NULL) == -22);
  CHECK(fi_fabric(NULL, &fabric, NULL) == 0);
  CHECK(open_within(&inner) == 0 && inner->table != fabric->table);
  CHECK(open_by(fabric, 0, "bad", &domain, NULL) == -22);
  CHECK(open_by(fabric, 0, NULL, &domain, NULL) == 0);
  CHECK(((int (*)(void))domain->table->functions[0])() == 17); /* the others are the provider's */
  CHECK(open_by(inner, 0, NULL, &same, NULL) == 0 && same == domain);
  CHECK(open_by(fabric, 0, NULL, &same, NULL) == 0);
  CHECK(open_by(domain, 1, NULL, &queue, NULL) == -22);
  CHECK(open_by(domain, 1, &queue_table, &queue, NULL) == 0);
  CHECK(open_by(domain, 1, &queue_table, &other, "full") == 0);
  CHECK(queue->table == other->table && queue->table != &queue_table);
  CHECK(queue->table->size == queue_table.size);
  char byte;
  CHECK(!mpispec_fabric_polls_are_seen());
  CHECK(read_from(queue, &byte, 1) == -EAGAIN && polls == 1 && events_seen == 0);
  CHECK(read_from(other, &byte, 7) == 7 && polls == 2 && events_seen == 1);
  CHECK(read_from(queue, NULL, 1) == -5 && polls == 3 && events_seen == 2);
  CHECK(mpispec_fabric_polls_are_seen());
  CHECK(open_by(domain, 1, &short_table, &odd, NULL) == 0 && odd->table == &short_table);
  CHECK(open_by(domain, 1, &long_table, &odd, NULL) == 0 && odd->table == &long_table);
  CHECK(read_from(odd, &byte, 1) == -EAGAIN && polls == 3);
  static struct table many[40]; /* more tables than copies */
  for (int i = 0; i < 36; ++i) {
    many[i] = queue_table;
    CHECK(open_by(domain, 1, &many[i], &odd, NULL) == 0);
    CHECK(read_from(odd, &byte, 1) == -EAGAIN);
  }
  CHECK(odd->table == &many[35] && polls > 3 && polls < 39);
  return passed();
}
#endif

// RUN: %mpicc -w -O2 -fPIC -shared -DFABRIC %s -o %t.fabric.so
// RUN: %mpicc -w %include -I%S %s %sources/interposition/library/fabric_polls.c %sources/interposition/library/caller_definition.c -o %t %t.fabric.so -rdynamic -ldl -lpthread
// RUN: timeout 60 %t | FileCheck %s
// CHECK: passed
