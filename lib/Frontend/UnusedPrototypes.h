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

/// How often each identifier with `MPI` in it stands in \p Text.
llvm::StringMap<unsigned> mentionsOfMpi(llvm::StringRef Text);

/// \p Header without the prototypes of MPI functions that \p Mentions has only once, for the
/// prototype itself. Their lines stay, and blanks replace the text, so that lines and columns stay.
/// Prototypes in an unusual form stay, too.
std::string withoutUnusedPrototypes(llvm::StringRef Header,
                                    const llvm::StringMap<unsigned> &Mentions);

/// Does \p Text name the namespace MPI, which holds the C++ binding that MPI-2.2 deprecated?
bool namesCxxBinding(llvm::StringRef Text);

/// \p Header, mpicxx.h, without what stands in the namespace MPI: blanks in its place. Directives
/// stay. Nothing is left out if braces do not match in the branches of all conditions together.
std::string withoutCxxBinding(llvm::StringRef Header);

/// \p Text is a unit that a compiler has preprocessed. Returns it without the unused prototypes in
/// the parts that come from MPI's headers by their line markers. All lines stay. Reading these
/// prototypes takes a tenth of the time to compile a small unit.
std::string preprocessedWithoutUnusedPrototypes(llvm::StringRef Text);

/// Makes \p PP skip the prototypes of MPI's headers that a unit never uses. It also skips the C++
/// binding if the unit does not name it. Called before \p PP has read a token. \p Text is the unit
/// after the user's preprocessor; its line markers name the headers. Most of the text of a small C
/// unit are prototypes: MPICH's headers have 1600.
void leaveOutUnusedPrototypes(clang::Preprocessor &PP, llvm::StringRef Text);

} // namespace mpispec
#endif
