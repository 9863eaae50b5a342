//===- FactChecks.h - Counts how often facts hold when the program runs -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With `--mpispec-check-facts`, each site tests all facts that were proven about it, at every call.
// At its end the program prints the facts that did not hold, and how often
// (templates/mpispec/fact_check.h). The program stays correct if a fact does not hold, because the
// site's function tests each fact that it uses. mpispec's own tests use the option to check the
// analysis of large programs.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_FACTCHECKS_H
#define MPISPEC_REWRITE_FACTCHECKS_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mpispec {

/// The header that the statements need.
inline constexpr llvm::StringLiteral FactCheckHeader = "fact_check.h";

/// Text for the definition of a site. Both parts are empty if nothing was proven about it.
struct FactChecks {
  std::string Counters;   ///< an array, in front of the definition
  std::string Statements; ///< the first statements of its body, one on each line
};

/// \p NameOf returns a parameter's name.
FactChecks factChecks(const CallSite &Site, const SiteFacts &Facts,
                      llvm::function_ref<llvm::StringRef(Role)> NameOf);

} // namespace mpispec
#endif
