/* A library that was never rewritten: it sends and receives on what the program gives it. */
#include <mpi.h>

void library_send(int *value, int peer, MPI_Comm comm) {
  MPI_Send(value, 1, MPI_INT, peer, 8, comm);
}

void library_receive(int *value, int peer, MPI_Comm comm) {
  MPI_Request request;
  MPI_Irecv(value, 1, MPI_INT, peer, 8, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
