/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* signature.h - a collective operation in a few bits, which must agree on all members
 *
 * By the MPI standard, the contents of the signature are equal on all ranks. They are the function,
 * the root, and the operation, kind of numbers and bytes of a reduction. In MPI_Allgather and
 * MPI_Alltoall, the bytes of a block belong to the contents, too. Other counts and datatypes, and
 * buffers, are not in the signature, because ranks may describe the same bytes in different ways
 * (MPI-4.0, section 6.1).
 *
 *   63        59 58                              40 39                                      0
 *   +-----------+----------------------------------+----------------------------------------+
 *   | operation | details                          | 0                                      |
 *   +-----------+----------------------------------+----------------------------------------+
 *
 * The details of a reduction have 4 bits for its operation, 3 for the number's kind, 3 for its
 * size, 9 for bytes. The root is combined with the 9 bits for bytes by exclusive or. Two calls that
 * differ in one property mostly have different details. The exceptions are large roots, which are
 * stored modulo 512, and lengths of at least 256 bytes, which are hashed. */
#ifndef MPISPEC_SIGNATURE_H
#define MPISPEC_SIGNATURE_H

/* Most names are those of MPI's functions. mpispec_is_constructor is any constructor of
 * communicators. The last two are stored by a rank that calls no more collective operations on the
 * communicator. */
enum mpispec_collective_kind {
  mpispec_is_Barrier = 1,
  mpispec_is_Bcast,
  mpispec_is_Reduce,
  mpispec_is_Allreduce,
  mpispec_is_Scan,
  mpispec_is_Exscan,
  mpispec_is_Reduce_scatter,
  mpispec_is_Reduce_scatter_block,
  mpispec_is_Gather,
  mpispec_is_Gatherv,
  mpispec_is_Scatter,
  mpispec_is_Scatterv,
  mpispec_is_Allgather,
  mpispec_is_Allgatherv,
  mpispec_is_Alltoall,
  mpispec_is_Alltoallv,
  mpispec_is_Alltoallw,
  mpispec_is_constructor,
  mpispec_is_Comm_free,
  mpispec_is_Finalize
};

/* The operation of a reduction, and the kind of its numbers. Templates support the operations up to
 * mpispec_BXOR, and the kinds up to mpispec_floating_point (combine.h). */
enum mpispec_operation {
  mpispec_no_operation,
  mpispec_MAX,
  mpispec_MIN,
  mpispec_SUM,
  mpispec_PROD,
  mpispec_LAND,
  mpispec_LOR,
  mpispec_LXOR,
  mpispec_BAND,
  mpispec_BOR,
  mpispec_BXOR,
  mpispec_MAXLOC,
  mpispec_MINLOC
};
enum mpispec_element {
  mpispec_no_number,
  mpispec_signed_integer,
  mpispec_unsigned_integer,
  mpispec_floating_point,
  mpispec_complex_number,
  mpispec_logical,
  mpispec_bytes,
  mpispec_pair
};

enum {
  mpispec_signature_place = 40, /* the bits below are a step's number */
  mpispec_signature_details = 19,
  mpispec_signature_lengths = 512 /* values for lengths, and for roots */
};

static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long long
    mpispec_signature(int kind, unsigned int details) {
  return ((unsigned long long)kind << mpispec_signature_details | details)
         << mpispec_signature_place;
}

/* A short length is encoded as itself, a longer one as a few bits of a hash. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned int
    mpispec_signature_length(unsigned long long bytes) {
  return bytes < mpispec_signature_lengths / 2
             ? (unsigned int)bytes
             : mpispec_signature_lengths / 2 + ((unsigned int)bytes * 2654435761u >> 24);
}

static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned int
    mpispec_signature_root(int root) {
  return (unsigned int)root % mpispec_signature_lengths;
}

/* The part of the details about one element. `element` is its extent in bytes, a power of two. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned int
    mpispec_signature_arithmetic(int operation, int number, unsigned int element) {
  return (unsigned int)operation << 15 | (unsigned int)number << 12 |
         ((unsigned int)__builtin_ctz(element | 128u) << 9);
}

#endif
