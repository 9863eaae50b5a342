/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "service.h"

#include "difference.h"
#include "pages.h"
#include "task_queue.h"
#include "user_threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* The kinds of headers. */
enum message {
  MESSAGE_REQUEST,    /* a request for pages [first, first + count) */
  MESSAGE_PAGES,      /* the answer: a body of these pages follows */
  MESSAGE_DIFFERENCE, /* changes in page `first`: a body of `count` bytes follows */
  MESSAGE_ARRIVED,    /* the sender synchronises, in the way `first` (enum sync_kind) */
  MESSAGE_STOP        /* to oneself */
};
struct header {
  int message, first, count, epoch;
};
/* A tag has one sending thread in each rank. Therefore a body is the next one of its tag from the
 * header's sender. */
enum { TAG_HEADER = 1, TAG_PAGES, TAG_DIFFERENCE };

/* Kinds of tasks: TASK_FETCH and TASK_SYNC come from user threads, the others from rec and com. */
enum { TASK_FETCH, TASK_SYNC, TASK_ARRIVED, TASK_ANSWER, TASK_NEW_EPOCH, TASK_STOP };

static struct queue for_com, for_send;
static pthread_t com, rec, send;

/* com increments it, all threads read it. */
static _Atomic int epoch;

static void send_header(int rank, struct header header) {
  header.epoch = epoch;
  MPI_Send(&header, sizeof header, MPI_BYTE, rank, TAG_HEADER, memory.comm);
}

/* The thread com. */

static char *difference_of(int page, size_t *bytes) {
  char *difference = malloc(difference_limit(memory.options.page));
  if (!difference)
    die("no memory for a difference of page %d", page);
  *bytes = difference_make(memory.page[page].whole ? NULL : twin_of(page), service_page(page),
                           memory.options.page, difference);
  return difference;
}

static void send_difference(int page, const char *difference, size_t bytes) {
  const int owner = memory.page[page].owner;
  send_header(owner, (struct header){MESSAGE_DIFFERENCE, page, (int)bytes, 0});
  MPI_Send(difference, (int)bytes, MPI_BYTE, owner, TAG_DIFFERENCE, memory.comm);
  ++counts.differences;
}

/* The difference of the page that leaves the cache. It is sent after the lock is released, because
 * the receiving rec may wait for the lock of its own rank. */
static struct {
  int page;
  size_t bytes;
  char *difference; /* or NULL */
} leaving;

static void keep_leaving(int page) {
  leaving.page = page;
  leaving.difference = difference_of(page, &leaving.bytes);
}

static void admit(int first, int count) {
  for (int page = first; page < first + count; ++page) {
    cache_lock();
    cache_admit(page, keep_leaving);
    cache_unlock();
    if (leaving.difference)
      send_difference(leaving.page, leaving.difference, leaving.bytes);
    free(leaving.difference);
    leaving.difference = NULL;
  }
}

static void fetch(int first, int count) {
  admit(first, count);
  if (memory.page[first].access == SDSM_WRITE_ONLY) {
    cache_lock();
    cache_publish(first, count);
    cache_unlock();
    pages_wake(first, count);
    return;
  }
  send_header(memory.page[first].owner, (struct header){MESSAGE_REQUEST, first, count, 0});
  sdsm_moments[SDSM_REQUESTED] = now_ns();
}

/* The synchronisation under way. A rank may be ahead by one epoch, hence two counts. */
static bool syncing;
static enum sync_kind sync_kind;
static struct {
  int ranks;
  unsigned kinds; /* a bit for each kind that was announced */
} arrived[2];
static _Atomic uint32_t sync_waits; /* 1 while the user's thread waits */

static void flush_page(int page) {
  size_t bytes;
  char *difference = difference_of(page, &bytes);
  send_difference(page, difference, bytes);
  free(difference);
}

/* No user thread accesses shared memory and no page is under way: the cache needs no lock. */
static void begin_sync(enum sync_kind kind) {
  syncing = true;
  sync_kind = kind;
  if (kind == SYNC_MERGE)
    cache_each_changed(flush_page);
  for (int rank = 0; rank < memory.ranks; ++rank)
    if (rank != memory.rank)
      send_header(rank, (struct header){MESSAGE_ARRIVED, (int)kind, 0, 0});
  if (kind != SYNC_KEEP)
    cache_drop();
}

static void finish_sync(void) {
  if (memory.ranks > 1 && arrived[epoch & 1].kinds != 1u << sync_kind)
    die("other ranks synchronise in another way here; each rank has to make the same call");
  arrived[epoch & 1].ranks = 0;
  arrived[epoch & 1].kinds = 0;
  syncing = false;
  if (sync_kind != SYNC_KEEP)
    pending_finish(epoch, sync_kind == SYNC_MERGE);
  ++epoch;
  queue_put(&for_send, (struct task){.kind = TASK_NEW_EPOCH});
  sync_waits = 0;
  word_wake(&sync_waits);
}

static void *run_com(void *unused) {
  for (;;) {
    const struct task task = queue_take(&for_com);
    switch (task.kind) {
    case TASK_FETCH:
      fetch(task.first, task.count);
      break;
    case TASK_SYNC:
      begin_sync((enum sync_kind)task.first);
      break;
    case TASK_ARRIVED:
      ++arrived[task.epoch & 1].ranks;
      arrived[task.epoch & 1].kinds |= 1u << task.first;
      break;
    default:
      send_header(memory.rank, (struct header){MESSAGE_STOP, 0, 0, 0});
      queue_put(&for_send, (struct task){.kind = TASK_STOP});
      return unused;
    }
    if (syncing && arrived[epoch & 1].ranks == memory.ranks - 1)
      finish_sync();
  }
}

/* The thread send. */

/* Differences of the asking rank that this owner has not merged are part of what that rank must
 * see: it made them. */
static const char *body_for(int rank, int first, int count, char **copy) {
  if (!pending_has(first, count, rank))
    return service_page(first);
  const size_t page_bytes = memory.options.page;
  *copy = malloc(count * page_bytes);
  if (!*copy)
    die("no memory for a copy of %d pages", count);
  memcpy(*copy, service_page(first), count * page_bytes);
  for (int i = 0; i < count; ++i)
    pending_apply(first + i, rank, *copy + i * page_bytes);
  return *copy;
}

static void answer(const struct task *task) {
  char *copy = NULL;
  const char *body = body_for(task->rank, task->first, task->count, &copy);
  send_header(task->rank, (struct header){MESSAGE_PAGES, task->first, task->count, 0});
  MPI_Send(body, (int)(task->count * memory.options.page), MPI_BYTE, task->rank, TAG_PAGES,
           memory.comm);
  free(copy);
}

static void *run_send(void *unused) {
  struct queue early; /* requests of ranks that are in the next epoch */
  queue_open(&early, for_send.capacity);
  for (;;) {
    struct task task = queue_take(&for_send);
    if (task.kind == TASK_STOP)
      break;
    if (task.kind == TASK_ANSWER && task.epoch > epoch) {
      queue_put(&early, task);
      continue;
    }
    if (task.kind == TASK_ANSWER)
      answer(&task);
    else
      while (early.head != early.tail)
        queue_put(&for_send, queue_take(&early));
  }
  queue_close(&early);
  return unused;
}

/* The thread rec. */

/* Returns when there is a header, with pauses that leave the processor to other threads. */
static void probe_for_header(void) {
  enum { YIELDS = 100 };
  static const struct timespec pause = {.tv_nsec = 20000};
  int here = 0;
  for (int attempt = 0;; ++attempt) {
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_HEADER, memory.comm, &here, MPI_STATUS_IGNORE);
    if (here)
      return;
    if (attempt < YIELDS)
      sched_yield();
    else
      nanosleep(&pause, NULL);
  }
}

static void receive_pages(int first, int count, int owner) {
  const int bytes = (int)(count * memory.options.page);
  const bool in_place = !memory.options.second_mapping;
  sdsm_moments[SDSM_HEADER] = now_ns();
  if (in_place) {
    user_threads_suspend();
    set_access(first, count, PROT_READ | PROT_WRITE);
  }
  sdsm_moments[SDSM_OPENED] = now_ns();
  MPI_Recv(in_place ? user_page(first) : service_page(first), bytes, MPI_BYTE, owner, TAG_PAGES,
           memory.comm, MPI_STATUS_IGNORE);
  sdsm_moments[SDSM_BODY] = now_ns();
  counts.pages += count;
  ++counts.bodies;
  cache_lock();
  cache_publish(first, count);
  cache_unlock();
  if (in_place)
    user_threads_resume();
  sdsm_moments[SDSM_ACCESS] = now_ns();
  pages_wake(first, count);
}

static void receive_difference(const struct header *header, int rank) {
  char *difference = malloc(header->count);
  if (!difference)
    die("no memory for a difference of page %d", header->first);
  MPI_Recv(difference, header->count, MPI_BYTE, rank, TAG_DIFFERENCE, memory.comm,
           MPI_STATUS_IGNORE);
  pending_add(header->first, rank, header->epoch, difference);
  free(difference);
}

static void *run_rec(void *unused) {
  for (;;) {
    struct header header;
    MPI_Status status;
    if (memory.options.probe)
      probe_for_header();
    MPI_Recv(&header, sizeof header, MPI_BYTE, MPI_ANY_SOURCE, TAG_HEADER, memory.comm, &status);
    const int rank = status.MPI_SOURCE;
    switch (header.message) {
    case MESSAGE_REQUEST:
      queue_put(&for_send,
                (struct task){TASK_ANSWER, header.first, header.count, rank, header.epoch});
      break;
    case MESSAGE_PAGES:
      receive_pages(header.first, header.count, rank);
      break;
    case MESSAGE_DIFFERENCE:
      receive_difference(&header, rank);
      break;
    case MESSAGE_ARRIVED:
      queue_put(&for_com,
                (struct task){.kind = TASK_ARRIVED, .first = header.first, .epoch = header.epoch});
      break;
    default:
      return unused;
    }
  }
}

void service_fetch(int first, int count) {
  queue_put(&for_com, (struct task){.kind = TASK_FETCH, .first = first, .count = count});
}

void service_sync(enum sync_kind kind) {
  const long begun = now_ns();
  sync_waits = 1;
  queue_put(&for_com, (struct task){.kind = TASK_SYNC, .first = (int)kind});
  word_wait(&sync_waits, 1);
  counts.sync_ns += now_ns() - begun;
}

static void start(pthread_t *thread, void *(*run)(void *)) {
  if (pthread_create(thread, NULL, run, NULL) != 0)
    die("no service thread could be started");
}

void service_open(void) {
  epoch = 0;
  pending_open();
  /* A page is in one task at most. */
  queue_open(&for_com, (size_t)memory.pages + 4 * (size_t)memory.ranks + 16);
  queue_open(&for_send, (size_t)memory.pages * (size_t)memory.ranks + 16);
  start(&com, run_com);
  start(&rec, run_rec);
  start(&send, run_send);
}

void service_close(void) {
  service_sync(SYNC_DROP);
  queue_put(&for_com, (struct task){.kind = TASK_STOP});
  pthread_join(com, NULL);
  pthread_join(rec, NULL);
  pthread_join(send, NULL);
  pending_close();
  queue_close(&for_com);
  queue_close(&for_send);
}
