/* A tool for Fortran, between a program and the binding of mpi_f08 for MPI_Wait, or MPI_Comm_rank
 * (-DHARMLESS). It prints at the end whether it was called. */
#include <stdio.h>

static int calls;

#ifdef HARMLESS
void pmpir_comm_rank_f08_(int *comm, int *rank, int *ierror);
void mpi_comm_rank_f08_(int *comm, int *rank, int *ierror) {
  ++calls;
  pmpir_comm_rank_f08_(comm, rank, ierror);
}
#else
void pmpir_wait_f08_(int *request, void *status, int *ierror);
void mpi_wait_f08_(int *request, void *status, int *ierror) {
  ++calls;
  pmpir_wait_f08_(request, status, ierror);
}
#endif

__attribute__((destructor)) static void tell(void) {
  if (calls)
    puts("the tool saw its calls");
}
