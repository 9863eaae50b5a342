//===- Versions.h - Templates for what is predicted -------------------------------------------===//
//
// Where what is proven gives a call no fast path, or one that cannot take what is likely, the call
// is tested for its likely values, each with the template for it:
//
//     datatype == MPI_INT && mpispec_shared_0(...) ? 0 : datatype == MPI_DOUBLE && ... ? 0 :
//     MPI_Send(...)
//
// A version is made only if it gains a fast path. What is known but gives the same code, a peer or
// a tag, is no reason for one.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_VERSIONS_H
#define MPISPEC_SELECTION_VERSIONS_H

#include "Frontend/CallSite.h"
#include "Selection/Choice.h"

namespace mpispec {

/// The versions of \p Site, likeliest first; at most LikelyValues. \p Facts holds its predictions.
/// Of values that are not likelier than all others together only if other units decide them, or
/// \p InlineAll.
std::vector<Version> versionsOf(const CallSite &Site, const SiteFacts &Facts, bool InlineAll);

} // namespace mpispec
#endif
