/* The functions that all phases use: random numbers and checks. Also the loop over phases, in as many threads as are
 * wanted. See stress.h.
 *
 *   stress <seed> <phases> [largest message in bytes] [threads] [the only phase, by name]
 *   stress machine    prints the line of a cost model that names this machine (p2p/machine_key.h)
 *
 * With STRESS_LIMIT=seconds a rank that is not through by then says where it stands. STRESS_LEVEL is a number from 0,
 * MPI_THREAD_SINGLE, to 3, MPI_THREAD_MULTIPLE: the level for which a program of one thread asks. */
#define _GNU_SOURCE
#include "stress.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Thread_local struct world world;
int largest_message = 4 << 20, thread_count = 1;

static int seed = 1, phase_count = 20;
static const char *only;

static uint64_t next_random(void) {
  world.random += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t x = world.random;
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

int draw(int below) { return (int)(next_random() % (uint64_t)below); }

void shuffle(int order[], int count) {
  for (int i = 0; i < count; ++i)
    order[i] = i;
  for (int i = count - 1; i > 0; --i) {
    const int k = draw(i + 1), kept = order[i];
    order[i] = order[k];
    order[k] = kept;
  }
}

int draw_communicator(void) {
  return thread_count > 1 && draw(3) == 0 ? SHARED : draw(MAXIMUM_COMMUNICATORS);
}

int tag_on(int communicator, int tag) {
  enum { TAGS_OF_A_THREAD = 10000 };
  return communicator == SHARED ? world.thread * TAGS_OF_A_THREAD + tag : tag;
}

void note(int64_t number) {
  world.digest = (world.digest ^ (uint64_t)number) * UINT64_C(0x100000001b3) + 1;
}

void require(int condition, const char *what, const struct message *message) {
  if (condition)
    return;
  fprintf(stderr, "rank %d, thread %d, phase %d (%s): %s", world.rank, world.thread, world.phase,
          world.phase_name, what);
  if (message)
    fprintf(stderr,
            " (message %d from %d to %d on %d, tag %d, %d bytes, mode %d, form %d, layouts %d %d, "
            "receive %d%s%s)",
            message->id, message->source, message->target, message->communicator, message->tag,
            message->bytes, message->mode, message->form, message->send_layout,
            message->receive_layout, message->receive_way,
            message->any_source ? ", any source" : "", message->any_tag ? ", any tag" : "");
  fprintf(stderr, "\n");
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void gather(void) {
  MPI_Request request;
  int done = 0;
  MPI_Ibarrier(BASE, &request);
  for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done;
       MPI_Test(&request, &done, MPI_STATUS_IGNORE))
    sched_yield();
}

/* --- phases ------------------------------------------------------------------------------------*/

static const struct {
  const char *name;
  void (*run)(void);
  int weight;
  enum { EACH_THREAD, FIRST_THREAD, ONLY_THREAD } runs_in; /* a job of several threads */
} phases[] = {
    {"sequence", phase_sequence, 4, EACH_THREAD},
    {"posted-first", phase_posted_first, 5, EACH_THREAD},
    {"postings", phase_postings, 8, EACH_THREAD},
    {"arrays", phase_arrays, 4, EACH_THREAD},
    {"from-anywhere", phase_from_anywhere, 1, EACH_THREAD},
    {"collective", phase_collective, 2, EACH_THREAD},
    {"persistent", phase_persistent, 1, EACH_THREAD},
    {"flood", phase_flood, 1, EACH_THREAD},
    {"exchange", phase_exchange, 2, EACH_THREAD},
    {"matched-probe", phase_matched_probe, 1, EACH_THREAD},
    {"communicators", phase_communicators, 1, EACH_THREAD},
    {"freed-communicator", phase_freed_communicator, 1, EACH_THREAD},
    {"odd-ends", phase_odd_ends, 1, EACH_THREAD},
    {"truncation", phase_truncation, TRUNCATES, EACH_THREAD},
    {"cancel", phase_cancel, 1, EACH_THREAD},
    {"release", phase_release, 1, EACH_THREAD},
    {"buffer", phase_buffer, 1, ONLY_THREAD},
    {"constants", phase_constants, 2, FIRST_THREAD},
    {"collectives", phase_collectives, 3, EACH_THREAD},
    {"constant-collectives", phase_constant_collectives, 2, EACH_THREAD},
};
enum { PHASES = sizeof phases / sizeof phases[0] };

static int draw_phase(void) {
  int weights = 0, chosen = 0;
  for (int i = 0; i < PHASES; ++i)
    weights += phases[i].weight;
  for (int left = draw(weights); left >= phases[chosen].weight; ++chosen)
    left -= phases[chosen].weight;
  for (int i = 0; only && i < PHASES; ++i)
    if (!strcmp(phases[i].name, only))
      chosen = i;
  return chosen;
}

static int may_run(int runs_in) {
  return runs_in == EACH_THREAD || thread_count == 1 || (runs_in == FIRST_THREAD && world.thread == 0);
}

static void run_phases(void) {
  for (world.phase = 0; world.phase < phase_count; ++world.phase) {
    const int chosen = draw_phase();
    if (!may_run(phases[chosen].runs_in))
      continue;
    world.phase_name = phases[chosen].name;
    if (getenv("STRESS_VERBOSE") && world.rank == 0)
      fprintf(stderr, "thread %d, phase %d: %s\n", world.thread, world.phase, world.phase_name);
    phases[chosen].run();
    gather(); /* a wildcard must not see the next phase */
  }
  world.phase_name = "the end";
}

/* --- threads -----------------------------------------------------------------------------------*/

static struct world *worlds[MAXIMUM_THREADS];

static void report(int signal) {
  (void)signal;
  for (int i = 0; i < thread_count; ++i)
    if (worlds[i])
      fprintf(stderr, "rank %d, thread %d stands in phase %d (%s)\n", worlds[i]->rank, i,
              worlds[i]->phase, worlds[i]->phase_name ? worlds[i]->phase_name : "start");
  _exit(1);
}

static void watch(void) {
  const char *limit = getenv("STRESS_LIMIT");
  if (!limit)
    return;
  signal(SIGALRM, report);
  alarm((unsigned)atoi(limit));
}

struct job {
  MPI_Comm base, shared;
  int thread;
  uint64_t digest;
};

/* For all communicators: MPICH raises the error of an array of requests on MPI_COMM_WORLD, and not
 * all of its constructors hand the handler on. */
static void handle_error(MPI_Comm *comm, int *error, ...) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length;
  (void)comm;
  MPI_Error_string(*error, text, &length);
  require(world.expects_errors, text, NULL);
  ++world.errors;
}

static MPI_Errhandler handler;

static void install_handler(void) {
  MPI_Comm_create_errhandler(handle_error, &handler);
  watch_errors(MPI_COMM_WORLD);
  watch_errors(MPI_COMM_SELF);
}

void watch_errors(MPI_Comm comm) { MPI_Comm_set_errhandler(comm, handler); }

static void *run_thread(void *argument) {
  struct job *job = argument;
  worlds[job->thread] = &world;
  world.thread = job->thread;
  world.phase_name = "start";
  world.random = (uint64_t)seed * MAXIMUM_THREADS + (uint64_t)job->thread;
  BASE = job->base;
  MPI_Comm_rank(BASE, &world.rank);
  MPI_Comm_size(BASE, &world.size);
  world.ranks[0] = world.rank;
  world.sizes[0] = world.sizes[SHARED] = world.size;
  world.ranks[SHARED] = world.rank;
  world.communicators[SHARED] = job->shared;
  for (int c = 1; c < MAXIMUM_COMMUNICATORS; ++c)
    make_communicator(c);
  run_phases();
  for (int c = 1; c < MAXIMUM_COMMUNICATORS; ++c)
    free_communicator(c);
  job->digest = world.digest;
  worlds[job->thread] = NULL;
  return NULL;
}

/* Open MPI 4.1 loads what it needs for topologies with the first communicator that has one, and
 * crashes where two threads come at once. */
static void load_topologies(void) {
  const int size = 1, is_ring = 0;
  MPI_Comm line;
  MPI_Cart_create(MPI_COMM_SELF, 1, &size, &is_ring, 0, &line);
  MPI_Comm_free(&line);
}

/* All threads share MPI_COMM_WORLD, or a copy of it. */
static void make_communicators(struct job jobs[]) {
  MPI_Comm shared = MPI_COMM_WORLD;
  if (thread_count > 1 && seed % 2)
    MPI_Comm_dup(MPI_COMM_WORLD, &shared);
  for (int i = 0; i < thread_count; ++i) {
    jobs[i] = (struct job){.base = MPI_COMM_WORLD, .shared = shared, .thread = i};
    if (thread_count > 1)
      MPI_Comm_dup(MPI_COMM_WORLD, &jobs[i].base);
  }
}

static void free_communicators(struct job jobs[]) {
  for (int i = 0; i < thread_count; ++i)
    if (jobs[i].base != MPI_COMM_WORLD)
      MPI_Comm_free(&jobs[i].base);
  if (jobs[0].shared != MPI_COMM_WORLD)
    MPI_Comm_free(&jobs[0].shared);
}

static void run_threads(struct job jobs[]) {
  pthread_t threads[MAXIMUM_THREADS];
  if (thread_count > 1)
    load_topologies();
  make_communicators(jobs);
  for (int i = 1; i < thread_count; ++i)
    pthread_create(&threads[i], NULL, run_thread, &jobs[i]);
  run_thread(&jobs[0]);
  for (int i = 1; i < thread_count; ++i)
    pthread_join(threads[i], NULL);
  free_communicators(jobs);
}

static void tell(const struct job jobs[]) {
  uint64_t digests[MAXIMUM_RANKS] = {0}, own = 0;
  int rank, size;
  for (int i = 0; i < thread_count; ++i)
    own = own * 31 + jobs[i].digest;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Gather(&own, 1, MPI_UINT64_T, digests, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < size; ++i)
    printf("rank %d: %016llx\n", i, (unsigned long long)digests[i]);
}

extern void mpispec_machine_key(char line[256]);

static int tell_machine(void) {
  char line[256];
  mpispec_machine_key(line);
  puts(line);
  return 0;
}

/* Ranks of one job may differ in it. */
static int wanted_level(void) {
  static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
  const char *level = getenv("STRESS_LEVEL");
  return thread_count > 1 ? MPI_THREAD_MULTIPLE : levels[level ? atoi(level) % 4 : 0];
}

int main(int argc, char **argv) {
  static char attached[64 << 20];
  struct job jobs[MAXIMUM_THREADS] = {{0}};
  int provided, size;
  void *detached;
  if (argc == 2 && !strcmp(argv[1], "machine"))
    return tell_machine();
  seed = argc > 1 ? atoi(argv[1]) : seed;
  phase_count = argc > 2 ? atoi(argv[2]) : phase_count;
  largest_message = argc > 3 ? atoi(argv[3]) : largest_message;
  thread_count = argc > 4 ? atoi(argv[4]) : thread_count;
  only = argc > 5 ? argv[5] : NULL;
  watch();
  MPI_Init_thread(&argc, &argv, wanted_level(), &provided);
  require(provided >= wanted_level(), "too low a level of threads", NULL);
  install_handler();
  MPI_Buffer_attach(attached, sizeof attached);
  run_threads(jobs);
  MPI_Buffer_detach(&detached, &size);
  require(detached == attached && size == sizeof attached, "another buffer", NULL);
  tell(jobs);
  MPI_Errhandler_free(&handler);
  MPI_Finalize();
  return 0;
}
