/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds the index of the byte count in a status, and the value of
 * mpispec_reduction_ignores_position. Stores MPI_REQUEST_NULL for templates. See layout.h. */
#include "abi/layout.h"

#include "abi/mpi.h"
#include "mpispec/state.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Templates and <mpi.h> agree on each constant. */
static_assert(sizeof(MPI_Request) == sizeof(mpispec_handle) &&
                  sizeof(MPI_Datatype) == sizeof(mpispec_type_handle),
              "handles are as wide as this style has them");
static_assert(sizeof(MPI_Status) == sizeof(struct mpispec_status) &&
                  offsetof(MPI_Status, MPI_SOURCE) == offsetof(struct mpispec_status, source) &&
                  offsetof(MPI_Status, MPI_TAG) == offsetof(struct mpispec_status, tag) &&
                  offsetof(MPI_Status, MPI_ERROR) == offsetof(struct mpispec_status, error),
              "templates fill in statuses of this layout");
static_assert(mpispec_any_source == (int)MPI_ANY_SOURCE && mpispec_any_tag == (int)MPI_ANY_TAG &&
                  mpispec_undefined == (int)MPI_UNDEFINED,
              "wildcards are this style's");

/* Compares a status that the library writes with one that a template writes. */
static int is_filled_alike(int bytes) {
  MPI_Status theirs, ours;
  memset(&theirs, 0, sizeof theirs);
  memset(&ours, 0, sizeof ours);
  PMPI_Status_set_elements_x(&theirs, MPI_BYTE, bytes);
  PMPI_Status_set_cancelled(&theirs, 0);
  theirs.MPI_SOURCE = 3;
  theirs.MPI_TAG = 4;
  mpispec_status_fill((struct mpispec_status *)&ours, 3, 4, (unsigned)bytes);
  return !memcmp(&theirs, &ours, sizeof ours) &&
         mpispec_status_bytes((struct mpispec_status *)&theirs) == bytes;
}

int mpispec_reduction_ignores_position;

/* Intel MPI has MPICH's interface. Its version text distinguishes it. */
static int reduces_alike(void) {
#ifdef MPISPEC_STYLE_OMPI
  return 0;
#else
  char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length;
  PMPI_Get_library_version(version, &length);
  return !strstr(version, "Intel");
#endif
}

const char *mpispec_layout_detect(void) {
  mpispec_reduction_ignores_position = reduces_alike();
  mpispec_state.null_request = (unsigned long)MPI_REQUEST_NULL;
  if ((mpispec_handle)MPI_REQUEST_NULL != mpispec_request_null())
    return "MPI_REQUEST_NULL of this MPI library is another than that of its kin";
#if defined(MPISPEC_STYLE_ABI)
  const struct mpispec_status *status = NULL;
  while (!is_filled_alike(0x123456) &&
         ++mpispec_state.status_count < sizeof status->inside / sizeof *status->inside)
    ;
  mpispec_state.status_count %= sizeof status->inside / sizeof *status->inside;
#endif
  return is_filled_alike(0x123456) && is_filled_alike(0)
             ? NULL
             : "statuses of this MPI library are laid out in a way that is not known";
}
