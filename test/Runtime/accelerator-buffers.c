/* An accelerator's library is loaded. Buffers in host memory take the lanes. The MPI library alone copies buffers in
 * the device's memory, and in memory that moves between both. Every message keeps its place among the others.
 *
 * device_register makes ordinary memory look like the device's (Inputs/device-library.c). */
#include "check.h"

#include <mpi.h>
#include <string.h>

#include "job/accelerator.h" /* counts what the MPI library has carried */

extern long device_queries, device_packs, device_last_error;
void device_initialize(void);
void device_register(void *begin, size_t bytes, int kind);

enum { NONE, HOST, DEVICE, MANAGED, MOST = 1 << 20 };
static int rank, size;
static unsigned long messages, operations;
static long packs;

static void begin_count(void) {
  messages = mpispec_accelerator_counts.messages;
  operations = mpispec_accelerator_counts.operations;
  packs = device_packs;
}

/* Since then, the MPI library has carried so many messages of this rank, and packed or unpacked so often. */
#define COUNTS(MESSAGES, PACKS)                                                                                        \
  do {                                                                                                                 \
    CHECK(mpispec_accelerator_counts.messages - messages == (MESSAGES));                                               \
    CHECK(device_packs - packs == (PACKS));                                                                            \
  } while (0)

static unsigned char *allocate(int bytes, int kind) {
  unsigned char *memory = malloc((size_t)bytes);
  CHECK(memory);
  device_register(memory, (size_t)bytes, kind);
  return memory;
}
static void release(unsigned char *memory) {
  device_register(memory, 0, NONE);
  free(memory);
}

static unsigned char byte_of(int i, int key) { return (unsigned char)(i * 7 + (i >> 8) + key); }
static void fill(unsigned char *bytes, int count, int key) {
  for (int i = 0; i < count; ++i)
    bytes[i] = byte_of(i, key);
}
static void check(const unsigned char *bytes, int count, int key) {
  for (int i = 0; i < count; ++i)
    CHECK(bytes[i] == byte_of(i, key));
}

/* One message from rank 0 to rank 1, between memory of two kinds. */
static void send_one(int bytes, int from, int to) {
  const int by_library = from >= DEVICE, unpacks = !by_library && to >= DEVICE;
  unsigned char *memory = allocate(bytes, rank ? to : from);
  begin_count();
  if (rank == 0) {
    fill(memory, bytes, from);
    MPI_Send(memory, bytes, MPI_BYTE, 1, 5, MPI_COMM_WORLD);
    COUNTS(by_library, 0);
  } else if (rank == 1) {
    MPI_Status status;
    int count;
    memset(memory, 0, (size_t)bytes);
    MPI_Recv(memory, bytes, MPI_BYTE, 0, 5, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK(count == bytes && status.MPI_SOURCE == 0 && status.MPI_TAG == 5);
    check(memory, bytes, from);
    COUNTS(0, unpacks);
  }
  release(memory);
}

/* Host, device, host, device: with one tag each comes in its turn, also to wildcards, probes and matched probes. */
static void keep_order(int bytes) {
  unsigned char *memory[4];
  for (int i = 0; i < 4; ++i)
    memory[i] = allocate(bytes, rank == 0 && i % 2 ? DEVICE : NONE);
  MPI_Request requests[4];
  MPI_Status status;
  if (rank == 0) {
    for (int i = 0; i < 4; ++i) {
      fill(memory[i], bytes, i);
      MPI_Isend(memory[i], bytes, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Cancel(&requests[1]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  } else if (rank == 1) {
    int count;
    MPI_Message message;
    MPI_Recv(memory[0], bytes, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK(count == bytes && status.MPI_SOURCE == 0 && status.MPI_TAG == 3);
    MPI_Irecv(memory[1], bytes, MPI_BYTE, 0, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv(memory[2], bytes, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Mprobe(0, 3, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(memory[3], bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], &status);
    CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == 3);
    for (int i = 0; i < 4; ++i)
      check(memory[i], bytes, i);
  }
  for (int i = 0; i < 4; ++i)
    release(memory[i]);
}

/* Other modes, and requests that are started twice. */
static void use_modes(int bytes) {
  unsigned char *memory = allocate(bytes, DEVICE), *attached = malloc((size_t)bytes + MPI_BSEND_OVERHEAD);
  int attached_bytes;
  MPI_Request request;
  if (rank == 0) {
    fill(memory, bytes, 1);
    MPI_Ssend(memory, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    MPI_Buffer_attach(attached, bytes + MPI_BSEND_OVERHEAD);
    MPI_Bsend(memory, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    fill(memory, bytes, 2);
    MPI_Buffer_detach(&attached, &attached_bytes);
    MPI_Send_init(memory, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
  } else {
    for (int i = 0; i < 2; ++i) {
      memset(memory, 0, (size_t)bytes);
      MPI_Recv(memory, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check(memory, bytes, 1);
    }
    MPI_Recv_init(memory, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &request);
  }
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(memory, bytes, 2);
    if (rank)
      memset(memory, 0, (size_t)bytes);
  }
  MPI_Request_free(&request);
  MPI_Isend(memory, bytes, MPI_BYTE, 1 - rank, 2, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  unsigned char *got = allocate(bytes, MANAGED);
  MPI_Recv(got, bytes, MPI_BYTE, 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(got, bytes, MPI_BYTE, 1 - rank, 4, 1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  release(memory);
  release(got);
  free(attached);
}

/* A ring of exchanges: the MPI library carries what lies in device memory. */
static void exchange(int bytes, int kind) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  unsigned char *out = allocate(bytes, kind), *in = allocate(bytes, HOST);
  fill(out, bytes, rank);
  for (int i = 0; i < 3; ++i) {
    begin_count();
    MPI_Sendrecv(out, bytes, MPI_BYTE, right, 6, in, bytes, MPI_BYTE, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    COUNTS(kind >= DEVICE, 0);
    check(in, bytes, left);
  }
  release(out);
  release(in);
}

/* Rank 0 sends an element in memory of host and device, whose bytes the MPI library carries. */
static void pass_from_library(void *buffer, MPI_Datatype type) {
  begin_count();
  if (rank == 0) {
    MPI_Send(buffer, 1, type, 1, 0, MPI_COMM_WORLD);
    COUNTS(1, 0);
  } else {
    MPI_Recv(buffer, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    COUNTS(0, 0);
  }
}

/* The first byte of each run counts, not the address that is passed. */
static void use_types(void) {
  unsigned char *host = allocate(64, NONE), *device = allocate(64, DEVICE);
  const int lengths[] = {8, 8};
  MPI_Aint places[2];
  MPI_Datatype both;
  MPI_Get_address(host, &places[0]);
  MPI_Get_address(device, &places[1]);
  MPI_Type_create_hindexed(2, lengths, places, MPI_BYTE, &both);
  MPI_Type_commit(&both);
  memset(host, 1 + rank, 64);
  memset(device, 3 + rank, 64);
  pass_from_library(MPI_BOTTOM, both);
  if (rank == 1)
    CHECK(host[7] == 1 && host[8] == 2 && device[7] == 3 && device[8] == 4);
  MPI_Type_free(&both);
  places[0] = 0;
  places[1] = device - host; /* from an address of the host */
  MPI_Type_create_hindexed(2, lengths, places, MPI_BYTE, &both);
  MPI_Type_commit(&both);
  pass_from_library(host, both);
  MPI_Type_free(&both);
  release(host);
  release(device);
}

/* Memory of a device becomes memory of malloc again, and the reverse. */
static void reuse_addresses(void) {
  unsigned char *memory = allocate(1000, NONE);
  for (int round = 0; round < 4; ++round) {
    const int is_device = rank == 0 && round % 2;
    device_register(memory, 1000, is_device ? DEVICE : NONE);
    begin_count();
    if (rank == 0) {
      MPI_Send(memory, 1000, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      COUNTS(is_device, 0);
    } else {
      MPI_Recv(memory, 1000, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      COUNTS(0, 0);
    }
  }
  release(memory);
}

/* Nobody is asked about the stack and the program's own data. */
static void ask_nothing(void) {
  static int global;
  int local = rank, sum;
  const long before = device_queries;
  if (rank == 0)
    MPI_Send(&local, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  else
    MPI_Recv(&global, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(&local, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(&global, 1, MPI_INT, 0, MPI_COMM_WORLD);
  CHECK(device_queries == before && sum == size * (size - 1) / 2);
}

static void truncate_one(void) {
  unsigned char *memory = allocate(1000, rank ? NONE : DEVICE);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0)
    MPI_Send(memory, 1000, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  else {
    int class = MPI_SUCCESS;
    MPI_Error_class(MPI_Recv(memory, 10, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), &class);
    CHECK(class == MPI_ERR_TRUNCATE);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  release(memory);
}

/* One member's buffer is the device's. All members do the operation by the MPI library then, and none waits for another. */
static void collect(int count, int odd) {
  const int bytes = count * (int)sizeof(int), kind = rank == odd ? DEVICE : NONE;
  int *mine = (int *)allocate(bytes * size, kind), *all = (int *)allocate(bytes * size, kind);
  int counts[64], places[64];
  for (int root = 0; root < size; ++root) {
    for (int i = 0; i < count * size; ++i)
      mine[i] = rank + i;
    MPI_Allreduce(mine, all, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all[count - 1] == size * (size - 1) / 2 + size * (count - 1));
    const int in_place = rank == root && !root; /* MPICH 4.0.2 reads MPI_IN_PLACE at other roots */
    MPI_Reduce(in_place ? MPI_IN_PLACE : mine, in_place ? mine : all, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    CHECK(rank != root || (in_place ? mine : all)[0] == size * (size - 1) / 2);
    memset(all, 0, (size_t)(bytes * size));
    for (int i = 0; i < count; ++i)
      mine[i] = 10 * rank + i;
    MPI_Gather(mine, count, MPI_INT, all, count, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; rank == root && i < size; ++i)
      CHECK(all[i * count] == 10 * i);
    MPI_Bcast(all, count * size, MPI_INT, root, MPI_COMM_WORLD);
    CHECK(all[count * (size - 1)] == 10 * (size - 1));
    for (int i = 0; i < size; ++i) {
      counts[i] = count;
      places[i] = (size - 1 - i) * count;
    }
    MPI_Alltoallv(all, counts, places, MPI_INT, mine, counts, places, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; ++i)
      CHECK(mine[places[i]] == 10 * (size - 1 - rank));
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, all, count, MPI_INT, MPI_COMM_WORLD);
    MPI_Scatter(all, count, MPI_INT, rank == root ? MPI_IN_PLACE : mine, count, MPI_INT, root, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Scan(all, mine, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(all, mine, count, MPI_INT, MPI_BAND, MPI_COMM_WORLD);
  }
  release((unsigned char *)mine);
  release((unsigned char *)all);
}

int main(int argc, char **argv) {
  static const int lengths[] = {8, 1000, 50000, MOST};
  int level;
  MPI_Init_thread(&argc, &argv, argc > 1 && !strcmp(argv[1], "threads") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                  &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 1 && !strcmp(argv[1], "late"))
    send_one(1000, NONE, NONE); /* the library is not initialised */
  device_initialize();
  for (int i = 0; i < 4; ++i) {
    for (int from = NONE; from <= MANAGED; ++from)
      for (int to = NONE; to <= MANAGED; ++to)
        send_one(lengths[i], from, to);
    keep_order(lengths[i]);
    exchange(lengths[i], HOST);
    exchange(lengths[i], MANAGED);
    if (size == 2)
      use_modes(lengths[i]);
    begin_count();
    collect(lengths[i] / 8, -1);
    COUNTS(0, 0);
    CHECK(mpispec_accelerator_counts.operations == operations);
    for (int odd = 0; odd < size; ++odd) {
      begin_count();
      collect(lengths[i] / 8, odd);
      COUNTS(0, 0);
      CHECK(mpispec_accelerator_counts.operations - operations >= 8ul * (unsigned)size);
    }
  }
  if (size == 2) {
    use_types();
    reuse_addresses();
    truncate_one();
    ask_nothing();
  }
  CHECK(!device_last_error);
  if (rank == 0)
    puts("right");
  MPI_Finalize();
  return 0;
}

/* The queries of each family. CUDA and Level Zero are initialised by the program, perhaps after MPI_Init.

AddressSanitizer leaves the variables of functions on the stack, which nobody asks about.

DEFINE: %{lanes} = env ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0 MPISPEC_VERBOSE=1
RUN: mkdir -p %t.dir
RUN: for family in CUDA HIP HIP5 ZE; do \
RUN:   %mpicc -w -DFAMILY=$family -fPIC -shared %tool/device-library.c -o %t.dir/libdevice-$family.so && \
RUN:   %mpicc -w %include %s -o %t.$family %runtime -L%t.dir -Wl,-rpath,%t.dir -ldevice-$family && \
RUN:   %{lanes} %mpirun -n 2 %t.$family late >%t.out 2>&1 && FileCheck %s <%t.out && \
RUN:   %{lanes} %mpirun -n 3 %t.$family >%t.out 2>&1 && FileCheck %s <%t.out || { cat %t.out; exit 1; }; done
RUN: %{lanes} %mpirun -n 2 %t.CUDA threads >%t.out 2>&1 && FileCheck %s <%t.out

CHECK-DAG: mpispec: an accelerator's library is loaded: buffers in host memory take the lanes
CHECK-DAG: mpispec: lanes are open
CHECK-DAG: right
CHECK-DAG: mpispec: buffers outside host memory: the MPI library carried {{[1-9][0-9]*}} messages and {{[1-9][0-9]*}} collective operations of rank 0
*/
