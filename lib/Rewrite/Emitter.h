//===- Emitter.h - The definition of one site's function --------------------------------------===//
//
// The text that stands for a call once it is specialised: a function of the same signature that
// calls the chosen template, and the ordinary MPI function when the template declines. What is
// written depends on the roles of the arguments (MPI/Functions.def) alone; no MPI function is named
// here. TemplateArguments.h decides what a template gets. No fact is trusted: what the template is
// told is an argument, or a constant that the argument was compared with.
//
//     static __inline__ __attribute__((...)) int
//     mpispec_site_3(const void *buffer, int count, MPI_Datatype datatype, int peer, int tag,
//                    MPI_Comm comm)
//     {
//       /* MPI_Send, foo.c:12:5
//          count 1: literal; datatype MPI_DOUBLE: macro MPI_DOUBLE; node remote: conditions */
//       const long long mpispec_count = 1;
//       return __builtin_expect(count == mpispec_count && (unsigned long)datatype == 0x4c00080bul,
//       1) &&
//                  mpispec_Send(buffer, mpispec_count, 8, peer, tag, (unsigned long)comm)
//              ? 0 : MPI_Send(buffer, count, datatype, peer, tag, comm);
//     }
//
// Predictions are tested before: each version of the choice (Selection/Versions.h) is such a test
// and a call of its template, most likely first. What holds by proof alone comes behind them.
//
// The second partial evaluation is the user's compiler inlining this: a comparison with what it
// knows itself folds away, any other costs an instruction or two.
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

/// What the text of a definition depends on besides the call.
struct DefinitionStyle : ArgumentStyle {
  bool CheckFacts = false;     ///< the function counts how often its facts hold (FactChecks.h)
  llvm::StringRef Shared = {}; ///< the function that calls the template; empty: it is called here
  /// The same for each version of the choice; empty: their templates are called here.
  llvm::ArrayRef<std::string> SharedVersions = {};
};

/// The definition for \p Site, newline at its end. \p Choice must rewrite it.
std::string siteDefinition(const CallSite &Site, const SiteFacts &Facts, const Choice &Choice,
                           const DefinitionStyle &Style = {});

/// A function \p Name that calls the template of \p Site with what is known, and takes the rest;
/// its text is the same for calls about which the same is known. Empty if the template cannot be
/// told out of line: it asks the user's compiler about the arguments. \p IsVersion: \p Facts are
/// those that a version assumes.
std::string sharedDefinition(llvm::StringRef Name, const CallSite &Site, const SiteFacts &Facts,
                             const Choice &Choice, const DefinitionStyle &Style,
                             bool IsVersion = false);

/// \p Text fit to stand in a comment: one line, ASCII, no comment mark in it.
std::string commentSafe(llvm::StringRef Text);

} // namespace mpispec
#endif
