//===- SharedTemplates.h - Calls that share a template's code ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each inlined template costs compile time and code size. In a unit with many calls, most calls
// differ only in buffer, peer and tag. Therefore only InlinedCalls calls have their template
// inlined. Calls in loops come first or, with a profile, the most frequent ones. Other calls with
// the same known arguments share one function out of line:
//
//     static __attribute__((__noinline__, ...)) int
//     mpispec_shared_0(void *buffer, long long count, int peer, int tag, unsigned long comm, ...)
//
// The shared function costs the few instructions of a call. The comparisons of known arguments stay
// at the call site, as if the template were inlined there (Emitter.h).
//
// Some templates are out of line in any case:
// - those of collective operations that can be shared: the wait for other ranks takes much longer
//   than a call
// - those of long messages, because the runtime executes them
// - those of versions for predicted values, because a call may have several and each may be wrong.
//   Exception: a frequent call of a profiled run that nearly always had one value.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_SHAREDTEMPLATES_H
#define MPISPEC_REWRITE_SHAREDTEMPLATES_H

#include "Rewrite/Emitter.h"
#include "Rewrite/Rewriter.h"
#include <string>
#include <vector>

namespace mpispec {

/// The number of calls of a unit whose templates are inlined, the hottest first.
inline constexpr unsigned InlinedCalls = 12;

class SharedTemplates {
public:
  SharedTemplates(const SpecialisedSites &Unit, const DefinitionStyle &Style);

  /// The function that the call at index \p I of the unit's sites shares. Empty: its template is
  /// inlined.
  llvm::StringRef functionOf(size_t I) const { return Names[I]; }
  /// The function of each version of its choice. Empty: the version's template is inlined.
  llvm::ArrayRef<std::string> versionsOf(size_t I) const { return Versions[I]; }
  /// The definitions of all these functions. They must follow the templates.
  llvm::StringRef definitions() const { return Text; }

private:
  void shareVersions(const SpecialisedSites &Unit, const std::vector<bool> &Inlined,
                     const DefinitionStyle &Style);

  std::vector<std::string> Names;
  std::vector<std::vector<std::string>> Versions;
  unsigned Functions = 0;
  std::string Text;
};

} // namespace mpispec
#endif
