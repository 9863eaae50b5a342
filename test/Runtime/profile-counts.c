/* MPISPEC_PROFILE: not a call is lost, whatever is timed of it, and sums agree, with one thread and with several. */
enum { THREADS = 2, CALLS = 300, MADE = 5 };

#include "profile/profile_file.h"
#include "team.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

static int is_team, level, peer, looks;
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

/* More tags than there are rows; and messages to oneself, for which there is no lane yet, nor need be. */
static void many_tags(void) {
  for (int i = 0; i < CALLS; ++i)
    MPI_Sendrecv(out, 1, MPI_DOUBLE, rank, 408, in, 1, MPI_DOUBLE, rank, 408, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 2 * CALLS; ++i) {
    const int tag = 100 + (i % 2 ? 0 : i % 20);
    MPI_Send(out, 1, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD);
    MPI_Recv(in, 1, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static __attribute__((noinline)) void get(double wanted, MPI_Datatype type, int count, int from, int tag, MPI_Comm comm) {
  double got = 0;
  MPI_Recv(&got, count, type, from, tag, comm, MPI_STATUS_IGNORE);
  CHECK(got == wanted);
}

/* One after the other to one peer, out of two buffers; on communicators of one handle, whose ranks are others. */
static void short_calls(void) {
  double values[2];
  for (int i = 0; i < MADE; ++i) {
    MPI_Comm comm;
    int mine;
    MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? rank : -rank, &comm);
    MPI_Comm_rank(comm, &mine);
    for (int k = 0; k < CALLS; ++k) {
      for (int j = 0; j < 3; ++j) {
        values[j / 2] = 3 * k + j;
        MPI_Send(&values[j / 2], 1, MPI_DOUBLE, 1 - mine, 300, comm);
      }
      for (int j = 0; j < 3; ++j)
        get(3 * k + j, MPI_DOUBLE, 1, 1 - mine, 300, comm);
    }
    MPI_Comm_free(&comm);
  }
}

/* The same number of bytes, of two datatypes, and a type that comes again with another length. */
static void types_in_turn(void) {
  for (int k = 0; k < 2 * CALLS; ++k) {
    MPI_Datatype type = k % 2 ? MPI_INT : MPI_DOUBLE, made;
    const int pieces = k < CALLS ? 2 : 1;
    out[0] = k;
    MPI_Send(out, 1 + k % 2, type, peer, 301, MPI_COMM_WORLD);
    get(k, type, 1 + k % 2, peer, 301, MPI_COMM_WORLD);
    MPI_Type_contiguous(pieces, MPI_INT, &made);
    MPI_Type_commit(&made);
    MPI_Send(out, 1, made, peer, 302, MPI_COMM_WORLD);
    MPI_Recv(in, 2, MPI_INT, peer, 302, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&made);
  }
}

static int talk_to_self(MPI_Comm comm, int key, void *value, void *extra) {
  int got = 0;
  (void)comm, (void)key, (void)value, (void)extra;
  MPI_Sendrecv(&(int){7}, 1, MPI_INT, 0, 9, &got, 1, MPI_INT, 0, 9, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  return got == 7 ? MPI_SUCCESS : MPI_ERR_OTHER;
}

/* A handle that stands for one communicator after the other, whose ranks are others. Also the functions that the
 * library calls back from a call that is no site. */
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

/* Calls that find nothing or a message, from one and from any source, and a receive with too little room. */
static void probes(void) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Status status;
  int flag;
  PMPI_Barrier(comm);
  for (int k = 0; k < CALLS; ++k) {
    MPI_Iprobe(MPI_ANY_SOURCE, 401, comm, &flag, &status);
    CHECK(!flag);
    MPI_Iprobe(peer, 402, comm, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
  }
  PMPI_Barrier(comm);
  for (int k = 0; k < CALLS; ++k) {
    out[0] = k;
    MPI_Send(out, 1, MPI_DOUBLE, peer, 403, comm);
    do {
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status);
      ++looks;
    } while (!flag);
    CHECK(status.MPI_SOURCE == peer && status.MPI_TAG == 403);
    MPI_Recv(in, 1, MPI_DOUBLE, MPI_ANY_SOURCE, k % 2 ? 403 : MPI_ANY_TAG, comm, &status);
    CHECK(in[0] == k && status.MPI_SOURCE == peer && status.MPI_TAG == 403);
  }
  PMPI_Barrier(comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int k = 0; k < CALLS; ++k)
    CHECK(MPI_Iprobe(2, 405, comm, &flag, MPI_STATUS_IGNORE));
  for (int k = 0; k < CALLS; ++k) {
    const int is_long = k > CALLS / 2;
    MPI_Send(out, 1 + is_long, MPI_DOUBLE, peer, 406, comm);
    CHECK(!MPI_Recv(in, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 406, comm, &status) == !is_long);
  }
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}

static __attribute__((noinline)) void exchange(int to, int from) {
  MPI_Sendrecv(out, 100, MPI_DOUBLE, to, 407, in, 100, MPI_DOUBLE, from, 407, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Long messages, in turn to the other rank and to nobody. */
static void one_way(void) {
  for (int k = 0; k < 2 * CALLS; ++k) {
    const int to = k % 2 == rank ? peer : MPI_PROC_NULL, from = k % 2 == rank ? MPI_PROC_NULL : peer;
    out[99] = k;
    exchange(to, from);
    CHECK(from < 0 || in[99] == k);
  }
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

enum { NO_TAG = -100 };
static const struct mpispec_profile_site *find(const char *function, int tag) {
  for (uint32_t i = 0; i < header->sites; ++i)
    if (!strcmp(sites[i].function, function) && (tag == NO_TAG || calls_with(&sites[i].tags, tag)))
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
    return; /* a function without arguments of this kind */
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
  const struct mpispec_profile_site *send = find("Isend", 1), *receive = find("Recv", 1), *wait = find("Wait", NO_TAG);
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
  const uint64_t sent = (is_team ? THREADS : 1) * CALLS + 5 * MADE * CALLS + 9 * CALLS;
  CHECK(peers[peer].messages == sent && peers[rank].messages == CALLS + 2 * MADE);
}

static void check_short_calls(void) {
  const struct mpispec_profile_site *send = find("Send", 300), *receive = find("Recv", 300);
  CHECK(send->calls == 3 * MADE * CALLS && send->bytes == 8 * send->calls);
  CHECK(calls_with(&send->peers, peer) == send->calls && calls_with(&send->tags, 300) == send->calls);
  CHECK(calls_with(&send->lengths, 8) == send->calls && send->sizes[4].calls == send->calls);
  CHECK(send->same == MADE * CALLS && send->run_on == 2 * MADE * CALLS && send->exchanges == MADE * CALLS);
  CHECK(calls_with(&receive->tags, 300) == send->calls && calls_with(&receive->tags, 301) == 2 * CALLS);
  CHECK(receive->calls == send->calls + 2 * CALLS && receive->run_on == 0 && receive->exchanges == 0);
  const struct mpispec_profile_site *types = find("Send", 301), *made = find("Send", 302);
  CHECK(types->calls == 2 * CALLS && types->same == 0 && types->bytes == 16 * CALLS);
  CHECK(calls_of(&types->datatypes) == 2 * CALLS && types->exchanges == 2 * CALLS);
  for (int i = 0; i < MPISPEC_PROFILE_VALUES; ++i)
    CHECK(types->datatypes.kept[i].calls == (i < 2 ? CALLS : 0));
  CHECK(made->calls == 2 * CALLS && made->bytes == 12 * CALLS);
  CHECK(calls_with(&made->lengths, 8) == CALLS && calls_with(&made->lengths, 4) == CALLS);
}

static void check_probes(void) {
  const struct mpispec_profile_site *any = find("Iprobe", 401), *one = find("Iprobe", 402), *wrong = find("Iprobe", 405);
  const struct mpispec_profile_site *found = find("Iprobe", MPI_ANY_TAG), *receive = find("Recv", MPI_ANY_TAG);
  CHECK(any->calls == CALLS && calls_with(&any->peers, MPI_ANY_SOURCE) == CALLS && any->same == CALLS - 1);
  CHECK(one->calls == CALLS && calls_with(&one->peers, peer) == CALLS && one->same == CALLS - 1);
  CHECK(found->calls == (uint64_t)looks && calls_with(&found->tags, MPI_ANY_TAG) == found->calls);
  CHECK(wrong->calls == CALLS && any->bytes + one->bytes + found->bytes + wrong->bytes == 0);
  CHECK(receive->calls == CALLS && calls_with(&receive->tags, 403) == CALLS / 2 && receive->same == 0);
  CHECK(calls_with(&receive->peers, MPI_ANY_SOURCE) == CALLS && receive->bytes == 8 * CALLS);
  CHECK(find("Recv", 406)->calls == CALLS && find("Send", 406)->bytes == 8 * (CALLS + CALLS / 2 - 1));
  const int has_fast_path = header->lanes && level < MPI_THREAD_MULTIPLE;
  CHECK(any->paths[MPISPEC_PATH_FAST] == (has_fast_path ? CALLS : 0));
  CHECK(one->paths[MPISPEC_PATH_FAST] == any->paths[MPISPEC_PATH_FAST] && !wrong->paths[MPISPEC_PATH_FAST]);
}

static void check_one_way(void) {
  const struct mpispec_profile_site *site = find("Sendrecv", 407), *self = find("Sendrecv", 408);
  CHECK(site->calls == 2 * CALLS && site->bytes == 800 * site->calls && site->same == 0);
  CHECK(calls_with(&site->peers, peer) == CALLS && calls_with(&site->peers, MPI_PROC_NULL) == CALLS);
  if (header->lanes && level < MPI_THREAD_MULTIPLE)
    CHECK(site->paths[MPISPEC_PATH_NO_PEER] == CALLS && self->paths[MPISPEC_PATH_FAST] == CALLS);
}

int main(int argc, char **argv) {
  int provided, thread = 0;
  CHECK(argc == 3);
  is_team = !strcmp(argv[2], "threads");
  level = is_team ? MPI_THREAD_MULTIPLE : strcmp(argv[2], "in-turn") ? MPI_THREAD_FUNNELED : MPI_THREAD_SERIALIZED;
  MPI_Init_thread(NULL, NULL, level, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  peer = 1 - rank;
  if (is_team)
    run_threads(lengths);
  else
    lengths(&thread);
  many_tags();
  communicators();
  types_in_turn();
  short_calls();
  probes();
  one_way();
  map_file(argv[1]);
  MPI_Finalize();
  check_sums();
  check_lengths();
  check_others();
  check_short_calls();
  check_probes();
  check_one_way();
  return passed();
}

// RUN: rm -rf %t && mkdir %t && %mpicc -Wno-unused-function %include %s -o %t/program %runtime
// DEFINE: %{run} = env MPISPEC_PROFILE=%t/profile %mpirun -n 2 %t/program %t/profile
// RUN: %{run} alone | FileCheck %s
// RUN: %{run} threads | FileCheck %s
// RUN: %{run} in-turn | FileCheck %s
// RUN: env MPISPEC_MODE=off %{run} alone | FileCheck %s
// CHECK: passed
// CHECK: passed
