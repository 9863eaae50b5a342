/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of Sections.def. The entries of sends and receives are in the files of the C
 * functions, because they begin with the same fast path. Each function here reads the descriptors
 * of its buffers and calls the C function. If it cannot read a descriptor, it jumps to the function
 * of the binding with all arguments. An `ierror` that the program leaves out is null. */
#include "interposition/fortran/section.h"

#ifdef MPISPEC_STYLE_MPICH

#include "interposition/fortran/kinds.h"
#include "mpispec/machine.h"

typedef const struct mpispec_section *section;
typedef struct mpispec_section_buffer buffer;

/* Begins the definition of FUNCTION, which does the work of mpi_NAME_f08ts_. ARGUMENTS are its
 * arguments in parentheses, and its parameters follow. */
#define IN_SECTION __section__("mpispec_fortran")
#define WORK(FUNCTION, NAME, ARGUMENTS, ...)                                                       \
  __attribute__((IN_SECTION)) void FUNCTION(__VA_ARGS__);                                          \
  static __attribute__((__noinline__, __cold__, IN_SECTION)) void pass_##NAME(__VA_ARGS__) {       \
    MPISPEC_JUMP((__typeof__(&FUNCTION))mpispec_section_next(MPISPEC_SECTION_##NAME)) ARGUMENTS;   \
  }                                                                                                \
  void FUNCTION(__VA_ARGS__)

/* An entry that is not in the file of the function of C. */
#define ENTRY(NAME, ARGUMENTS, ...)                                                                \
  __attribute__((__weak__, __visibility__("default"))) void mpi_##NAME##_f08ts_(__VA_ARGS__);      \
  WORK(mpi_##NAME##_f08ts_, NAME, ARGUMENTS, __VA_ARGS__)

/* The first statement of a function. READ is nonzero if all descriptors could be read. */
#define PASS_UNLESS(READ, NAME, ...)                                                               \
  if (!mpispec_section_is_open() || !(READ))                                                       \
  MPISPEC_JUMP pass_##NAME(__VA_ARGS__)

static inline void store(int *ierror, int error) {
  if (ierror)
    *ierror = error;
}

static inline MPI_Status *status_of(MPI_Status *status) {
  return IS_IGNORED(status) ? MPI_STATUS_IGNORE : status;
}

/* Reads a buffer. Returns 0 if it has gaps, because a reduction needs the program's own
 * datatype. */
static int read_plain(section x, int count, MPI_Datatype datatype, buffer *read) {
  return mpispec_section_read(x, count, datatype, read) && read->datatype == datatype;
}

WORK(mpispec_section_send, send, (x, count, datatype, peer, tag, comm, ierror), section x,
     const int *count, const MPI_Datatype *datatype, const int *peer, const int *tag,
     const MPI_Comm *comm, int *ierror) {
  buffer from;
  PASS_UNLESS(mpispec_section_read(x, *count, *datatype, &from), send, x, count, datatype, peer,
              tag, comm, ierror);
  store(ierror, MPI_Send(from.address, from.count, from.datatype, *peer, *tag, *comm));
}

WORK(mpispec_section_isend, isend, (x, count, datatype, peer, tag, comm, request, ierror),
     section x, const int *count, const MPI_Datatype *datatype, const int *peer, const int *tag,
     const MPI_Comm *comm, MPI_Request *request, int *ierror) {
  buffer from;
  PASS_UNLESS(mpispec_section_read(x, *count, *datatype, &from), isend, x, count, datatype, peer,
              tag, comm, request, ierror);
  store(ierror, MPI_Isend(from.address, from.count, from.datatype, *peer, *tag, *comm, request));
}

WORK(mpispec_section_recv, recv, (x, count, datatype, peer, tag, comm, status, ierror), section x,
     const int *count, const MPI_Datatype *datatype, const int *peer, const int *tag,
     const MPI_Comm *comm, MPI_Status *status, int *ierror) {
  buffer to;
  PASS_UNLESS(mpispec_section_read(x, *count, *datatype, &to), recv, x, count, datatype, peer, tag,
              comm, status, ierror);
  store(ierror, MPI_Recv(to.address, to.count, to.datatype, *peer, *tag, *comm, status_of(status)));
}

WORK(mpispec_section_irecv, irecv, (x, count, datatype, peer, tag, comm, request, ierror),
     section x, const int *count, const MPI_Datatype *datatype, const int *peer, const int *tag,
     const MPI_Comm *comm, MPI_Request *request, int *ierror) {
  buffer to;
  PASS_UNLESS(mpispec_section_read(x, *count, *datatype, &to), irecv, x, count, datatype, peer, tag,
              comm, request, ierror);
  store(ierror, MPI_Irecv(to.address, to.count, to.datatype, *peer, *tag, *comm, request));
}

ENTRY(sendrecv,
      (x, x_count, x_type, dest, x_tag, y, y_count, y_type, source, y_tag, comm, status, ierror),
      section x, const int *x_count, const MPI_Datatype *x_type, const int *dest, const int *x_tag,
      section y, const int *y_count, const MPI_Datatype *y_type, const int *source,
      const int *y_tag, const MPI_Comm *comm, MPI_Status *status, int *ierror) {
  buffer from, to;
  PASS_UNLESS(mpispec_section_read(x, *x_count, *x_type, &from) &&
                  mpispec_section_read(y, *y_count, *y_type, &to),
              sendrecv, x, x_count, x_type, dest, x_tag, y, y_count, y_type, source, y_tag, comm,
              status, ierror);
  store(ierror, MPI_Sendrecv(from.address, from.count, from.datatype, *dest, *x_tag, to.address,
                             to.count, to.datatype, *source, *y_tag, *comm, status_of(status)));
}

ENTRY(bcast, (x, count, datatype, root, comm, ierror), section x, const int *count,
      const MPI_Datatype *datatype, const int *root, const MPI_Comm *comm, int *ierror) {
  buffer all;
  PASS_UNLESS(mpispec_section_read(x, *count, *datatype, &all), bcast, x, count, datatype, root,
              comm, ierror);
  store(ierror, MPI_Bcast(all.address, all.count, all.datatype, *root, *comm));
}

ENTRY(allreduce, (x, y, count, datatype, op, comm, ierror), section x, section y, const int *count,
      const MPI_Datatype *datatype, const MPI_Op *op, const MPI_Comm *comm, int *ierror) {
  buffer from, to;
  PASS_UNLESS(read_plain(x, *count, *datatype, &from) && read_plain(y, *count, *datatype, &to),
              allreduce, x, y, count, datatype, op, comm, ierror);
  store(ierror, MPI_Allreduce(from.address, to.address, *count, *datatype, *op, *comm));
}

ENTRY(reduce, (x, y, count, datatype, op, root, comm, ierror), section x, section y,
      const int *count, const MPI_Datatype *datatype, const MPI_Op *op, const int *root,
      const MPI_Comm *comm, int *ierror) {
  buffer from, to;
  PASS_UNLESS(read_plain(x, *count, *datatype, &from) && read_plain(y, *count, *datatype, &to),
              reduce, x, y, count, datatype, op, root, comm, ierror);
  store(ierror, MPI_Reduce(from.address, to.address, *count, *datatype, *op, *root, *comm));
}

/* The table needs only the addresses. The true types of these functions are in the files with the
 * entries. */
void mpi_send_f08ts_(void), mpi_isend_f08ts_(void), mpi_recv_f08ts_(void), mpi_irecv_f08ts_(void);

const struct mpispec_section_entry mpispec_section_entries[] = {
#define SECTION(NAME)                                                                              \
  {"mpi_" #NAME "_f08ts_", "pmpir_" #NAME "_f08ts_", (void *)mpi_##NAME##_f08ts_},
#include "interposition/fortran/Sections.def"
#undef SECTION
};

#endif
