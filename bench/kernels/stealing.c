/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* stealing.c - work stealing: counts the nodes of an unbalanced tree. A rank without nodes sends a
 * request to a random rank, which answers with up to half of its nodes. Each rank polls for
 * messages from any rank after every few nodes.
 *
 * Sender, kind and length of a message are known only when it has arrived. Safra's algorithm (EWD
 * 998) detects the end. A token goes round. For each rank it adds the number of messages with nodes
 * that the rank has sent, less the number that it has received. Nodes in a message are not counted
 * yet.
 *
 *   stealing [repetitions] */
#include "kernel.h"
#include <string.h>

#ifndef DEPTH
#define DEPTH 16
#endif
enum { request_tag = 1, work_tag = 2, token_tag = 3, stop_tag = 4 };
enum { NODES_A_LOOK = 8, MOST_NODES = 4096, NODE_WORDS = 2, MOST_STOLEN = 256 };
enum { BALANCE, IS_BLACK, TOKEN_WORDS };

struct node {
  unsigned state, depth;
};

static struct stack {
  struct node nodes[MOST_NODES];
  int count;
} stack;

static int rank, size;
static unsigned chance;                   /* whom to ask next */
static int asked, stopped;                /* a request is unanswered; the end was announced */
static int balance, is_black;             /* Safra: works sent less works got; got one since */
static int has_token, token[TOKEN_WORDS]; /* rank 0 begins with it */
static double nodes_done, states_done;    /* exact: far below 2^53 */

/* --- the tree ----------------------------------------------------------------------------------*/

static unsigned mix(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

/* Nought to four children, two on average; the root has four. */
static void visit(struct stack *s) {
  const struct node node = s->nodes[--s->count];
  const unsigned children = node.depth == 0 ? 4 : node.depth < DEPTH ? mix(node.state) % 5 : 0;
  for (unsigned i = 0; i < children; i++)
    s->nodes[s->count++] = (struct node){mix(node.state + 0x9e3779b9u * (i + 1)), node.depth + 1};
  nodes_done += 1;
  states_done += node.state % 1024;
}

static void plant(struct stack *s) { s->nodes[s->count++] = (struct node){12345, 0}; }

/* --- messages ----------------------------------------------------------------------------------*/

/* Half of what is there, the oldest, whose trees are the largest; perhaps nothing. */
static void answer(int thief) {
  int half = stack.count / 2;
  if (half > MOST_STOLEN)
    half = MOST_STOLEN;
  MPI_Send(stack.nodes, half * NODE_WORDS, MPI_UNSIGNED, thief, work_tag, MPI_COMM_WORLD);
  stack.count -= half;
  memmove(stack.nodes, &stack.nodes[half], (size_t)stack.count * sizeof *stack.nodes);
  balance += half > 0;
}

static void take_work(const MPI_Status *status) {
  int words;
  MPI_Get_count(status, MPI_UNSIGNED, &words);
  MPI_Recv(&stack.nodes[stack.count], words, MPI_UNSIGNED, status->MPI_SOURCE, work_tag,
           MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  stack.count += words / NODE_WORDS;
  asked = 0;
  balance -= words > 0;
  is_black |= words > 0;
}

static void take(const MPI_Status *status) {
  switch (status->MPI_TAG) {
  case request_tag:
    MPI_Recv(NULL, 0, MPI_BYTE, status->MPI_SOURCE, request_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    answer(status->MPI_SOURCE);
    break;
  case work_tag:
    take_work(status);
    break;
  case token_tag:
    MPI_Recv(token, TOKEN_WORDS, MPI_INT, status->MPI_SOURCE, token_tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    has_token = 1;
    break;
  case stop_tag:
    MPI_Recv(NULL, 0, MPI_BYTE, status->MPI_SOURCE, stop_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    stopped = 1;
    break;
  }
}

static void look(void) {
  for (int found = 1; found;) {
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
    if (found)
      take(&status);
  }
}

static void ask(void) {
  chance = mix(chance + 1);
  const int victim = (rank + 1 + (int)(chance % (unsigned)(size - 1))) % size;
  MPI_Send(NULL, 0, MPI_BYTE, victim, request_tag, MPI_COMM_WORLD);
  asked = 1;
}

/* --- the end -----------------------------------------------------------------------------------*/

static void announce_end(void) {
  for (int other = 1; other < size; other++)
    MPI_Send(NULL, 0, MPI_BYTE, other, stop_tag, MPI_COMM_WORLD);
  stopped = 1;
}

/* Called when there is nothing to do. Rank 0 judges the round that ended and begins the next. */
static void pass_token(void) {
  if (rank == 0 && !token[IS_BLACK] && !is_black && token[BALANCE] + balance == 0) {
    announce_end();
    return;
  }
  token[BALANCE] = rank == 0 ? 0 : token[BALANCE] + balance;
  token[IS_BLACK] = rank == 0 ? 0 : token[IS_BLACK] | is_black;
  is_black = has_token = 0;
  MPI_Send(token, TOKEN_WORDS, MPI_INT, (rank + 1) % size, token_tag, MPI_COMM_WORLD);
}

/* Some still wait for an answer: nobody leaves before all have theirs. */
static void leave(void) {
  MPI_Request request;
  int all = 0;
  while (asked)
    look();
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  while (!all) {
    look();
    MPI_Test(&request, &all, MPI_STATUS_IGNORE);
  }
}

static void run(void) {
  while (!stopped) {
    for (int i = 0; i < NODES_A_LOOK && stack.count > 0; i++)
      visit(&stack);
    if (size > 1)
      look();
    if (stack.count > 0)
      continue;
    if (size == 1)
      return;
    if (has_token && !stopped)
      pass_token();
    if (!asked && !stopped)
      ask();
  }
  leave();
}

/* --- the program -------------------------------------------------------------------------------*/

static void reset(void) {
  stack.count = asked = stopped = balance = 0;
  nodes_done = states_done = 0;
  has_token = rank == 0;
  /* The first token that rank 0 judges is none that went round. */
  is_black = token[IS_BLACK] = rank == 0;
  token[BALANCE] = 0;
  chance = (unsigned)rank;
}

/* Alone, without a message. */
static int is_right(const double found[2]) {
  reset();
  for (plant(&stack); stack.count > 0;)
    visit(&stack);
  return found[0] == nodes_done && found[1] == states_done;
}

int main(int argc, char **argv) {
  double mine[2], all[2] = {0, 0};
  kernel_begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  while (kernel_repeats()) {
    reset();
    if (rank == 0)
      plant(&stack);
    kernel_start();
    run();
    kernel_stop();
    mine[0] = nodes_done;
    mine[1] = states_done;
    MPI_Reduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  }
  return kernel_end(rank != 0 || is_right(all), "nodes: %.0f", all[0]);
}
