/* Arrays of requests, ours and the library's mixed: whose business one is, and the library's part
 * of it, copied out side by side so that the library may look at all of it at once, and copied
 * back. completion_array.c uses this. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_ARRAY_H
#define MPISPEC_RUNTIME_INTERPOSITION_ARRAY_H

#include <mpi.h>

enum mpispec_array_business {
  MPISPEC_ARRAY_OURS,
  MPISPEC_ARRAY_THEIRS, /* the library's, with whatever mistakes it finds in it */
  MPISPEC_ARRAY_LACKING /* a mistake beside handles that the library would not understand */
};

/* `is_complete`: of the call's other pointers, none is null. */
enum mpispec_array_business mpispec_array_business_of(int count, const MPI_Request requests[],
                                                      int is_complete);

struct mpispec_array_part {
  int count;
  MPI_Request *requests;
  int *positions; /* in the whole array */
  MPI_Status *statuses;
  int *indices;            /* of what one look has ended, */
  MPI_Status *of_one_look; /* and its statuses */
};

struct mpispec_array_part mpispec_array_part_open(int count, const MPI_Request requests[]);
void mpispec_array_part_close(struct mpispec_array_part *part, MPI_Request requests[]);

/* Ends those that are over, with their statuses and, if any has failed, MPI_ERR_IN_STATUS in
 * `*error`. Returns nonzero when none is left. For MPI_Waitall: MPI_Testall of MPICH fails for
 * partitioned requests. */
int mpispec_array_part_end_some(struct mpispec_array_part *part, int *error);

#endif
