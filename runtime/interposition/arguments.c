/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See arguments.h. */
#include "interposition/arguments.h"

#include "datatype/datatype.h"
#include "interposition/fortran/section_types.h"
#include "job/node.h"
#include "p2p/library_part.h"

/* A copy of MPI_COMM_SELF with MPI_ERRORS_RETURN, so that tests of arguments call no error handler
 * of the program. */
static MPI_Comm test_communicator = MPI_COMM_NULL;

void mpispec_arguments_open(void) {
  int *value, found;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
  mpispec_state.largest_tag = found ? (unsigned)*value : 32767;
  PMPI_Comm_dup(MPI_COMM_SELF, &test_communicator);
  PMPI_Comm_set_errhandler(test_communicator, MPI_ERRORS_RETURN);
  mpispec_datatypes_open(test_communicator);
  if (mpispec_accelerator_is_queried)
    mpispec_fast_path_set_disabled(MPISPEC_FOR_GOOD);
  if (mpispec_node.queries_memory)
    mpispec_library_parts_open();
}

void mpispec_arguments_close(void) {
#ifdef MPISPEC_STYLE_MPICH
  mpispec_section_types_close();
#endif
  mpispec_datatypes_close();
  mpispec_library_parts_close();
  if (test_communicator != MPI_COMM_NULL)
    PMPI_Comm_free(&test_communicator);
}

MPI_Comm mpispec_arguments_test_communicator(void) { return test_communicator; }

int mpispec_library_accepts(const void *buffer, MPI_Count count, MPI_Datatype datatype) {
  return !PMPI_Send_c(buffer, count, datatype, MPI_PROC_NULL, 0, test_communicator);
}

/* MPICH does not check the type if there are no elements. Then the type may be MPI_DATATYPE_NULL or
 * not committed, and its size must not be read. */
static const struct mpispec_datatype *add_for_zero_count(MPI_Datatype datatype) {
  static const struct mpispec_datatype nothing = {
      .handle = MPI_BYTE, .contiguous = 1, .known = 1, .predefined = 1};
  return datatype != MPI_DATATYPE_NULL && mpispec_library_accepts(&test_communicator, 1, datatype)
             ? mpispec_datatype_add(datatype)
             : &nothing;
}

/* Nonzero if a run of a typemap is in host memory. The blocks of a short run may be in different
 * allocations, because a program may have placed them one by one. A run of more than FEW blocks is
 * assumed to be a vector in one allocation. Therefore only its first and last block are queried. */
static int is_run_on_host(const char *element, const struct mpispec_run *run) {
  enum { FEW = 8 };
  const int64_t step = run->count > FEW ? run->count - 1 : 1;
  for (int64_t block = 0; block < run->count; block += step)
    if (!mpispec_accelerator_is_host(element + run->offset + block * run->stride))
      return 0;
  return 1;
}

/* Nonzero if the data of a call are certainly in host memory. The result is 0 for a type with gaps
 * and without a typemap, and for MPI_BOTTOM, which is not the address of the data. */
static int is_on_host(const struct mpispec_call *call) {
  if (!call->buffer || (!call->contiguous && !call->map))
    return 0;
  if (call->contiguous)
    return mpispec_accelerator_is_host(call->buffer);
  for (int run = 0; run < call->map->runs; ++run)
    if (!is_run_on_host(call->buffer, &call->map->run[run]))
      return 0;
  return 1;
}

void mpispec_arguments_find_memory(struct mpispec_call *call) {
  call->device = call->bytes && !is_on_host(call);
  if (call->device) {
    call->contiguous = 0;
    call->map = NULL;
  }
}

const struct mpispec_datatype *mpispec_arguments_add_datatype(const void *buffer, MPI_Count count,
                                                              MPI_Datatype datatype) {
  if (!mpispec_library_accepts(buffer, count, datatype))
    return NULL;
  return count ? mpispec_datatype_add(datatype) : add_for_zero_count(datatype);
}
