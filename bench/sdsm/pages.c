/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "pages.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct memory memory;
struct atomic_counts counts;

/* Shared data lie here in every rank: far from where the kernel puts programs and libraries. */
static char *const FIXED_ADDRESS = (char *)0x200000000000;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void cache_lock(void) { pthread_mutex_lock(&lock); }
void cache_unlock(void) { pthread_mutex_unlock(&lock); }

void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "sdsm: rank %d: ", memory.rank);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  MPI_Abort(MPI_COMM_WORLD, 1);
  abort();
}

long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

void word_wait(_Atomic uint32_t *word, uint32_t value) {
  while (atomic_load(word) == value)
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

void word_wake(_Atomic uint32_t *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

void page_wait(int page) {
  struct page *p = &memory.page[page];
  ++p->sleepers;
  word_wait(&p->state, PAGE_WANTED);
  --p->sleepers;
}

void pages_wake(int first, int count) {
  for (int page = first; page < first + count; ++page)
    if (memory.page[page].sleepers > 0)
      word_wake(&memory.page[page].state);
}

static void map_both(size_t bytes) {
  const int file = memfd_create("sdsm", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, (off_t)bytes) != 0)
    die("no memory file of %zu bytes: %s", bytes, strerror(errno));
  memory.user = mmap(FIXED_ADDRESS, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);
  if (memory.user != FIXED_ADDRESS)
    die("the address %p is taken: %s", (void *)FIXED_ADDRESS, strerror(errno));
  memory.service = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory.service == MAP_FAILED)
    die("no second mapping of %zu bytes: %s", bytes, strerror(errno));
  close(file);
}

static void open_cache(void) {
  const size_t page = memory.options.page;
  const int pages =
      memory.options.cache / page < INT32_MAX ? (int)(memory.options.cache / page) : 0;
  memory.capacity = pages < memory.pages ? pages : memory.pages;
  /* An access may touch two pages, and a preload leaves a page for each thread. */
  const int least = 3 * memory.options.threads;
  if (pages < least)
    die("a cache of %d pages is too small for %d threads: give at least %zu bytes", pages,
        memory.options.threads, least * page);
  if (memory.capacity < least)
    memory.capacity = least;
  memory.oldest = memory.youngest = NONE;
  const size_t twins = memory.capacity * page;
  memory.twins =
      mmap(NULL, twins, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  memory.free_twins = malloc(memory.capacity * sizeof *memory.free_twins);
  if (memory.twins == MAP_FAILED || !memory.free_twins)
    die("no memory for copies of %d pages", memory.capacity);
  for (int twin = 0; twin < memory.capacity; ++twin)
    memory.free_twins[memory.free_twin_count++] = twin;
}

void memory_open(const struct sdsm_options *options, MPI_Comm comm) {
  memory = (struct memory){.options = *options, .comm = comm};
  MPI_Comm_rank(comm, &memory.rank);
  MPI_Comm_size(comm, &memory.ranks);
  const size_t page = options->page, kernel = (size_t)sysconf(_SC_PAGESIZE);
  if (page == 0 || page % kernel != 0)
    die("a page of %zu bytes is no multiple of the kernel's page of %zu", page, kernel);
  memory.pages = (int)((options->region + page - 1) / page);
  map_both(memory.pages * page);
  memory.page = calloc(memory.pages, sizeof *memory.page);
  if (!memory.page)
    die("no memory for a table of %d pages", memory.pages);
  for (int i = 0; i < memory.pages; ++i)
    memory.page[i].twin = memory.page[i].older = memory.page[i].younger = NONE;
  open_cache();
}

void memory_close(void) {
  const size_t bytes = memory.pages * memory.options.page;
  munmap(memory.user, bytes);
  munmap(memory.service, bytes);
  munmap(memory.twins, memory.capacity * memory.options.page);
  free(memory.free_twins);
  free(memory.page);
}

void set_access(int first, int count, int protection) {
  if (mprotect(user_page(first), count * memory.options.page, protection) != 0)
    die("no access to pages %d to %d: %s. Larger pages need fewer mappings (vm.max_map_count)",
        first, first + count - 1, strerror(errno));
}

char *twin_of(int page) {
  const int twin = memory.page[page].twin;
  return twin == NONE ? NULL : memory.twins + twin * memory.options.page;
}

/* Takes a page out of the list of cached pages. */
static void unlink_page(int page) {
  struct page *p = &memory.page[page];
  *(p->older == NONE ? &memory.oldest : &memory.page[p->older].younger) = p->younger;
  *(p->younger == NONE ? &memory.youngest : &memory.page[p->younger].older) = p->older;
  p->older = p->younger = NONE;
}

static void make_youngest(int page) {
  struct page *p = &memory.page[page];
  p->older = memory.youngest;
  *(memory.youngest == NONE ? &memory.oldest : &memory.page[memory.youngest].younger) = page;
  memory.youngest = page;
}

static void forget_changes(struct page *p) {
  if (p->twin != NONE)
    memory.free_twins[memory.free_twin_count++] = p->twin;
  p->twin = NONE;
  p->whole = false;
}

/* The page that leaves a full cache: the oldest one that is not changed, else the oldest one. Pages
 * under way stay. */
static int page_to_evict(void) {
  int changed = NONE;
  for (int page = memory.oldest; page != NONE; page = memory.page[page].younger) {
    const uint32_t state = memory.page[page].state;
    if (state == PAGE_READ || state == PAGE_ABSENT)
      return page;
    if (state == PAGE_WRITE && changed == NONE)
      changed = page;
  }
  return changed;
}

static void evict(void (*send_difference)(int page)) {
  const int page = page_to_evict();
  if (page == NONE)
    die("all %d pages of the cache are under way; more threads than the options say?",
        memory.capacity);
  struct page *p = &memory.page[page];
  if (p->state != PAGE_ABSENT) {
    set_access(page, 1, PROT_NONE); /* before the comparison: no write may escape it */
    ++counts.evicted;
    if (p->state == PAGE_WRITE)
      send_difference(page);
    p->state = PAGE_ABSENT;
  }
  forget_changes(p);
  if (madvise(service_page(page), memory.options.page, MADV_REMOVE) != 0)
    die("the memory of page %d does not go: %s", page, strerror(errno));
  unlink_page(page);
  p->framed = false;
  --memory.frames;
}

void cache_admit(int page, void (*send_difference)(int page)) {
  struct page *p = &memory.page[page];
  if (p->framed) {
    unlink_page(page);
  } else {
    if (memory.frames == memory.capacity)
      evict(send_difference);
    ++memory.frames;
    p->framed = true;
  }
  make_youngest(page);
}

/* Keeps a copy, with which the page is compared later. */
static void keep_twin(int page) {
  struct page *p = &memory.page[page];
  p->twin = memory.free_twins[--memory.free_twin_count];
  memcpy(twin_of(page), service_page(page), memory.options.page);
}

void cache_publish(int first, int count) {
  const enum sdsm_access access = memory.page[first].access;
  for (int page = first; page < first + count; ++page)
    if (access == SDSM_WRITE)
      keep_twin(page);
    else
      memory.page[page].whole = access == SDSM_WRITE_ONLY;
  set_access(first, count, access == SDSM_READ ? PROT_READ : PROT_READ | PROT_WRITE);
  for (int page = first; page < first + count; ++page)
    memory.page[page].state = access == SDSM_READ ? PAGE_READ : PAGE_WRITE;
}

void cache_make_writable(int page) {
  keep_twin(page);
  set_access(page, 1, PROT_READ | PROT_WRITE);
  memory.page[page].state = PAGE_WRITE;
}

void cache_drop(void) {
  int first = NONE, count = 0; /* adjacent pages, whose access changes at once */
  for (int page = memory.oldest; page != NONE; page = memory.page[page].younger) {
    struct page *p = &memory.page[page];
    if (p->state != PAGE_READ && p->state != PAGE_WRITE)
      continue;
    forget_changes(p);
    p->state = PAGE_ABSENT;
    if (count > 0 && page == first + count) {
      ++count;
      continue;
    }
    if (count > 0)
      set_access(first, count, PROT_NONE);
    first = page;
    count = 1;
  }
  if (count > 0)
    set_access(first, count, PROT_NONE);
}

void cache_each_changed(void (*visit)(int page)) {
  for (int page = memory.oldest; page != NONE; page = memory.page[page].younger)
    if (memory.page[page].state == PAGE_WRITE)
      visit(page);
}
