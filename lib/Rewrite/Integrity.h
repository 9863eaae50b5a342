//===- Integrity.h - Is rewritten text still the user's program? ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks a rewritten unit against the original text, independently of the rewriter. This code uses
// none of the rewriter's rules for placing edits. The rules, in the order in which they are
// checked:
//
//   text        The text equals the original byte for byte after three changes. The inserted
//               regions are removed, the names of sites are changed back, and the flags of system
//               macros are put back.
//   place       Each region ends with a line marker to the file and line that it interrupted.
//   call        Each rewritten site is called once, with as many arguments as before.
//   definition  Each rewritten site is defined once, before its call. Its parameters and its
//               return type are those of the MPI function.
//   evaluation  The definition uses only its parameters, and never changes them. It ends with the
//               ordinary call, which has all parameters in order.
//
// The first two rules concern the unit. The others concern one site each, and the result names all
// sites that break a rule. The caller leaves these sites as they are, and checks the new text
// again.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_INTEGRITY_H
#define MPISPEC_REWRITE_INTEGRITY_H

#include "Frontend/CallSite.h"
#include "Selection/Choice.h"
#include "clang/Basic/LangOptions.h"
#include "llvm/Support/Error.h"

namespace mpispec {

/// A rewritten site that breaks a rule about sites.
class BrokenSite : public llvm::ErrorInfo<BrokenSite> {
public:
  static char ID;
  BrokenSite(unsigned Number, std::string Text) : Number(Number), Text(std::move(Text)) {}
  void log(llvm::raw_ostream &OS) const override { OS << Text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  unsigned Number; ///< CallSite::Number
  std::string Text;
};

/// Checks all rules. Fails with one BrokenSite for each site that breaks a rule, or with an error
/// of another class if the unit breaks one. \p Sites and \p Choices are parallel. Sites whose
/// choice does not rewrite them must be unchanged.
llvm::Error checkIntegrity(llvm::StringRef Original, llvm::StringRef Rewritten,
                           llvm::ArrayRef<CallSite> Sites, llvm::ArrayRef<Choice> Choices,
                           const clang::LangOptions &Language);

} // namespace mpispec
#endif
