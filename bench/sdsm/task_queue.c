/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "task_queue.h"

#include "pages.h"

#include <sched.h>
#include <stdlib.h>

void queue_open(struct queue *queue, size_t capacity) {
  *queue = (struct queue){.capacity = capacity, .task = malloc(capacity * sizeof(struct task))};
  if (!queue->task)
    die("no memory for a queue of %zu tasks", capacity);
  pthread_mutex_init(&queue->lock, NULL);
  pthread_cond_init(&queue->filled, NULL);
}

void queue_close(struct queue *queue) {
  pthread_mutex_destroy(&queue->lock);
  pthread_cond_destroy(&queue->filled);
  free(queue->task);
}

void queue_put(struct queue *queue, struct task task) {
  pthread_mutex_lock(&queue->lock);
  if (queue->tail - queue->head == queue->capacity)
    die("a queue of %zu tasks is full", queue->capacity);
  queue->task[queue->tail++ % queue->capacity] = task;
  pthread_cond_signal(&queue->filled);
  pthread_mutex_unlock(&queue->lock);
}

/* With the lock. */
static void await_task(struct queue *queue) {
  if (!memory.options.awake) {
    pthread_cond_wait(&queue->filled, &queue->lock);
    return;
  }
  pthread_mutex_unlock(&queue->lock);
  sched_yield();
  pthread_mutex_lock(&queue->lock);
}

struct task queue_take(struct queue *queue) {
  pthread_mutex_lock(&queue->lock);
  while (queue->head == queue->tail)
    await_task(queue);
  const struct task task = queue->task[queue->head++ % queue->capacity];
  pthread_mutex_unlock(&queue->lock);
  return task;
}
