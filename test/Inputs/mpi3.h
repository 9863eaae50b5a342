/* For a library of MPI-3, which has no large counts: a call that would have one has an int. */
#ifndef MPI3_H
#define MPI3_H

#include <mpi.h>

#if MPI_VERSION < 4
#define MPI_Send_c MPI_Send
#define MPI_Isend_c MPI_Isend
#define MPI_Send_init_c MPI_Send_init
#define MPI_Bsend_c MPI_Bsend
#define MPI_Ibsend_c MPI_Ibsend
#define MPI_Bsend_init_c MPI_Bsend_init
#define MPI_Ssend_c MPI_Ssend
#define MPI_Issend_c MPI_Issend
#define MPI_Ssend_init_c MPI_Ssend_init
#define MPI_Rsend_c MPI_Rsend
#define MPI_Irsend_c MPI_Irsend
#define MPI_Rsend_init_c MPI_Rsend_init
#define MPI_Recv_c MPI_Recv
#define MPI_Irecv_c MPI_Irecv
#define MPI_Recv_init_c MPI_Recv_init
#define MPI_Mrecv_c MPI_Mrecv
#define MPI_Imrecv_c MPI_Imrecv
#define MPI_Sendrecv_c MPI_Sendrecv
#define MPI_Sendrecv_replace_c MPI_Sendrecv_replace
#define MPI_Bcast_c MPI_Bcast
#define MPI_Allreduce_c MPI_Allreduce
#define MPI_Type_vector_c MPI_Type_vector
#endif

#endif
