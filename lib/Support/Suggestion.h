//===- Suggestion.h - The nearest valid word to a mistyped one --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about mistyped subcommands and options suggest the nearest valid word.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SUPPORT_SUGGESTION_H
#define MPISPEC_SUPPORT_SUGGESTION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mpispec {

/// Returns the element of \p Known that is nearest to \p Word, or an empty text if none is near. A
/// third of the letters may be wrong, missing or superfluous. A prefix that all words share does
/// not count as letters.
llvm::StringRef nearest(llvm::StringRef Word, llvm::ArrayRef<llvm::StringRef> Known);

/// " (did you mean '--format'?)", or an empty text if no word is near.
std::string didYouMean(llvm::StringRef Word, llvm::ArrayRef<llvm::StringRef> Known);

} // namespace mpispec
#endif
