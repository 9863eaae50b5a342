/* Processes that come and go: spawned ones, several programs at a time, jobs that connect through a port. Messages
 * between jobs are the MPI library's, and each job's own messages go on meanwhile. scripts/spawn.sh runs the program
 * with an MPI library that has all of these functions. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { LONG = 100000, ROUNDS = 10 };
static const char *role = "parent";
static int rank, size;

static int word_of(int sender, int round) { return sender * 1000 + round; }

/* Messages of all sizes around a communicator, to oneself if it has one rank. */
static void ring(MPI_Comm comm) {
  static int out[LONG], in[LONG];
  int self, ranks;
  MPI_Comm_rank(comm, &self);
  MPI_Comm_size(comm, &ranks);
  const int left = (self + ranks - 1) % ranks, right = (self + 1) % ranks;
  for (int round = 0; round < ROUNDS; ++round) {
    const int count = round == ROUNDS - 1 ? LONG : 1 << round;
    out[0] = out[count - 1] = word_of(self, round);
    MPI_Sendrecv(out, count, MPI_INT, right, round, in, LONG, MPI_INT, MPI_ANY_SOURCE, round, comm,
                 MPI_STATUS_IGNORE);
    CHECK(in[0] == word_of(left, round) && in[count - 1] == word_of(left, round));
  }
}

static void collective(MPI_Comm comm) {
  int self, ranks, sum, first;
  MPI_Comm_rank(comm, &self);
  MPI_Comm_size(comm, &ranks);
  MPI_Allreduce(&self, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK(sum == ranks * (ranks - 1) / 2);
  first = self ? -1 : 4711;
  MPI_Bcast(&first, 1, MPI_INT, 0, comm);
  CHECK(first == 4711);
  MPI_Barrier(comm);
}

/* Between two groups: each rank with all remote ones, from any source; then both groups in one
 * communicator, in the order that `high` says. */
static void across(MPI_Comm both, int high) {
  MPI_Comm merged;
  int others, self, sum, words = 0;
  MPI_Comm_remote_size(both, &others);
  MPI_Comm_rank(both, &self);
  MPI_Request sends[64];
  for (int i = 0; i < others; ++i) {
    const int word = word_of(self, i);
    MPI_Isend(&word, 1, MPI_INT, i, 5, both, &sends[i]);
    MPI_Wait(&sends[i], MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < others; ++i) {
    MPI_Status status;
    int word, ready = 0;
    while (!ready)
      MPI_Iprobe(MPI_ANY_SOURCE, 5, both, &ready, &status);
    MPI_Recv(&word, 1, MPI_INT, status.MPI_SOURCE, 5, both, MPI_STATUS_IGNORE);
    CHECK(word == word_of(status.MPI_SOURCE, self));
    words += word;
  }
  CHECK(words == 1000 * others * (others - 1) / 2 + others * self);
  MPI_Allreduce(&self, &sum, 1, MPI_INT, MPI_SUM, both);
  CHECK(sum == others * (others - 1) / 2);
  MPI_Intercomm_merge(both, high, &merged);
  ring(merged);
  collective(merged);
  MPI_Comm_free(&merged);
}

static void spawn(char *program, int several) {
  MPI_Comm both;
  char *programs[2] = {program, program};
  char *first[] = {"child", NULL}, *second[] = {"grandchild", NULL};
  char **arguments[2] = {first, second};
  int counts[2] = {1, 2}, errors[3];
  MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
  if (several)
    MPI_Comm_spawn_multiple(2, programs, arguments, counts, infos, 0, MPI_COMM_WORLD, &both,
                            errors);
  else
    MPI_Comm_spawn(program, first, 2, MPI_INFO_NULL, size - 1, MPI_COMM_WORLD, &both, errors);
  for (int i = 0; rank == (several ? 0 : size - 1) && i < 2 + several; ++i)
    CHECK(errors[i] == MPI_SUCCESS);
  across(both, 0);
  ring(MPI_COMM_WORLD);
  MPI_Comm_disconnect(&both);
}

/* An even rank expects a message of the odd one beside it. The odd rank sends it while the even one waits in
 * MPI_Comm_accept, and connects only when the message was matched. MPICH makes no progress there: only with lanes
 * (-DWITH_LANES) does this exchange end. */
static int word_before, expected = -1;

static void expect(MPI_Request *request) {
  *request = MPI_REQUEST_NULL;
#ifdef WITH_LANES
  if (rank % 2)
    MPI_Ssend(&rank, 1, MPI_INT, rank - 1, 9, MPI_COMM_WORLD);
  else if (rank + 1 < size) {
    expected = rank + 1;
    MPI_Irecv(&word_before, 1, MPI_INT, rank + 1, 9, MPI_COMM_WORLD, request);
  }
#endif
}

/* Even and odd ranks meet through a port. */
static void connect(void) {
  char port[MPI_MAX_PORT_NAME];
  MPI_Comm half, both;
  MPI_Request request;
  const int accepts = rank % 2 == 0;
  MPI_Comm_split(MPI_COMM_WORLD, accepts, rank, &half);
  if (rank == 0)
    MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
  expect(&request);
  if (accepts)
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &both);
  else
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &both);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(expected < 0 || word_before == expected);
  across(both, !accepts);
  MPI_Comm_disconnect(&both);
  if (rank == 0)
    MPI_Close_port(port);
  ring(half);
  MPI_Comm_free(&half);
}

int main(int argc, char **argv) {
  MPI_Comm parents;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_get_parent(&parents);
  CHECK((parents == MPI_COMM_NULL) == (argc == 1));
  if (argc > 1)
    role = argv[1];
  ring(MPI_COMM_WORLD);
  collective(MPI_COMM_WORLD);
  if (parents != MPI_COMM_NULL) {
    across(parents, 1);
    MPI_Comm_disconnect(&parents);
  } else {
    for (int i = 0; i < 3; ++i)
      spawn(argv[0], i == 1);
    if (size > 1)
      connect();
  }
  ring(MPI_COMM_WORLD);
  collective(MPI_COMM_WORLD);
  tell("%s %d of %d passed", role, rank, size);
  MPI_Finalize();
  return 0;
}
