/* MPISPEC_PROFILE: not a call is lost, whatever is timed of it, and sums agree: with one thread, where short calls
 * are timed now and then only, and with several at a time. */
enum { THREADS = 2, CALLS = 300, MADE = 5 };

#include "profile/profile_file.h"
#include "team.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

static int is_team, peer;
static double out[100], in[100];

/* Two lengths, of which the longer comes every third time. */
static void *lengths(void *thread) {
  const int tag = 1 + *(int *)thread;
  double in[100];
  for (int i = 0; i < CALLS; ++i) {
    const int count = i % 3 ? 1 : 100;
    MPI_Request request;
    MPI_Isend(out, count, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD, &request);
    MPI_Recv(in, 100, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return NULL;
}

/* More tags than there are rows. */
static void many_tags(void) {
  for (int i = 0; i < 2 * CALLS; ++i) {
    const int tag = 100 + (i % 2 ? 0 : i % 20);
    MPI_Send(out, 1, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD);
    MPI_Recv(in, 1, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static int talk_to_self(MPI_Comm comm, int key, void *value, void *extra) {
  int got = 0;
  (void)comm, (void)key, (void)value, (void)extra;
  MPI_Sendrecv(&(int){7}, 1, MPI_INT, 0, 9, &got, 1, MPI_INT, 0, 9, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  return got == 7 ? MPI_SUCCESS : MPI_ERR_OTHER;
}

/* A handle that stands for one communicator after the other, whose ranks are others; and what the library calls back
 * from a call that is no site. */
static void communicators(void) {
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, talk_to_self, &key, NULL);
  for (int i = 0; i < 2 * MADE; ++i) {
    MPI_Comm comm;
    int mine;
    MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? rank : -rank, &comm);
    MPI_Comm_rank(comm, &mine);
    MPI_Comm_set_attr(comm, key, NULL);
    for (int k = 0; k < CALLS; ++k)
      MPI_Sendrecv(out, 1, MPI_DOUBLE, 1 - mine, 200, in, 1, MPI_DOUBLE, 1 - mine, 200, comm, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
  }
  MPI_Comm_free_keyval(&key);
}

/* --- what the file says ------------------------------------------------------------------------*/

static struct mpispec_profile_header *header;
static struct mpispec_profile_bin *bins;
static struct mpispec_profile_site *sites;
static struct mpispec_profile_peer *peers;

static void map_file(const char *directory) {
  char path[1000];
  snprintf(path, sizeof path, "%s/rank-%d.mpispec", directory, rank);
  const int file = open(path, O_RDONLY);
  CHECK(file >= 0);
  char *memory = mmap(NULL, (size_t)lseek(file, 0, SEEK_END), PROT_READ, MAP_SHARED, file, 0);
  CHECK(memory != MAP_FAILED);
  header = (void *)memory;
  bins = (void *)(memory + sizeof *header + MPISPEC_PROFILE_OBJECTS * sizeof(struct mpispec_profile_object) +
                  MPISPEC_PROFILE_DATATYPES * sizeof(struct mpispec_profile_datatype));
  sites = (void *)(bins + MPISPEC_PROFILE_BINS);
  peers = (void *)(sites + MPISPEC_PROFILE_SITES);
}

static uint64_t calls_of(const struct mpispec_profile_values *values) {
  uint64_t sum = values->candidate.calls + values->other.calls;
  for (int i = 0; i < MPISPEC_PROFILE_VALUES; ++i)
    sum += values->kept[i].calls;
  return sum;
}

static uint64_t calls_with(const struct mpispec_profile_values *values, int64_t value) {
  for (int i = 0; i < MPISPEC_PROFILE_VALUES; ++i)
    if (values->kept[i].calls && values->kept[i].value == value)
      return values->kept[i].calls;
  return 0;
}

static const struct mpispec_profile_site *find(const char *function, int tag) {
  for (uint32_t i = 0; i < header->sites; ++i)
    if (!strcmp(sites[i].function, function) && (tag < 0 || calls_with(&sites[i].tags, tag)))
      return &sites[i];
  fprintf(stderr, "no site of %s with tag %d\n", function, tag);
  abort();
}

static void check_sums_of(const struct mpispec_profile_site *site) {
  uint64_t calls = 0, bytes = 0, ticks = 0, paths = 0;
  for (int i = 0; i < MPISPEC_PROFILE_SIZES; ++i) {
    calls += site->sizes[i].calls;
    bytes += site->sizes[i].bytes;
    ticks += site->sizes[i].ticks;
  }
  for (int i = 0; i < MPISPEC_PATHS; ++i)
    paths += site->paths[i];
  CHECK(calls == site->calls && bytes == site->bytes && ticks == site->ticks && paths == site->calls);
  CHECK(site->ticks && site->waiting <= site->ticks && site->most_ticks <= site->ticks);
  CHECK(site->waiting_sender + site->waiting_receiver <= site->waiting);
  if (!calls_of(&site->peers))
    return; /* of a function without arguments of this kind */
  CHECK(calls_of(&site->peers) == calls && calls_of(&site->tags) == calls && calls_of(&site->lengths) == calls);
  CHECK(calls_of(&site->datatypes) == calls && calls_of(&site->communicators) == calls);
}

static void check_sums(void) {
  uint64_t ticks = 0, waiting = 0, in_bins = 0, waiting_in_bins = 0;
  for (uint32_t i = 0; i < header->sites; ++i) {
    check_sums_of(&sites[i]);
    ticks += sites[i].ticks;
    waiting += sites[i].waiting;
  }
  for (int i = 0; i < MPISPEC_PROFILE_BINS; ++i) {
    in_bins += bins[i].in_mpi;
    waiting_in_bins += bins[i].waiting;
  }
  CHECK(ticks == header->ticks_in_mpi && ticks == in_bins);
  CHECK(waiting == header->ticks_waiting && waiting == waiting_in_bins);
  CHECK(header->end == MPISPEC_PROFILE_FINALIZED);
}

static void check_lengths(void) {
  const unsigned threads = is_team ? THREADS : 1, calls = threads * CALLS;
  const struct mpispec_profile_site *send = find("Isend", 1), *receive = find("Recv", 1), *wait = find("Wait", -1);
  CHECK(send->calls == calls && receive->calls == calls && wait->calls == calls);
  CHECK(send->bytes == calls / 3 * (2 * 8 + 800) && receive->bytes == calls * 800);
  CHECK(send->sizes[4].calls == calls / 3 * 2 && send->sizes[10].calls == calls / 3);
  CHECK(calls_with(&send->lengths, 8) == calls / 3 * 2 && calls_with(&send->lengths, 800) == calls / 3);
  CHECK(calls_with(&send->peers, peer) == calls && calls_with(&receive->peers, peer) == calls);
  for (unsigned thread = 0; thread < threads; ++thread)
    CHECK(calls_with(&send->tags, 1 + (int)thread) == CALLS);
  CHECK(is_team || (send->same == CALLS / 3 && receive->same == CALLS - 1));
  CHECK(send->threads == (threads > 1));
}

static void check_others(void) {
  const struct mpispec_profile_site *send = find("Send", 100), *exchange = find("Sendrecv", 200);
  CHECK(send->calls == 2 * CALLS && calls_with(&send->tags, 100) >= CALLS);
  CHECK(calls_with(&send->lengths, 8) == 2 * CALLS && calls_with(&send->peers, peer) == 2 * CALLS);
  CHECK(exchange->calls == 2 * MADE * CALLS && calls_with(&exchange->peers, peer) == 2 * MADE * CALLS);
  CHECK(find("Sendrecv", 9)->calls == 2 * MADE);
  const uint64_t sent = (is_team ? THREADS : 1) * CALLS + 2 * CALLS + 2 * MADE * CALLS;
  CHECK(peers[peer].messages == sent);
}

int main(int argc, char **argv) {
  int provided, thread = 0;
  CHECK(argc == 3);
  is_team = !strcmp(argv[2], "threads");
  MPI_Init_thread(NULL, NULL, is_team ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  peer = 1 - rank;
  if (is_team)
    run_threads(lengths);
  else
    lengths(&thread);
  many_tags();
  communicators();
  MPI_Finalize();
  map_file(argv[1]);
  check_sums();
  check_lengths();
  check_others();
  return passed();
}

// RUN: rm -rf %t && mkdir %t && %mpicc -Wno-unused-function %include %s -o %t/program %runtime
// DEFINE: %{run} = env MPISPEC_PROFILE=%t/profile %mpirun -n 2 %t/program %t/profile
// RUN: %{run} alone | FileCheck %s
// RUN: %{run} threads | FileCheck %s
// RUN: env MPISPEC_MODE=off %{run} alone | FileCheck %s
// CHECK: passed
// CHECK: passed
