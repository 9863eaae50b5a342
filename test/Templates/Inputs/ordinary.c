/* The counting wrappers of ordinary.h. Never specialised. */
#include "mpispec/state.h"

#include <mpi.h>

#define COUNTED(NAME, PARAMETERS, ARGUMENTS)                                                       \
  int ordinary_##NAME;                                                                             \
  int __real_MPI_##NAME PARAMETERS;                                                                \
  int __wrap_MPI_##NAME PARAMETERS;                                                                \
  int __wrap_MPI_##NAME PARAMETERS {                                                               \
    ++ordinary_##NAME;                                                                             \
    return __real_MPI_##NAME ARGUMENTS;                                                            \
  }
#define SEND(NAME)                                                                                 \
  COUNTED(NAME, (const void *b, int n, MPI_Datatype d, int p, int t, MPI_Comm c),                  \
          (b, n, d, p, t, c))

SEND(Send)
SEND(Rsend)
SEND(Bsend)
SEND(Ssend)
COUNTED(Isend, (const void *b, int n, MPI_Datatype d, int p, int t, MPI_Comm c, MPI_Request *r),
        (b, n, d, p, t, c, r))
COUNTED(Issend, (const void *b, int n, MPI_Datatype d, int p, int t, MPI_Comm c, MPI_Request *r),
        (b, n, d, p, t, c, r))
COUNTED(Recv, (void *b, int n, MPI_Datatype d, int p, int t, MPI_Comm c, MPI_Status *s),
        (b, n, d, p, t, c, s))
COUNTED(Irecv, (void *b, int n, MPI_Datatype d, int p, int t, MPI_Comm c, MPI_Request *r),
        (b, n, d, p, t, c, r))
COUNTED(Sendrecv,
        (const void *b, int n, MPI_Datatype d, int p, int t, void *b2, int n2, MPI_Datatype d2,
         int p2, int t2, MPI_Comm c, MPI_Status *s),
        (b, n, d, p, t, b2, n2, d2, p2, t2, c, s))
COUNTED(Sendrecv_replace,
        (void *b, int n, MPI_Datatype d, int p, int t, int p2, int t2, MPI_Comm c, MPI_Status *s),
        (b, n, d, p, t, p2, t2, c, s))
COUNTED(Probe, (int p, int t, MPI_Comm c, MPI_Status *s), (p, t, c, s))
COUNTED(Iprobe, (int p, int t, MPI_Comm c, int *f, MPI_Status *s), (p, t, c, f, s))
COUNTED(Wait, (MPI_Request * r, MPI_Status *s), (r, s))
COUNTED(Test, (MPI_Request * r, int *f, MPI_Status *s), (r, f, s))
COUNTED(Waitall, (int n, MPI_Request r[], MPI_Status s[]), (n, r, s))
COUNTED(Barrier, (MPI_Comm c), (c))
COUNTED(Bcast, (void *b, int n, MPI_Datatype d, int r, MPI_Comm c), (b, n, d, r, c))
COUNTED(Reduce, (const void *b, void *b2, int n, MPI_Datatype d, MPI_Op o, int r, MPI_Comm c),
        (b, b2, n, d, o, r, c))
COUNTED(Allreduce, (const void *b, void *b2, int n, MPI_Datatype d, MPI_Op o, MPI_Comm c),
        (b, b2, n, d, o, c))

void templates_wait(int long_enough) {
  static unsigned polls;
  if (long_enough)
    polls = mpispec_state.polls;
  mpispec_state.polls = long_enough ? ~0u : polls;
}
