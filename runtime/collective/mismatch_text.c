/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See mismatch_text.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include "collective/mismatch_text.h"

#include "collective/collective.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void mpispec_text_append(struct mpispec_text *text, const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  const int length = vsnprintf(text->at, (size_t)(text->end - text->at), format, rest);
  va_end(rest);
  text->at = length < text->end - text->at ? text->at + length : text->end - 1;
}

static const char *const kinds[] = {
    [mpispec_is_Barrier] = "MPI_Barrier",
    [mpispec_is_Bcast] = "MPI_Bcast",
    [mpispec_is_Reduce] = "MPI_Reduce",
    [mpispec_is_Allreduce] = "MPI_Allreduce",
    [mpispec_is_Scan] = "MPI_Scan",
    [mpispec_is_Exscan] = "MPI_Exscan",
    [mpispec_is_Reduce_scatter] = "MPI_Reduce_scatter",
    [mpispec_is_Reduce_scatter_block] = "MPI_Reduce_scatter_block",
    [mpispec_is_Gather] = "MPI_Gather",
    [mpispec_is_Gatherv] = "MPI_Gatherv",
    [mpispec_is_Scatter] = "MPI_Scatter",
    [mpispec_is_Scatterv] = "MPI_Scatterv",
    [mpispec_is_Allgather] = "MPI_Allgather",
    [mpispec_is_Allgatherv] = "MPI_Allgatherv",
    [mpispec_is_Alltoall] = "MPI_Alltoall",
    [mpispec_is_Alltoallv] = "MPI_Alltoallv",
    [mpispec_is_Alltoallw] = "MPI_Alltoallw",
    [mpispec_is_constructor] = "a constructor of communicators",
    [mpispec_is_Comm_free] = "MPI_Comm_free",
    [mpispec_is_Finalize] = "MPI_Finalize",
};

static const char *const operations[16] = {
    [mpispec_MAX] = "MPI_MAX",   [mpispec_MIN] = "MPI_MIN",       [mpispec_SUM] = "MPI_SUM",
    [mpispec_PROD] = "MPI_PROD", [mpispec_LAND] = "MPI_LAND",     [mpispec_LOR] = "MPI_LOR",
    [mpispec_LXOR] = "MPI_LXOR", [mpispec_BAND] = "MPI_BAND",     [mpispec_BOR] = "MPI_BOR",
    [mpispec_BXOR] = "MPI_BXOR", [mpispec_MAXLOC] = "MPI_MAXLOC", [mpispec_MINLOC] = "MPI_MINLOC",
};

static const char *const numbers[8] = {
    [mpispec_signed_integer] = "integers",
    [mpispec_unsigned_integer] = "unsigned integers",
    [mpispec_floating_point] = "floating point",
    [mpispec_complex_number] = "complex numbers",
    [mpispec_logical] = "logical values",
    [mpispec_bytes] = "raw bytes",
    [mpispec_pair] = "pairs",
};

static int has_root(int kind) {
  return kind == mpispec_is_Bcast || kind == mpispec_is_Gather || kind == mpispec_is_Gatherv ||
         kind == mpispec_is_Scatter || kind == mpispec_is_Scatterv;
}

static void append_details(struct mpispec_text *text, int kind, unsigned details) {
  const char *operation = operations[details >> 15 & 15], *number = numbers[details >> 12 & 7];
  const unsigned rest = details % mpispec_signature_lengths;
  if (kind >= mpispec_is_Reduce && kind <= mpispec_is_Reduce_scatter_block && operation && number)
    mpispec_text_append(text, " (%s of %u-byte %s)", operation, 1u << (details >> 9 & 7), number);
  if (has_root(kind))
    mpispec_text_append(text, " with root %u", rest);
}

int mpispec_text_append_signature(struct mpispec_text *text, uint64_t signature) {
  const uint64_t bits = signature >> mpispec_signature_place;
  const uint64_t kind = bits >> mpispec_signature_details;
  if (kind >= sizeof kinds / sizeof kinds[0] || !kinds[kind])
    return 0;
  mpispec_text_append(text, "%s", kinds[kind]);
  append_details(text, (int)kind, (unsigned)(bits & ((1u << mpispec_signature_details) - 1)));
  return 1;
}

/* Leaves out the directories if they would leave too little room for the calls of other ranks. By
 * default, an error text of Open MPI has room for 256 characters, one of MPICH for 512. */
static const char *shown(const char *place) {
  enum { LONGEST = MPI_MAX_ERROR_STRING / 6 };
  const char *slash = strrchr(place, '/');
  return slash && strlen(place) > LONGEST ? slash + 1 : place;
}

void mpispec_text_append_place(struct mpispec_text *text,
                               const struct mpispec_collective_call *call) {
  Dl_info info;
  if (call->place) {
    mpispec_text_append(text, " at %s", shown(call->place));
  } else if (call->caller && dladdr(call->caller, &info) && info.dli_fname) {
    const char *slash = strrchr(info.dli_fname, '/');
    mpispec_text_append(text, " at %s+0x%lx", slash ? slash + 1 : info.dli_fname,
                        (unsigned long)((uintptr_t)call->caller - (uintptr_t)info.dli_fbase) - 1);
  }
}
