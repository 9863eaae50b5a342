/* One rank of a job whose two ranks are two threads of one process. It is a shared object with a runtime of its own,
 * which ranks-as-threads.c loads twice. Only thus can a sanitizer see both ends of a message, and whether what one
 * end does really comes before what the other does.
 *
 * The MPI library sees one process. Therefore the few functions through which the runtime meets the other ranks are
 * replaced here. Both ranks use one mapping of each segment, and a read of another process's memory is a plain copy.
 * Thus every access is at one address, and the sanitizer sees it. */
#define _GNU_SOURCE
#include "rank.h"
#include "check.h"
#include "p2p/rendezvous.h"
#include "shm/segment.h"

#include <dlfcn.h>
#include <mpi.h>
#include <string.h>
#include <sys/uio.h>

static struct job *job;
static int me;

/* --- in place of the launcher, the system and the MPI library ----------------------------------*/

void mpispec_announce(void) {}
int mpispec_all_announced(int world_rank, int world_size) {
  return world_rank == me && world_size == RANKS;
}
int mpispec_ranks_spread(void) { return 0; }
int mpispec_announcement_is_local(void) { return 0; }
int mpispec_announcement_is_nameless(void) { return 0; }
void mpispec_announcement_withdraw(void) {}

/* No tool stands anywhere. */
void *dlsym(void *handle, const char *name) {
  (void)handle, (void)name;
  return NULL;
}

ssize_t process_vm_readv(pid_t process, const struct iovec *to, unsigned long to_count,
                         const struct iovec *from, unsigned long from_count, unsigned long flags) {
  (void)process, (void)to_count, (void)from_count, (void)flags;
  if (!job->can_read)
    return -1;
  memcpy(to->iov_base, from->iov_base, from->iov_len);
  return (ssize_t)from->iov_len;
}

ssize_t process_vm_writev(pid_t process, const struct iovec *from, unsigned long from_count,
                          const struct iovec *to, unsigned long to_count, unsigned long flags) {
  (void)process, (void)from_count, (void)to_count, (void)flags;
  if (!job->can_read)
    return -1;
  memcpy(to->iov_base, from->iov_base, from->iov_len);
  return (ssize_t)from->iov_len;
}

unsigned char *__real_mpispec_segment_create(int, int *, struct mpispec_segment_address *);
unsigned char *__wrap_mpispec_segment_create(int peers, int *file,
                                             struct mpispec_segment_address *address) {
  job->segments[me] = __real_mpispec_segment_create(peers, file, address);
  address->file = me;
  return job->segments[me];
}
unsigned char *__wrap_mpispec_segment_attach(int peers, uint64_t bytes,
                                             const struct mpispec_segment_address *address,
                                             const struct mpispec_home_place *home) {
  (void)peers, (void)bytes, (void)home;
  return job->segments[address->file];
}
/* Both ranks use one address for each ring, so that ThreadSanitizer sees one ring. */
unsigned char *__wrap_mpispec_homes_at(unsigned char *room, int peer) {
  (void)room;
  return job->segments[peer] ? (unsigned char *)mpispec_segment_home(job->segments[peer], RANKS, me) : NULL;
}
void __wrap_mpispec_segment_detach(unsigned char *begin, int peers, uint64_t bytes) {
  (void)begin, (void)peers, (void)bytes;
}

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  (void)argc, (void)argv, (void)required;
  return PMPI_Query_thread(provided);
}
int PMPI_Query_thread(int *provided) {
  *provided = job->threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
  return MPI_SUCCESS;
}
int PMPI_Finalize(void) { return MPI_SUCCESS; }

int PMPI_Comm_rank(MPI_Comm comm, int *rank) {
  *rank = comm == MPI_COMM_SELF ? 0 : me;
  return MPI_SUCCESS;
}
int PMPI_Comm_size(MPI_Comm comm, int *size) {
  *size = comm == MPI_COMM_SELF ? 1 : RANKS;
  return MPI_SUCCESS;
}
int PMPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made) {
  (void)comm, (void)type, (void)key, (void)info;
  return PMPI_Comm_dup(MPI_COMM_SELF, made);
}
int PMPI_Group_translate_ranks(MPI_Group group, int count, const int ranks[], MPI_Group other,
                               int found[]) {
  (void)group, (void)other;
  for (int i = 0; i < count; ++i)
    found[i] = count == 1 ? me : ranks[i];
  return MPI_SUCCESS;
}

int PMPI_Barrier(MPI_Comm comm) {
  (void)comm;
  pthread_barrier_wait(&job->barrier);
  return MPI_SUCCESS;
}
int PMPI_Allgather(const void *own, int own_count, MPI_Datatype own_type, void *all, int count,
                   MPI_Datatype type, MPI_Comm comm) {
  (void)own_count, (void)own_type;
  const size_t bytes = (size_t)count * (type == MPI_INT ? sizeof(int) : 1);
  if (bytes > sizeof job->board[me])
    abort(); /* the board is to be made larger */
  PMPI_Barrier(comm);
  memcpy(job->board[me], own, bytes);
  PMPI_Barrier(comm);
  for (int rank = 0; rank < RANKS; ++rank)
    memcpy((char *)all + (size_t)rank * bytes, job->board[rank], bytes);
  return MPI_SUCCESS;
}
/* The numbers that ranks tell each other: of the types and operations that occur. */
static uint64_t number_at(const void *numbers, int i, MPI_Datatype type) {
  return type == MPI_INT        ? (uint64_t)((const int *)numbers)[i]
         : type == MPI_UINT32_T ? ((const uint32_t *)numbers)[i]
                                : ((const uint64_t *)numbers)[i];
}
static uint64_t combine(uint64_t a, uint64_t b, MPI_Op op) {
  return op == MPI_BAND ? a & b : op == MPI_BOR ? a | b : (op == MPI_MIN ? a < b : a > b) ? a : b;
}
int PMPI_Allreduce(const void *own, void *result, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) {
  const int bytes = count * (type == MPI_UINT64_T ? (int)sizeof(uint64_t) : (int)sizeof(int));
  uint64_t all[RANKS][sizeof job->board[0] / sizeof(uint64_t)];
  memcpy(result, own, (size_t)bytes);
  if (comm == MPI_COMM_SELF)
    return MPI_SUCCESS;
  PMPI_Allgather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, comm);
  for (int i = 0; i < count; ++i) {
    const uint64_t other = number_at((char *)all + (1 - me) * bytes, i, type);
    const uint64_t both = combine(number_at(result, i, type), other, op);
    if (type != MPI_UINT64_T)
      ((int *)result)[i] = (int)both;
    else
      ((uint64_t *)result)[i] = both;
  }
  return MPI_SUCCESS;
}

/* The patient forms of these (job/agreement.h). */
void (*mpispec_agreement_while_waiting)(void);
int mpispec_agreement_allreduce(const void *mine, void *result, int count, MPI_Datatype type,
                              MPI_Op operation, MPI_Comm members) {
  return PMPI_Allreduce(mine, result, count, type, operation, members);
}
int mpispec_agreement_allgather(const void *mine, int bytes, void *all, MPI_Comm members) {
  return PMPI_Allgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, members);
}
int mpispec_agreement_receive(int *number, int source, int tag, MPI_Comm communicator) {
  (void)number, (void)source, (void)tag, (void)communicator;
  abort(); /* only where the ranks are on several machines */
}

/* A blocking function of the library's that no one takes from it. */
int PMPI_Win_fence(int assert, MPI_Win window) {
  (void)assert, (void)window;
  return PMPI_Barrier(MPI_COMM_WORLD);
}

/* --- what the rank does ------------------------------------------------------------------------*/

enum { LARGEST = 700000, WINDOW = 4 };

unsigned draw(unsigned *state, unsigned below) {
  *state = *state * 1103515245 + 12345;
  return (*state >> 8) % below;
}

static int draw_bytes(unsigned *state) {
  static const unsigned bounds[] = {49, 200, 1100, 5000, 66000, LARGEST};
  const unsigned of = draw(state, 16);
  return (int)draw(state, bounds[of < 6 ? of : of % 4]);
}

/* So many bytes, `stride` apart. */
static MPI_Datatype type_of(int bytes, int stride) {
  MPI_Datatype type;
  MPI_Type_vector(bytes, 1, stride, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

static void send_one(unsigned char *bytes, int count, MPI_Datatype type, int tag, unsigned way,
                     MPI_Request *request) {
  const int to = 1 - me;
  *request = MPI_REQUEST_NULL;
  switch (way % 5) {
  case 0:
    MPI_Send(bytes, count, type, to, tag, MPI_COMM_WORLD);
    break;
  case 1:
    MPI_Ssend(bytes, count, type, to, tag, MPI_COMM_WORLD);
    break;
  case 2:
    MPI_Issend(bytes, count, type, to, tag, MPI_COMM_WORLD, request);
    break;
  default:
    MPI_Isend(bytes, count, type, to, tag, MPI_COMM_WORLD, request);
  }
}

static void receive_one(unsigned char *bytes, int count, MPI_Datatype type, int tag, unsigned way) {
  const int from = way % 3 ? 1 - me : MPI_ANY_SOURCE;
  MPI_Status status;
  MPI_Request request;
  MPI_Message message;
  int done = 0, size;
  switch (way % 5) {
  case 0:
    MPI_Irecv(bytes, count, type, from, tag, MPI_COMM_WORLD, &request);
    while (!done)
      MPI_Test(&request, &done, &status);
    break;
  case 1:
    MPI_Mprobe(from, tag, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(bytes, count, type, &message, &status);
    break;
  case 2:
    MPI_Irecv(bytes, count, type, from, tag, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    break;
  default:
    MPI_Recv(bytes, count, type, from, tag, MPI_COMM_WORLD, &status);
  }
  MPI_Type_size(type, &size);
  MPI_Get_count(&status, MPI_BYTE, &done);
  CHECK(done == count * size && status.MPI_SOURCE == 1 - me && status.MPI_TAG == tag);
}

/* A few messages one way, all bytes written before and read after, and buffers used again. */
static void window(unsigned char *buffers[], int sends, int tag, unsigned *state) {
  MPI_Request requests[WINDOW];
  const int window = 1 + (int)draw(state, WINDOW);
  for (int i = 0; i < window; ++i) {
    const int bytes = draw_bytes(state);
    const unsigned way = draw(state, 1000), content = draw(state, 256);
    const int stride = 1 + (draw(state, 3) == 0);
    MPI_Datatype type = stride > 1 ? type_of(bytes, stride) : MPI_BYTE;
    if (sends) {
      memset(buffers[i], (int)content, (size_t)(stride * bytes));
      send_one(buffers[i], stride > 1 ? 1 : bytes, type, tag, way, &requests[i]);
    } else {
      receive_one(buffers[i], stride > 1 ? 1 : bytes, type, tag, way);
    }
    for (int k = 0; k < bytes && !sends; ++k)
      CHECK(buffers[i][stride * k] == (unsigned char)content);
    if (stride > 1)
      MPI_Type_free(&type);
  }
  if (sends)
    MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
}

/* Laps of the ring in which nothing comes back but credits. */
static void stream(int sends, int tag, unsigned *state) {
  unsigned char bytes[200];
  for (unsigned i = draw(state, 2000); i > 0; --i) {
    const int count = (int)draw(state, sizeof bytes);
    if (sends)
      MPI_Send(memset(bytes, (int)i, sizeof bytes), count, MPI_BYTE, 1 - me, tag, MPI_COMM_WORLD);
    else
      MPI_Recv(bytes, count, MPI_BYTE, 1 - me, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(!count || bytes[count - 1] == (unsigned char)i);
  }
}

/* A few operations in a row, so that one rank is ahead of the other by some of them. */
static void together(unsigned *state) {
  enum { MOST = 40000 };
  static double ours[2][2 * MOST], theirs[2][2 * MOST];
  double *in = ours[me], *out = theirs[me];
  for (unsigned left = draw(state, 30); left > 0; --left) {
    const unsigned operation = draw(state, 6), root = draw(state, 2);
    const int count = 1 + (int)draw(state, draw(state, 4) ? 20 : MOST);
    for (int i = 0; i < 2 * count; ++i)
      in[i] = i + me;
    switch (operation) {
    case 0:
      MPI_Barrier(MPI_COMM_WORLD);
      break;
    case 1:
      MPI_Bcast(in, count, MPI_DOUBLE, (int)root, MPI_COMM_WORLD);
      CHECK(in[count - 1] == count - 1 + (int)root);
      break;
    case 2:
      MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      CHECK(out[count - 1] == 2 * count - 1);
      break;
    case 3:
      MPI_Reduce(in, out, count, MPI_DOUBLE, MPI_SUM, (int)root, MPI_COMM_WORLD);
      CHECK((int)root != me || out[count - 1] == 2 * count - 1);
      break;
    case 4:
      MPI_Alltoall(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, MPI_COMM_WORLD);
      CHECK(out[count - 1] == me * count + count - 1 && out[count] == me * count + 1);
      break;
    default:
      MPI_Gather(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, (int)root, MPI_COMM_WORLD);
      CHECK((int)root != me || out[2 * count - 1] == count);
    }
  }
}

static void *work(void *argument) {
  const int thread = *(int *)argument;
  unsigned state = (unsigned)thread + 1;
  unsigned char *buffers[WINDOW];
  for (int i = 0; i < WINDOW; ++i)
    buffers[i] = malloc(2 * LARGEST);
  for (int round = 0; round < job->rounds; ++round) {
    window(buffers, (int)draw(&state, 2) == me, thread, &state);
    if (!draw(&state, 6))
      rank_exchange_long(me, thread, &state);
    if (!draw(&state, 32))
      stream((int)draw(&state, 2) == me, thread, &state);
    if (thread || draw(&state, 8))
      continue;
    together(&state);
    /* The helper thread goes on for a rank that sits in the library. */
    MPI_Request request;
    int token = 0;
    MPI_Irecv(&token, 1, MPI_INT, 1 - me, 99, MPI_COMM_WORLD, &request);
    if (me)
      MPI_Win_fence(0, MPI_WIN_NULL);
    MPI_Ssend(&round, 1, MPI_INT, 1 - me, 99, MPI_COMM_WORLD);
    if (!me)
      MPI_Win_fence(0, MPI_WIN_NULL);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(token == round);
  }
  for (int i = 0; i < WINDOW; ++i)
    free(buffers[i]);
  return NULL;
}

void rank_main(struct job *whole, int rank) {
  int provided, numbers[MAXIMUM_THREADS];
  pthread_t threads[MAXIMUM_THREADS];
  job = whole;
  me = rank;
  MPI_Init_thread(NULL, NULL, job->threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED,
                  &provided);
  for (int i = 0; i < job->threads; ++i)
    numbers[i] = i;
  for (int i = 1; i < job->threads; ++i)
    CHECK(!pthread_create(&threads[i], NULL, work, &numbers[i]));
  work(&numbers[0]);
  for (int i = 1; i < job->threads; ++i)
    pthread_join(threads[i], NULL);
  if (job->can_read)
    rank_push(me, job);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  job->filled[me] = mpispec_rendezvous_counts.filled;
  job->pulled[me] = mpispec_rendezvous_counts.pulled;
  job->pushed[me] = mpispec_rendezvous_counts.pushed;
}
