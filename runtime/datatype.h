/* Datatypes, as far as lanes care: how many bytes an element has, and whether its bytes lie in
 * memory as they travel. Everything else is packed and unpacked by the MPI library. */
#ifndef MPISPEC_RUNTIME_DATATYPE_H
#define MPISPEC_RUNTIME_DATATYPE_H

#include <mpi.h>
#include <stdint.h>

struct mpispec_datatype {
  MPI_Datatype handle;
  int64_t size;   /* bytes of data of one element */
  int contiguous; /* elements follow each other without gap, in order, from address 0 on */
  int predefined; /* so that an address of zero cannot be meant */
};

/* What is known of a valid, committed datatype, or null if it was not seen yet: then let the MPI
 * library check it first, and learn it. */
const struct mpispec_datatype *mpispec_datatype_find(MPI_Datatype handle);
const struct mpispec_datatype *mpispec_datatype_learn(MPI_Datatype handle);

/* MPI_Type_free. The type lives on while a request under way needs it to unpack. */
int mpispec_datatype_free(MPI_Datatype *handle);
void mpispec_datatype_hold(void);
void mpispec_datatype_let_go(void);

/* Packs `count` elements of a type that is not contiguous into `bytes`, of the exact length. */
void mpispec_datatype_pack(const void *buffer, int64_t count, MPI_Datatype handle, void *bytes,
                           int64_t length);

/* Unpacks `length` bytes, which may end within an element, into the elements at `buffer`. */
void mpispec_datatype_unpack(const void *bytes, int64_t length, void *buffer, MPI_Datatype handle);

#endif
