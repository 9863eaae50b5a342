//===- UnusedPrototypes.h - Unneeded declarations in MPI's headers ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_FRONTEND_UNUSEDPROTOTYPES_H
#define MPISPEC_FRONTEND_UNUSEDPROTOTYPES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clang {
class Preprocessor;
} // namespace clang

namespace mpispec {

/// The number of occurrences in \p Text of each identifier that contains `MPI`.
llvm::StringMap<unsigned> mentionsOfMpi(llvm::StringRef Text);

/// \p Header without the prototypes of MPI functions whose names \p Mentions counts only once, in
/// the prototype itself. Blanks replace the text, so that lines and columns stay. Prototypes in an
/// unusual form stay, too.
std::string withoutUnusedPrototypes(llvm::StringRef Header,
                                    const llvm::StringMap<unsigned> &Mentions);

/// Does \p Text name the namespace MPI, which holds the C++ binding that MPI-2.2 deprecated?
bool namesCxxBinding(llvm::StringRef Text);

/// \p Header, mpicxx.h, with blanks in place of the contents of the namespace MPI. Directives stay.
/// Returns \p Header unchanged if its braces do not match when all branches of `#if` are read.
std::string withoutCxxBinding(llvm::StringRef Header);

/// \p Text is a unit that a compiler has preprocessed. Returns it without the unused prototypes of
/// MPI's headers. Line markers show which text comes from these headers. All lines stay.
std::string preprocessedWithoutUnusedPrototypes(llvm::StringRef Text);

/// Makes \p PP skip the prototypes of MPI's headers that a unit never uses. It also skips the C++
/// binding if the unit does not name it. Called before \p PP has read a token. \p Text is the unit
/// after the user's preprocessor; its line markers name the headers. Most of a small C unit
/// consists of such prototypes.
void leaveOutUnusedPrototypes(clang::Preprocessor &PP, llvm::StringRef Text);

} // namespace mpispec
#endif
