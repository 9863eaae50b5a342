//===- FactChecks.h - Look at proven facts again when the program runs ------------------------===//
//
// With `--mpispec-check-facts` each site tests, at every call, everything that was proven about it
// and ends the program if something is wrong (templates/mpispec/check.h). This is how mpispec's own
// tests hold Facts against programs that nobody can check by eye.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_FACTCHECKS_H
#define MPISPEC_REWRITE_FACTCHECKS_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mpispec {

/// The header that the statements need.
inline constexpr llvm::StringLiteral FactCheckHeader = "check.h";

/// Statements for the definition of \p Site, each on a line. \p NameOf gives a parameter's name.
std::string factChecks(const CallSite &Site, const SiteFacts &Facts,
                       llvm::function_ref<llvm::StringRef(Role)> NameOf);

} // namespace mpispec
#endif
