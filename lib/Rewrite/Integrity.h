//===- Integrity.h - Is rewritten text still the user's program? ------------------------------===//
//
// Checks a rewritten unit against the text it was made from, without trusting who made it: nothing
// is known here of how edits are placed. The rules, in the order they are checked:
//
//   text        without the inserted regions, with the sites' names changed back and the flags of
//               system macros put back, the text is the original, byte for byte
//   place       each region ends with a line marker to the file and line it interrupted
//   call        each rewritten site is called once, with as many arguments as before
//   definition  each rewritten site is defined once, before its call; its parameters and return
//   type
//               are those of the MPI function
//   evaluation  the definition takes its arguments from plain parameters that it never changes, and
//               its last word is the ordinary call with all of them in order
//
// The caller decides what a failure means; the driver leaves such a unit as it was.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_INTEGRITY_H
#define MPISPEC_REWRITE_INTEGRITY_H

#include "Frontend/CallSite.h"
#include "Selection/Choice.h"
#include "clang/Basic/LangOptions.h"
#include "llvm/Support/Error.h"

namespace mpispec {

/// Checks all rules. \p Sites and \p Choices are parallel; sites whose choice names no template
/// must be unchanged.
llvm::Error checkIntegrity(llvm::StringRef Original, llvm::StringRef Rewritten,
                           llvm::ArrayRef<CallSite> Sites, llvm::ArrayRef<Choice> Choices,
                           const clang::LangOptions &Language);

} // namespace mpispec
#endif
