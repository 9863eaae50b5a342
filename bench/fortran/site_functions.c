/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* site_functions.c - the functions that a specialiser of Fortran could write, written by hand.
 *
 * Each call of a message in a kernel's source goes to a function of its own, numbered in the order
 * of the source (site-functions.sh). The function has the constants of its site, so that mpispec
 * specialises its call as in C. The macro CG, LU or PING_PONG selects the kernel. All parameters
 * are addresses. */
#include <mpi.h>

typedef const int *word;

#if defined(CG)
void site_1_(void *x, word n, word t, word peer, word tag, word c, MPI_Request *request, int *e) {
  *e = MPI_Irecv(x, 1, MPI_DOUBLE, *peer, 1, MPI_COMM_WORLD, request);
}
void site_2_(void *x, word n, word t, word peer, word tag, word c, int *e) {
  *e = MPI_Send(x, 1, MPI_DOUBLE, *peer, 1, MPI_COMM_WORLD);
}
void site_3_(MPI_Request *request, void *status, int *e) {
  *e = MPI_Wait(request, MPI_STATUS_IGNORE);
}
void site_4_(void *x, word n, word t, word peer, word tag, word c, MPI_Request *request, int *e) {
  *e = MPI_Irecv(x, *n, MPI_DOUBLE, *peer, 2, MPI_COMM_WORLD, request);
}
void site_5_(void *x, word n, word t, word peer, word tag, word c, int *e) {
  *e = MPI_Send(x, *n, MPI_DOUBLE, *peer, 2, MPI_COMM_WORLD);
}
void site_6_(MPI_Request *request, void *status, int *e) {
  *e = MPI_Wait(request, MPI_STATUS_IGNORE);
}
#elif defined(LU)
void site_1_(void *x, word n, word t, word peer, word tag, word c, void *status, int *e) {
  *e = MPI_Recv(x, *n, MPI_DOUBLE, *peer, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
void site_2_(void *x, word n, word t, word peer, word tag, word c, void *status, int *e) {
  *e = MPI_Recv(x, *n, MPI_DOUBLE, *peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
void site_3_(void *x, word n, word t, word peer, word tag, word c, int *e) {
  *e = MPI_Send(x, *n, MPI_DOUBLE, *peer, 4, MPI_COMM_WORLD);
}
void site_4_(void *x, word n, word t, word peer, word tag, word c, int *e) {
  *e = MPI_Send(x, *n, MPI_DOUBLE, *peer, 5, MPI_COMM_WORLD);
}
void site_5_(void *x, word n, word t, word peer, word tag, word c, MPI_Request *request, int *e) {
  *e = MPI_Irecv(x, *n, MPI_DOUBLE, *peer, 6, MPI_COMM_WORLD, request);
}
void site_6_(void *x, word n, word t, word peer, word tag, word c, MPI_Request *request, int *e) {
  *e = MPI_Irecv(x, *n, MPI_DOUBLE, *peer, 7, MPI_COMM_WORLD, request);
}
void site_7_(void *x, word n, word t, word peer, word tag, word c, int *e) {
  *e = MPI_Send(x, *n, MPI_DOUBLE, *peer, 6, MPI_COMM_WORLD);
}
void site_8_(void *x, word n, word t, word peer, word tag, word c, int *e) {
  *e = MPI_Send(x, *n, MPI_DOUBLE, *peer, 7, MPI_COMM_WORLD);
}
void site_9_(word n, MPI_Request *requests, void *statuses, int *e) {
  *e = MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
#elif defined(PING_PONG)
void site_1_(void *x, word n, word t, word peer, word tag, word c, int *e) {
  *e = MPI_Send(x, 1, MPI_DOUBLE, *peer, 1, MPI_COMM_WORLD);
}
void site_2_(void *x, word n, word t, word peer, word tag, word c, void *status, int *e) {
  *e = MPI_Recv(x, 1, MPI_DOUBLE, *peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
void site_3_(void *x, word n, word t, word peer, word tag, word c, void *status, int *e) {
  *e = MPI_Recv(x, 1, MPI_DOUBLE, *peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
void site_4_(void *x, word n, word t, word peer, word tag, word c, int *e) {
  *e = MPI_Send(x, 1, MPI_DOUBLE, *peer, 1, MPI_COMM_WORLD);
}
#endif
