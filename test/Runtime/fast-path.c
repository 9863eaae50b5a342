/* Datatype, count, peer, tag and communicator come from a structure that only the run fills in. Sends and receives
 * have every length up to that of several cells and beyond, and predefined, contiguous and strided types. Most take
 * the shortest path of MPI_Send and MPI_Recv. Other calls must not take it. Their type has gaps or no bytes, or the
 * handle of one that was freed. Their message is longer than its buffer, or their peer is MPI_PROC_NULL. They have
 * wildcards, or counts that overflow. */
#include "check.h"
#include <limits.h>
#include <mpi.h>
#include <string.h>

enum { MOST = 1300 };
static struct message {
  unsigned char *buffer;
  int count;
  MPI_Datatype type;
  int peer, tag;
  MPI_Comm comm;
} message;
static unsigned char out[4 * MOST], in[4 * MOST];
static int rank;

static int send_it(void) {
  const struct message *m = &message;
  return MPI_Send(m->buffer, m->count, m->type, m->peer, m->tag, m->comm);
}
static int receive_it(MPI_Status *status) {
  const struct message *m = &message;
  return MPI_Recv(m->buffer, m->count, m->type, m->peer, m->tag, m->comm, status);
}

/* From 0 to 1 and back. Returns the bytes that the last receive says have come. */
static int there_and_back(int count, MPI_Datatype type, MPI_Comm comm, int tag) {
  MPI_Status status = {.MPI_ERROR = -7};
  int bytes = -1;
  message = (struct message){rank ? in : out, count, type, !rank, tag, comm};
  memset(in, 0xee, sizeof in);
  if (!rank)
    CHECK(!send_it());
  message.buffer = in;
  CHECK(!receive_it(&status));
  if (rank)
    CHECK(!send_it());
  CHECK(status.MPI_SOURCE == !rank && status.MPI_TAG == tag && status.MPI_ERROR == -7);
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  return bytes;
}

static void dense(MPI_Datatype type, int size, MPI_Comm comm) {
  for (int count = 0; count * size <= MOST; count += 1 + count / 40) {
    CHECK(there_and_back(count, type, comm, count % 5) == count * size);
    CHECK(!memcmp(in, out, (size_t)(count * size)));
    for (int i = count * size; i < (int)sizeof in; ++i)
      CHECK(in[i] == 0xee);
  }
}

static MPI_Datatype contiguous(int count) {
  MPI_Datatype type;
  MPI_Type_contiguous(count, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

/* The library gives the handle of a type that has ended to the next one, of another size or with
 * gaps. */
static void types_that_end(void) {
  int same = 0;
  for (int round = 0; round < 40; ++round) {
    MPI_Datatype type = contiguous(5 + round);
    const MPI_Datatype before = type;
    CHECK(there_and_back(2, type, MPI_COMM_WORLD, 1) == 2 * (5 + round));
    CHECK(there_and_back(2, type, MPI_COMM_WORLD, 1) == 2 * (5 + round));
    MPI_Type_free(&type);
    MPI_Type_vector(3, 2, 5, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    same += type == before;
    for (int again = 0; again < 2; ++again) {
      CHECK(there_and_back(1, type, MPI_COMM_WORLD, 1) == 6);
      for (int i = 0; i < 20; ++i)
        CHECK(in[i] == (i < 12 && i % 5 < 2 ? out[i] : 0xee));
    }
    MPI_Type_free(&type);
  }
#ifndef OPEN_MPI /* where a handle is an address, and may be another */
  CHECK(same); /* or nothing is tested */
#endif
}

static int class_of(int error) {
  int class;
  MPI_Error_class(error, &class);
  return class;
}

/* --- words with gaps between them --------------------------------------------------------------*/

enum { MIDDLE = 1024 };

static MPI_Datatype words(int count, int stride) {
  MPI_Datatype type;
  MPI_Type_create_hvector(count, 8, stride, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

/* Checks the bytes in the middle of the buffer: a number of words, `stride` bytes apart, in elements that are one
 * extent apart. */
static void check_words(int came, int count, int stride, long extent) {
  static unsigned char wanted[sizeof in];
  memset(wanted, 0xee, sizeof wanted);
  for (int i = 0; i < came; ++i) {
    const long at = MIDDLE + i / count * extent + i % count * stride;
    memcpy(wanted + at, out + at, 8);
  }
  CHECK(!memcmp(in, wanted, sizeof in));
}

/* Sends `sent` elements from the middle of one buffer to that of the other, which has room for
 * `room`. */
static int shift(int sent, MPI_Datatype type, int room, MPI_Datatype other, MPI_Comm comm) {
  MPI_Status status;
  int bytes = -1;
  memset(in, 0xee, sizeof in);
  if (!rank) {
    message = (struct message){out + MIDDLE, sent, type, 1, 4, comm};
    CHECK(!send_it());
    return -1;
  }
  message = (struct message){in + MIDDLE, room, other, 0, 4, comm};
  CHECK(!receive_it(&status) && status.MPI_SOURCE == 0 && status.MPI_TAG == 4);
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  return bytes;
}

static void strided(MPI_Comm comm) {
  static const int strides[] = {16, 24, 9, -16, 8};
  for (int count = 1; count <= 8; ++count)
    for (int s = 0; s < 5; ++s) {
      MPI_Datatype type = words(count, strides[s]);
      MPI_Aint lower, extent;
      MPI_Type_get_extent(type, &lower, &extent);
      for (int elements = 0; elements < 4; ++elements)
        for (int again = 0; again < 2; ++again) {
          const int bytes = shift(elements, type, elements, type, comm);
          CHECK(!rank || bytes == 8 * count * elements);
          if (rank)
            check_words(count * elements, count, strides[s], extent);
        }
      const int bytes = shift(1, type, 2, type, comm); /* fewer than there is room for */
      CHECK(!rank || bytes == 8 * count);
      if (rank)
        check_words(count, count, strides[s], extent);
      MPI_Type_free(&type);
    }
}

/* Hundreds, so that a lane comes to its limit, and wraps. */
static void many_strided(void) {
  MPI_Datatype type = words(4, 24);
  for (int i = 0; i < 700; ++i)
    shift(1, type, 1, type, MPI_COMM_WORLD);
  if (rank)
    check_words(4, 4, 24, 0);
  MPI_Type_free(&type);
}

/* The handle of a type that has ended is the next one's, with other gaps or none. */
static void strided_that_end(void) {
  for (int round = 0; round < 40; ++round) {
    MPI_Datatype type = words(4, 16 + 8 * (round % 2));
    for (int again = 0; again < 2; ++again)
      shift(1, type, 1, type, MPI_COMM_WORLD);
    if (rank)
      check_words(4, 4, 16 + 8 * (round % 2), 0);
    MPI_Type_free(&type);
    type = contiguous(32);
    for (int again = 0; again < 2; ++again)
      shift(1, type, 1, type, MPI_COMM_WORLD);
    if (rank)
      check_words(4, 4, 8, 0);
    MPI_Type_free(&type);
  }
}

/* More has come than there is room for; and a receive from anyone that waits has the first. */
static void strided_in_line(void) {
  MPI_Datatype small = words(3, 16), large = words(4, 16);
  MPI_Request request;
  MPI_Status status;
  for (int again = 0; again < 2; ++again) {
    shift(1, small, 1, small, MPI_COMM_WORLD); /* both are known */
    shift(1, large, 1, large, MPI_COMM_WORLD);
    memset(in, 0xee, sizeof in);
    message = (struct message){rank ? in + MIDDLE : out + MIDDLE, 1, rank ? small : large, !rank, 4,
                               MPI_COMM_WORLD};
    if (rank)
      CHECK(class_of(receive_it(&status)) == MPI_ERR_TRUNCATE);
    else
      CHECK(!send_it());
    if (rank) {
      CHECK(in[MIDDLE + 48] == 0xee);
      MPI_Irecv(in, 1, large, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &request);
      MPI_Barrier(MPI_COMM_WORLD);
      message.type = large;
      CHECK(!receive_it(&status));
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      CHECK(in[0] == out[MIDDLE] && in[MIDDLE] == out[MIDDLE + 8]);
    } else {
      MPI_Barrier(MPI_COMM_WORLD);
      CHECK(!send_it());
      message.buffer = out + MIDDLE + 8;
      CHECK(!send_it());
    }
  }
  MPI_Type_free(&small);
  MPI_Type_free(&large);
}

static void types_without_bytes(void) {
  MPI_Datatype type = contiguous(0);
  for (int count = 0; count < 3; ++count)
    CHECK(there_and_back(count, type, MPI_COMM_WORLD, 2) == 0);
  CHECK(in[0] == 0xee);
  MPI_Type_free(&type);
}

static void mistakes(void) {
  const struct message good = {in, 1, MPI_INT, rank, 3, MPI_COMM_WORLD};
  message = good;
  message.type = MPI_DATATYPE_NULL;
  CHECK(class_of(send_it()) == MPI_ERR_TYPE && class_of(receive_it(MPI_STATUS_IGNORE)) == MPI_ERR_TYPE);
  message.type = (MPI_Datatype)0;
  CHECK(class_of(send_it()) == MPI_ERR_TYPE);
  message.buffer = in;
  MPI_Type_vector(4, 1, 2, MPI_DOUBLE, &message.type); /* not committed */
  CHECK(class_of(send_it()) == MPI_ERR_TYPE && class_of(receive_it(MPI_STATUS_IGNORE)) == MPI_ERR_TYPE);
  MPI_Type_free(&message.type);
  message = good;
  message.count = -1;
  CHECK(class_of(send_it()) == MPI_ERR_COUNT && class_of(receive_it(MPI_STATUS_IGNORE)) == MPI_ERR_COUNT);
  message.count = INT_MIN;
  CHECK(class_of(send_it()) == MPI_ERR_COUNT);
  message = good;
  message.buffer = NULL;
  CHECK(class_of(send_it()) == MPI_ERR_BUFFER);
  message = good;
  message.peer = 2;
  CHECK(class_of(send_it()) == MPI_ERR_RANK);
  message = good;
  message.tag = -5;
  CHECK(class_of(send_it()) == MPI_ERR_TAG);
  message = good;
  message.comm = MPI_COMM_NULL;
  CHECK(class_of(send_it()) == MPI_ERR_COMM);
}

static void nobody(void) {
  MPI_Status status;
  message = (struct message){in, 4, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD};
  CHECK(!send_it() && !receive_it(&status));
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
}

/* A buffer that is too small, in cells and in one. */
static void truncation(void) {
  for (int bytes = 40; bytes <= 400; bytes += 120) {
    MPI_Status status;
    memset(in, 0xee, sizeof in);
    message = (struct message){rank ? in : out, rank ? bytes - 9 : bytes, MPI_BYTE, !rank, 6,
                               MPI_COMM_WORLD};
    if (!rank) {
      CHECK(!send_it());
      continue;
    }
    CHECK(class_of(receive_it(&status)) == MPI_ERR_TRUNCATE);
    for (int i = bytes - 9; i < bytes + 20; ++i)
      CHECK(in[i] == 0xee);
  }
}

/* A receive from anyone that was posted before has the first message. */
static void wildcards(void) {
  for (int bytes = 8; bytes <= 800; bytes += 99) {
    MPI_Status status;
    MPI_Request request;
    message = (struct message){rank ? in : out, bytes, MPI_BYTE, !rank, 7, MPI_COMM_WORLD};
    if (!rank) {
      CHECK(!send_it());
      message.buffer = out + 1;
      CHECK(!send_it());
      CHECK(!send_it());
      continue;
    }
    MPI_Irecv(in + MOST, bytes, MPI_BYTE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
    CHECK(!receive_it(&status));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(!memcmp(in + MOST, out, (size_t)bytes) && !memcmp(in, out + 1, (size_t)bytes));
    message.peer = MPI_ANY_SOURCE;
    message.tag = MPI_ANY_TAG;
    CHECK(!receive_it(&status) && status.MPI_SOURCE == 0 && status.MPI_TAG == 7);
  }
}

/* A number of bytes that is small modulo 2^32. */
static void overflow(void) {
  MPI_Datatype type = contiguous(1 << 20);
  MPI_Request request;
  CHECK(there_and_back(0, type, MPI_COMM_WORLD, 8) == 0);
  if (rank) {
    message = (struct message){out, 8, MPI_BYTE, 0, 8, MPI_COMM_WORLD};
    CHECK(!send_it());
  } else { /* a room of 4 GiB and 1 MiB */
    MPI_Status status;
    int bytes;
    MPI_Irecv(in, 4097, type, 1, 8, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    CHECK(bytes == 8 && !memcmp(in, out, 8));
  }
  MPI_Type_free(&type);
}

int main(int argc, char **argv) {
  MPI_Comm other;
  MPI_Datatype pair;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < (int)sizeof out; ++i)
    out[i] = (unsigned char)(i * 11 + i / 256);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  pair = contiguous(12);
  dense(MPI_BYTE, 1, MPI_COMM_WORLD);
  dense(MPI_DOUBLE, 8, MPI_COMM_WORLD);
  dense(MPI_SHORT, 2, other);
  dense(pair, 12, MPI_COMM_WORLD);
  MPI_Type_free(&pair);
  types_that_end();
  types_without_bytes();
  strided(MPI_COMM_WORLD);
  strided(other);
  many_strided();
  strided_that_end();
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  mistakes();
  nobody();
  truncation();
  wildcards();
  strided_in_line();
  overflow();
  MPI_Comm_free(&other);
  MPI_Finalize();
  return passed();
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=off %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t | FileCheck %s %}
// CHECK-COUNT-2: passed
