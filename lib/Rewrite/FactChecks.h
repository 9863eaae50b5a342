//===- FactChecks.h - Count how often facts hold when the program runs ------------------------===//
//
// With `--mpispec-check-facts` each site tests, at every call, everything that was proven about it,
// and the program says at its end what did not hold, and how often: templates/mpispec/fact_check.h.
// Such a call was slower than it could be, never wrong: the site function guards what it uses. This
// is how mpispec's own tests hold Facts against programs that nobody can check by eye.
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

/// What the definition of a site gets; both are empty if nothing was proven about it.
struct FactChecks {
  std::string Counters;   ///< an array, to stand before the definition
  std::string Statements; ///< the first ones of its body, each on a line
};

/// \p NameOf gives a parameter's name.
FactChecks factChecks(const CallSite &Site, const SiteFacts &Facts,
                      llvm::function_ref<llvm::StringRef(Role)> NameOf);

} // namespace mpispec
#endif
