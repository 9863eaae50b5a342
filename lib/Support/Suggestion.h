//===- Suggestion.h - The nearest valid word to a mistyped one --------------------------------===//
//
// Messages about a user's words contain the suggestion: subcommands and options.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SUPPORT_SUGGESTION_H
#define MPISPEC_SUPPORT_SUGGESTION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mpispec {

/// The one of \p Known that is nearest to \p Word, or empty if none is near: a third of the
/// letters may be wrong, missing or too many, those not counted that all begin with.
llvm::StringRef nearest(llvm::StringRef Word, llvm::ArrayRef<llvm::StringRef> Known);

/// " (did you mean '--format'?)", or empty.
std::string didYouMean(llvm::StringRef Word, llvm::ArrayRef<llvm::StringRef> Known);

} // namespace mpispec
#endif
