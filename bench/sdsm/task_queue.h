/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* task_queue.h - tasks that the threads of a rank hand to each other.
 *
 * The capacity is fixed, because the handler of SIGSEGV puts tasks as well and allocates nothing.
 */
#ifndef SDSM_TASK_QUEUE_H
#define SDSM_TASK_QUEUE_H

#include <pthread.h>
#include <stddef.h>

struct task {
  int kind;
  int first, count; /* pages */
  int rank;         /* that asks */
  int epoch;        /* the asking rank's */
};

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  struct task *task;
  size_t capacity, head, tail; /* head and tail only grow */
};

void queue_open(struct queue *queue, size_t capacity);
void queue_close(struct queue *queue);
/* Does not wait for room: more tasks than the capacity are a mistake of the caller. */
void queue_put(struct queue *queue, struct task task);
/* Sleeps until there is a task. */
struct task queue_take(struct queue *queue);

#endif
