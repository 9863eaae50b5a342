/* Preloaded: a tool between program and library for the one function that TOOL names. It prints at the
 * end whether it was called. */
#include <mpi.h>
#include <stdio.h>

static int calls;

#define TAKE(NAME, PARAMETERS, ARGUMENTS)                                                          \
  int MPI_##NAME PARAMETERS {                                                                      \
    ++calls;                                                                                       \
    return PMPI_##NAME ARGUMENTS;                                                                  \
  }

#define Init 1
#define Send 2
#define Recv 3
#define Waitall 4
#define Barrier 5
#define Comm_rank 6
#if TOOL == Init
#undef Init
TAKE(Init, (int *argc, char ***argv), (argc, argv))
#elif TOOL == Send
#undef Send
TAKE(Send, (const void *b, int n, MPI_Datatype d, int p, int t, MPI_Comm c), (b, n, d, p, t, c))
#elif TOOL == Recv
#undef Recv
TAKE(Recv, (void *b, int n, MPI_Datatype d, int p, int t, MPI_Comm c, MPI_Status *s),
     (b, n, d, p, t, c, s))
#elif TOOL == Waitall
#undef Waitall
TAKE(Waitall, (int n, MPI_Request r[], MPI_Status s[]), (n, r, s))
#elif TOOL == Barrier
#undef Barrier
TAKE(Barrier, (MPI_Comm c), (c))
#elif TOOL == Comm_rank
#undef Comm_rank
TAKE(Comm_rank, (MPI_Comm c, int *r), (c, r))
#endif

__attribute__((destructor)) static void tell(void) {
  if (calls)
    fprintf(stderr, "the tool saw its calls\n");
}
