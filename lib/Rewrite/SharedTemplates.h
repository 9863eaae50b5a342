//===- SharedTemplates.h - Calls that share a template's code ---------------------------------===//
//
// The user's compiler works some 5 to 20 milliseconds on each template that it inlines, and each is
// 50 to 350 bytes of code. In a unit with many calls most are alike: what differs is the buffer,
// peer and tag. So only the first calls have their template inlined, those in loops before others,
// or, where a profile knows, those that were made most often;
// of the rest, those about which the same is known share one function out of line,
//
//     static __attribute__((__noinline__, ...)) int
//     mpispec_shared_0(void *buffer, long long count, int peer, int tag, unsigned long comm, ...)
//
// which costs a call's few instructions. Collective operations wait for other ranks, beside which a
// call is nothing: they share from the first, and so do long messages, which the runtime carries
// out. What is known is compared before, at the call, as if the template were inlined there
// (Emitter.h). Versions for predicted values are out of line: there are several at a call, and each
// may be the wrong one. Only of a call that a profiled run made often, with one value nearly
// always, that is inlined.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_SHAREDTEMPLATES_H
#define MPISPEC_REWRITE_SHAREDTEMPLATES_H

#include "Rewrite/Emitter.h"
#include "Rewrite/Rewriter.h"
#include <string>
#include <vector>

namespace mpispec {

/// Messages of a unit whose templates are always inlined.
inline constexpr unsigned InlinedCalls = 12;

class SharedTemplates {
public:
  SharedTemplates(const SpecialisedSites &Unit, const DefinitionStyle &Style);

  /// The function that the call at index \p I of the unit's sites shares; empty: its template is
  /// inlined.
  llvm::StringRef functionOf(size_t I) const { return Names[I]; }
  /// The function of each version of its choice.
  llvm::ArrayRef<std::string> versionsOf(size_t I) const { return Versions[I]; }
  /// All these functions; they stand behind the templates.
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
