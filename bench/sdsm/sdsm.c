/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sdsm.h"

#include "pages.h"
#include "service.h"
#include "user_threads.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

/* The largest body of a message, unless a single page is larger. */
enum { LARGEST_BODY = 4 << 20 };

void sdsm_open(const struct sdsm_options *options, MPI_Comm comm) {
  int level;
  MPI_Query_thread(&level);
  if (level != MPI_THREAD_MULTIPLE)
    die("MPI_THREAD_MULTIPLE is needed; call MPI_Init_thread and choose a library that provides "
        "it");
  MPI_Comm own;
  MPI_Comm_dup(comm, &own);
  memory_open(options, own);
  user_threads_open();
  service_open();
}

void sdsm_close(void) {
  service_close();
  user_threads_close();
  memory_close();
  MPI_Comm_free(&memory.comm);
}

/* The next pages of the region. */
static int take_pages(size_t bytes) {
  const size_t page = memory.options.page;
  const size_t count = (bytes + page - 1) / page;
  if (count > (size_t)(memory.pages - memory.allocated))
    die("%zu bytes do not fit into the rest of the region, %zu bytes; give a larger one", bytes,
        (memory.pages - memory.allocated) * page);
  const int first = memory.allocated;
  memory.allocated += (int)count;
  return first;
}

static void give_page(int page, int owner) {
  memory.page[page].owner = (uint16_t)owner;
  if (owner == memory.rank) {
    memory.page[page].state = PAGE_OWN;
    set_access(page, 1, PROT_READ | PROT_WRITE);
  }
}

void *sdsm_alloc(size_t bytes, int owner) {
  if (owner < 0 || owner >= memory.ranks)
    die("rank %d cannot own memory: there are %d ranks", owner, memory.ranks);
  const int first = take_pages(bytes);
  for (int page = first; page < memory.allocated; ++page)
    give_page(page, owner);
  service_sync(SYNC_KEEP);
  return user_page(first);
}

void sdsm_part(size_t extent, int divisions, int part, size_t *low, size_t *high) {
  *low = extent * (size_t)part / (size_t)divisions;
  *high = extent * (size_t)(part + 1) / (size_t)divisions;
}

/* The part of one dimension in which an index lies. */
static int part_of(size_t extent, int divisions, size_t index) {
  int part = (int)(index * (size_t)divisions / extent);
  for (size_t low, high;; ++part) {
    sdsm_part(extent, divisions, part, &low, &high);
    if (index < high)
      return part;
  }
}

static int owner_of_element(const struct sdsm_array *array, size_t index) {
  size_t at[3];
  for (int i = 2; i >= 0; --i) {
    at[i] = index % array->dims[i];
    index /= array->dims[i];
  }
  int owner = 0;
  for (int i = 0; i < 3; ++i)
    owner = owner * array->divisions[i] + part_of(array->dims[i], array->divisions[i], at[i]);
  return owner;
}

struct sdsm_array sdsm_mapalloc(size_t element, const size_t dims[3], const int divisions[3]) {
  struct sdsm_array array = {.element = element};
  memcpy(array.dims, dims, sizeof array.dims);
  memcpy(array.divisions, divisions, sizeof array.divisions);
  if ((long)divisions[0] * divisions[1] * divisions[2] > memory.ranks)
    die("%d x %d x %d parts need more than the %d ranks", divisions[0], divisions[1], divisions[2],
        memory.ranks);
  const size_t elements = dims[0] * dims[1] * dims[2], page_bytes = memory.options.page;
  const int first = take_pages(elements * element);
  for (int page = first; page < memory.allocated; ++page) {
    /* The first element that begins in the page. */
    const size_t index = ((size_t)(page - first) * page_bytes + element - 1) / element;
    give_page(page, owner_of_element(&array, index < elements ? index : elements - 1));
  }
  service_sync(SYNC_KEEP);
  array.start = user_page(first);
  return array;
}

void sdsm_barrier(void) { service_sync(SYNC_MERGE); }
void sdsm_sync_drop(void) { service_sync(SYNC_DROP); }
void sdsm_sync(void) { service_sync(SYNC_KEEP); }

/* A run of adjacent pages of one owner that the caller has made PAGE_WANTED. */
struct run {
  int first, count;
};

static void end_run(struct run *run) {
  if (run->count > 0)
    service_fetch(run->first, run->count);
  run->count = 0;
}

static void add_to_run(struct run *run, int page) {
  const size_t bytes = (size_t)(run->count + 1) * memory.options.page;
  if (run->count > 0 && (page != run->first + run->count || bytes > LARGEST_BODY ||
                         memory.page[page].owner != memory.page[run->first].owner))
    end_run(run);
  if (run->count == 0)
    run->first = page;
  ++run->count;
}

/* Requests what is absent of [first, end), at most `room` pages. Returns how many. */
static int request(int first, int end, enum sdsm_access access, int room) {
  struct run run = {0, 0};
  int requested = 0;
  cache_lock();
  for (int page = first; page < end; ++page) {
    struct page *p = &memory.page[page];
    if (p->state == PAGE_READ && access != SDSM_READ)
      cache_make_writable(page);
    if (p->state != PAGE_ABSENT || requested == room)
      continue;
    p->access = (uint8_t)access;
    p->state = PAGE_WANTED;
    add_to_run(&run, page);
    ++requested;
  }
  cache_unlock();
  end_run(&run);
  return requested;
}

/* Waits for the pages of [first, end) that are requested. The result is true if all are present. */
static bool await(int first, int end) {
  bool present = true;
  for (int page = first; page < end; ++page) {
    page_wait(page);
    present &= memory.page[page].state != PAGE_ABSENT;
  }
  return present;
}

/* Ranges of pages, with none twice and none adjacent to the one before. */
struct ranges {
  const struct sdsm_array *array;
  const size_t *low, *high;
  size_t z, y; /* the next row */
};

static void row_pages(const struct ranges *ranges, int *first, int *end) {
  const struct sdsm_array *array = ranges->array;
  const size_t row = (ranges->z * array->dims[1] + ranges->y) * array->dims[2];
  const size_t offset = (size_t)(array->start - memory.user), page = memory.options.page;
  *first = (int)((offset + (row + ranges->low[2]) * array->element) / page);
  *end = (int)((offset + (row + ranges->high[2]) * array->element - 1) / page) + 1;
}

static bool rows_left(const struct ranges *ranges) { return ranges->z < ranges->high[0]; }

static void next_row(struct ranges *ranges) {
  if (++ranges->y == ranges->high[1]) {
    ranges->y = ranges->low[1];
    ++ranges->z;
  }
}

static bool next_range(struct ranges *ranges, int *first, int *end) {
  if (!rows_left(ranges))
    return false;
  row_pages(ranges, first, end);
  for (next_row(ranges); rows_left(ranges); next_row(ranges)) {
    int row_first, row_end;
    row_pages(ranges, &row_first, &row_end);
    if (row_first > *end)
      break;
    *end = row_end;
  }
  return true;
}

/* One preload at a time, because each may fill the cache but for a page of each thread. */
static pthread_mutex_t preload_lock = PTHREAD_MUTEX_INITIALIZER;

bool sdsm_preload_array(const struct sdsm_array *array, const size_t low[3], const size_t high[3],
                        enum sdsm_access access) {
  const long begun = now_ns();
  bool present = true;
  for (int i = 0; i < 3; ++i)
    if (low[i] > high[i] || high[i] > array->dims[i])
      die("dimension %d has no elements %zu to %zu: its extent is %zu", i, low[i], high[i],
          array->dims[i]);
  if (low[0] == high[0] || low[1] == high[1] || low[2] == high[2])
    return true;
  const bool computes = user_threads_pause();
  pthread_mutex_lock(&preload_lock);
  const struct ranges all = {array, low, high, low[0], low[1]};
  struct ranges ranges = all;
  int first, end, room = memory.capacity - memory.options.threads;
  while (next_range(&ranges, &first, &end))
    room -= request(first, end, access, room);
  for (ranges = all; next_range(&ranges, &first, &end);)
    present &= await(first, end);
  pthread_mutex_unlock(&preload_lock);
  if (computes)
    sdsm_compute_begin();
  counts.preload_ns += now_ns() - begun;
  return present;
}

bool sdsm_preload(const void *start, size_t bytes, enum sdsm_access access) {
  const char *address = start, *end = memory.user + memory.allocated * memory.options.page;
  if (address < memory.user || address > end || bytes > (size_t)(end - address))
    die("%p and %zu bytes after it are not all in the shared memory", start, bytes);
  const struct sdsm_array bytes_there = {(char *)address, 1, {1, 1, bytes}, {1, 1, 1}};
  return sdsm_preload_array(&bytes_there, (size_t[]){0, 0, 0}, bytes_there.dims, access);
}

struct sdsm_counts sdsm_counts(void) {
  return (struct sdsm_counts){counts.faults,  counts.fault_ns,   counts.preload_ns,
                              counts.sync_ns, counts.pages,      counts.bodies,
                              counts.evicted, counts.differences};
}
