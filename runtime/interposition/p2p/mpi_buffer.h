/* The attached buffer of MPI_Bsend. Lanes have memory of their own for buffered sends, so all they
 * ask is whether the MPI library would have refused the send. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_MPI_BUFFER_H
#define MPISPEC_RUNTIME_INTERPOSITION_MPI_BUFFER_H

#include <stdint.h>

/* Could a message of `bytes` bytes ever go into the attached buffer? */
int mpispec_buffer_has_room(int64_t bytes);

#endif
