/* check.h - proven facts, looked at again when the program runs
 *
 * Not a template: `--mpispec-check-facts` pastes these calls in front of a template's, to test
 * mpispec itself. The first argument that is not what was proven ends the program with a message
 * that names the call's line and the argument's number, counted from 1. */
#ifndef MPISPEC_CHECK_H
#define MPISPEC_CHECK_H

/* Names of their own for functions of the C and the MPI library, whose headers are unknown here. A
 * handle's bits fill one register whatever its type is. */
extern int mpispec_check_print(int file, const char *format, ...) __asm__("dprintf");
extern int mpispec_check_rank(unsigned long comm, int *rank) __asm__("PMPI_Comm_rank");
extern int mpispec_check_size(unsigned long datatype, int *size) __asm__("PMPI_Type_size");

static __inline__ __attribute__((__unused__, __no_instrument_function__)) void
mpispec_check_range(int line, int argument, long long value, long long low, long long high) {
  if (value >= low && value <= high)
    return;
  mpispec_check_print(2, "mpispec: line %d: argument %d is %lld, proven to be in [%lld, %lld]\n",
                      line, argument, value, low, high);
  __builtin_trap();
}

/* The datatype has elements of so many bytes. */
static __inline__ __attribute__((__unused__, __no_instrument_function__)) void
mpispec_check_element(int line, int argument, unsigned long datatype, long long bytes) {
  int size = -1;
  mpispec_check_size(datatype, &size);
  mpispec_check_range(line, argument, size, bytes, bytes);
}

/* The bytes of the message; argument is the count's. */
static __inline__ __attribute__((__unused__, __no_instrument_function__)) void
mpispec_check_bytes(int line, int argument, long long count, unsigned long datatype, long long low,
                    long long high) {
  int size = -1;
  if (count == 0) /* beside MPI_IN_PLACE the datatype may be MPI_DATATYPE_NULL, which has no size */
    size = 0;
  else
    mpispec_check_size(datatype, &size);
  mpispec_check_range(line, argument, count * size, low, high);
}

/* The peer is the calling process (is_local) or never is. */
static __inline__ __attribute__((__unused__, __no_instrument_function__)) void
mpispec_check_peer(int line, int argument, int peer, unsigned long comm, int is_local) {
  int rank = -1;
  mpispec_check_rank(comm, &rank);
  if ((peer == rank) == is_local)
    return;
  mpispec_check_print(2,
                      "mpispec: line %d: argument %d is %d, proven %s to be the caller's rank %d\n",
                      line, argument, peer, is_local ? "always" : "never", rank);
  __builtin_trap();
}

#endif
