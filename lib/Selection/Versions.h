//===- Versions.h - Templates for predicted values --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proven facts may give a call no fast path, or a fast path that its likely values cannot take.
// Then the call is tested for its likely values, each with the template for this value:
//
//     datatype == MPI_INT && mpispec_shared_0(...) ? 0 : datatype == MPI_DOUBLE && ... ? 0 :
//     MPI_Send(...)
//
// A version is made only if it gains a fast path. Predictions that would give the same code, for
// example of a peer or a tag, make no version.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_VERSIONS_H
#define MPISPEC_SELECTION_VERSIONS_H

#include "Frontend/CallSite.h"
#include "Selection/Choice.h"

namespace mpispec {

/// The versions of \p Site, most likely first, at most LikelyValues. \p Facts contains its
/// predictions. A value that is not likelier than all others together gets a version only if
/// other units decide the value, or with \p InlineAll.
std::vector<Version> versionsOf(const CallSite &Site, const SiteFacts &Facts, bool InlineAll);

} // namespace mpispec
#endif
