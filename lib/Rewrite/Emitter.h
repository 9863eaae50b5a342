//===- Emitter.h - The definition of one site's function --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text that replaces a specialised call: a function of the same signature. It calls the chosen
// template, and the ordinary MPI function if the template declines. The text depends only on the
// roles of the arguments (MPI/Functions.def). This code contains no name of an MPI function.
// TemplateArguments.h determines the arguments of the template. The template gets arguments of the
// call, or constants that the guard compares with arguments of the call. Two facts have no test.
// The proof that a status is unread holds for any compiler (Frontend/UnreadStatuses.h). If the
// proven locality of peers is wrong, the result is still correct.
//
//     static __inline__ __attribute__((...)) int
//     mpispec_site_3(const void *buffer, int count, MPI_Datatype datatype, int peer, int tag,
//                    MPI_Comm comm)
//     {
//       /* MPI_Send, foo.c:12:5
//          count 1: literal; datatype MPI_DOUBLE: macro MPI_DOUBLE;
//          node remote: peer is never rank(comm) */
//       const long long mpispec_count = 1;
//       return __builtin_expect(count == mpispec_count &&
//                               (unsigned long)datatype == 0x4c00080bul, 1) &&
//                  mpispec_Send(buffer, mpispec_count, 8, peer, tag, (unsigned long)comm)
//              ? 0 : MPI_Send(buffer, count, datatype, peer, tag, comm);
//     }
//
// Predictions are tested first. Each version of the choice (Selection/Versions.h) is a test and a
// call of its template, the most likely first. The test and template for proven facts follow.
//
// The user's compiler inlines this function, unless all its templates are for predictions. Inlining
// is the second partial evaluation, after that of the analysis. The compiler then removes
// comparisons with values that it can prove. Each other comparison costs few instructions.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_EMITTER_H
#define MPISPEC_REWRITE_EMITTER_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Rewrite/TemplateArguments.h"
#include "Selection/Choice.h"

namespace mpispec {

inline constexpr llvm::StringLiteral SiteNamePrefix = "mpispec_site_";

/// "mpispec_site_3".
std::string siteFunctionName(unsigned Site);

/// Properties of a definition's text other than the call.
struct DefinitionStyle : ArgumentStyle {
  bool CheckFacts = false;     ///< the function counts how often its facts hold (FactChecks.h)
  llvm::StringRef Shared = {}; ///< the function that calls the template; empty: called directly
  /// Like Shared, for each version of the choice. Empty: their templates are called directly.
  llvm::ArrayRef<std::string> SharedVersions = {};
};

/// The definition for \p Site. \p Choice must be one that rewrites the site. The text ends with a
/// newline.
std::string siteDefinition(const CallSite &Site, const SiteFacts &Facts, const Choice &Choice,
                           const DefinitionStyle &Style = {});

/// A function \p Name that calls the template of \p Site. Known arguments are constants in it, all
/// others are its parameters. Therefore calls with the same known arguments have the same text.
/// Empty if the template cannot be called out of line, because an argument is a size that the
/// user's compiler determines at the call. \p IsVersion: \p Facts are those that a version assumes.
std::string sharedDefinition(llvm::StringRef Name, const CallSite &Site, const SiteFacts &Facts,
                             const Choice &Choice, const DefinitionStyle &Style,
                             bool IsVersion = false);

/// \p Text in a form for comments: one line, ASCII, without comment marks.
std::string commentSafe(llvm::StringRef Text);

} // namespace mpispec
#endif
