//===- Integrity.h - Is rewritten text still the user's program? ------------------------------===//
//
// Checks a rewritten unit against the original text, independently of the rewriter: no code here
// shares its rules for placing edits. The rules, in the order in which they are checked:
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
// The caller determines the effect of a failure. The driver compiles that unit unchanged.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_INTEGRITY_H
#define MPISPEC_REWRITE_INTEGRITY_H

#include "Frontend/CallSite.h"
#include "Selection/Choice.h"
#include "clang/Basic/LangOptions.h"
#include "llvm/Support/Error.h"

namespace mpispec {

/// Checks all rules. \p Sites and \p Choices are parallel. Sites whose choice does not rewrite them
/// must be unchanged.
llvm::Error checkIntegrity(llvm::StringRef Original, llvm::StringRef Rewritten,
                           llvm::ArrayRef<CallSite> Sites, llvm::ArrayRef<Choice> Choices,
                           const clang::LangOptions &Language);

} // namespace mpispec
#endif
