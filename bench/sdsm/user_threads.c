/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "user_threads.h"

#include "pages.h"
#include "service.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

enum thread_state { THREAD_IDLE, THREAD_COMPUTES, THREAD_IN_FAULT, THREAD_SUSPENDED };

struct user_thread {
  struct user_thread *next;
  pthread_t id;
  _Atomic uint32_t state; /* enum thread_state */
};
/* Threads are added at their first sdsm_compute_begin and stay to the end of the program. */
static _Atomic(struct user_thread *) threads;
static _Thread_local struct user_thread *self;

/* 1 while threads are suspended. A thread writes its state and then reads this word; rec writes
 * this word and then reads the states. Therefore one of them sees the other. */
static _Atomic uint32_t held;

enum { SUSPEND_SIGNAL = SIGUSR1 };

long sdsm_moments[SDSM_MOMENTS];

static void enter(uint32_t state) {
  for (;;) {
    self->state = state;
    if (!held)
      return;
    self->state = THREAD_SUSPENDED;
    word_wait(&held, 1);
  }
}

void sdsm_compute_begin(void) {
  if (!self) {
    self = calloc(1, sizeof *self);
    if (!self)
      die("no memory for the record of a thread");
    self->id = pthread_self();
    self->next = threads;
    while (!atomic_compare_exchange_weak(&threads, &self->next, self))
      ;
  }
  enter(THREAD_COMPUTES);
}

void sdsm_compute_end(void) { self->state = THREAD_IDLE; }

bool user_threads_pause(void) {
  const bool computes = self && self->state == THREAD_COMPUTES;
  if (computes)
    sdsm_compute_end();
  return computes;
}

static void on_suspend(int signal) {
  (void)signal;
  const int kept = errno;
  if (self && self->state == THREAD_COMPUTES)
    enter(THREAD_COMPUTES);
  errno = kept;
}

void user_threads_suspend(void) {
  held = 1;
  for (struct user_thread *t = threads; t; t = t->next)
    if (t->state == THREAD_COMPUTES)
      pthread_kill(t->id, SUSPEND_SIGNAL);
  for (struct user_thread *t = threads; t; t = t->next)
    while (t->state == THREAD_COMPUTES)
      sched_yield();
}

void user_threads_resume(void) {
  held = 0;
  word_wake(&held);
}

/* Whether the access that failed was a write. Where the processor's report is not known, the first
 * fault of a page counts as a read. If it was a write, it fails once more on the readable page. */
static bool wanted_to_write(int page, const ucontext_t *context) {
#if defined(__x86_64__)
  (void)page;
  return context->uc_mcontext.gregs[REG_ERR] & 2;
#else
  (void)context;
  return memory.page[page].state == PAGE_READ;
#endif
}

/* Makes one page accessible. Returns when it is, or was at some time since the call. */
static void fetch_page(int page, enum sdsm_access access) {
  struct page *p = &memory.page[page];
  cache_lock();
  const uint32_t state = p->state;
  if (state == PAGE_ABSENT) {
    p->access = (uint8_t)access;
    p->state = PAGE_WANTED;
  } else if (state == PAGE_READ && access == SDSM_WRITE) {
    cache_make_writable(page);
  }
  cache_unlock();
  if (state == PAGE_ABSENT) {
    service_fetch(page, 1);
    sdsm_moments[SDSM_QUEUED] = now_ns();
  }
  if (state == PAGE_ABSENT || state == PAGE_WANTED)
    page_wait(page);
}

static void on_fault(int signal, siginfo_t *info, void *context) {
  const long begun = now_ns();
  const char *address = info->si_addr;
  const char *end = memory.user + memory.allocated * memory.options.page;
  if (address < memory.user || address >= end) {
    /* Not ours: the access fails again, in the ordinary way. */
    sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    return;
  }
  const int kept = errno;
  const uint32_t before = self ? self->state : THREAD_IDLE;
  if (self)
    self->state = THREAD_IN_FAULT;
  sdsm_moments[SDSM_HANDLER] = begun;
  const int page = (int)((size_t)(address - memory.user) / memory.options.page);
  fetch_page(page, wanted_to_write(page, context) ? SDSM_WRITE : SDSM_READ);
  if (self)
    enter(before);
  const long ended = now_ns();
  sdsm_moments[SDSM_WOKEN] = ended;
  ++counts.faults;
  counts.fault_ns += ended - begun;
  errno = kept;
}

static struct sigaction former_fault, former_suspend;

void user_threads_open(void) {
  struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigemptyset(&fault.sa_mask);
  sigaddset(&fault.sa_mask, SUSPEND_SIGNAL);
  struct sigaction suspend = {.sa_handler = on_suspend, .sa_flags = SA_RESTART};
  sigaction(SIGSEGV, &fault, &former_fault);
  sigaction(SUSPEND_SIGNAL, &suspend, &former_suspend);
}

void user_threads_close(void) {
  sigaction(SIGSEGV, &former_fault, NULL);
  sigaction(SUSPEND_SIGNAL, &former_suspend, NULL);
}
