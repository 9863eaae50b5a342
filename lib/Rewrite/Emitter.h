//===- Emitter.h - The definition of one site's function --------------------------------------===//
//
// The text that stands for a call once it is specialised: a function of the same signature that
// calls the chosen template, and the ordinary MPI function when the template declines. What is
// written depends on the roles of the arguments (MPI/Functions.def) alone; no MPI function is named
// here.
//
//     static __inline__ __attribute__((...)) int
//     mpispec_site_3(const void *buffer, int count, MPI_Datatype datatype, int peer, int tag,
//                    MPI_Comm comm)
//     {
//       /* MPI_Send, foo.c:12:5
//          count 1: literal; datatype MPI_DOUBLE: macro MPI_DOUBLE; node remote: conditions */
//       const long long mpispec_count = 1;
//       return mpispec_Send_short_remote(buffer, mpispec_count, 8, peer, tag, (unsigned long)comm)
//                  ? 0
//                  : MPI_Send(buffer, count, datatype, peer, tag, comm);
//     }
//
// The second partial evaluation is the user's compiler inlining this.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_EMITTER_H
#define MPISPEC_REWRITE_EMITTER_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Selection/Choice.h"
#include "llvm/ADT/StringSet.h"

namespace mpispec {

inline constexpr llvm::StringLiteral SiteNamePrefix = "mpispec_site_";

/// "mpispec_site_3".
std::string siteFunctionName(unsigned Site);

/// The definition for \p Site, newline at its end. \p Choice must name a template. No parameter
/// gets a name that is in \p Reserved (macros of a text that is yet to be preprocessed).
/// \p CheckFacts: the function tests the facts first (FactChecks.h).
std::string siteDefinition(const CallSite &Site, const SiteFacts &Facts, const Choice &Choice,
                           const llvm::StringSet<> &Reserved = {}, bool CheckFacts = false);

/// \p Text fit to stand in a comment: one line, ASCII, no comment mark in it.
std::string commentSafe(llvm::StringRef Text);

} // namespace mpispec
#endif
