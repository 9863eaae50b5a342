//===- Versions.h - Templates for predicted values --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With its proven facts alone, a call may have no fast path, or one whose guard fails for the
// likely values. Then the rewritten call compares its arguments with the likely values, and has a
// template for each:
//
//     datatype == MPI_INT && mpispec_shared_0(...) ? 0 : datatype == MPI_DOUBLE && ... ? 0 :
//     MPI_Send(...)
//
// A version is made only if it gains a fast path. A prediction of a communicator gains none, and
// makes no version.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_VERSIONS_H
#define MPISPEC_SELECTION_VERSIONS_H

#include "Frontend/CallSite.h"
#include "Selection/Choice.h"

namespace mpispec {

/// The versions of \p Site, most likely first, at most LikelyValues. \p Facts contains its
/// predictions. A value that is not likelier than all other values together gets a version only if
/// its prediction comes from other units, or with \p InlineAll.
std::vector<Version> versionsOf(const CallSite &Site, const SiteFacts &Facts, bool InlineAll);

} // namespace mpispec
#endif
