//===- UnusedPrototypes.h - Unneeded declarations in MPI's headers ----------------------------===//
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
/// prototype itself: their lines stay, and blanks ahead of what follows one in its line, so that
/// lines and columns stay. Prototypes in any but the plainest form stay as well.
std::string withoutUnusedPrototypes(llvm::StringRef Header,
                                    const llvm::StringMap<unsigned> &Mentions);

/// Does \p Text name the namespace MPI, which holds the C++ binding that MPI-2.2 deprecated?
bool namesCxxBinding(llvm::StringRef Text);

/// \p Header, mpicxx.h, without what stands in the namespace MPI: blanks in its place. Directives
/// stay. Nothing is left out if braces do not match in the branches of all conditions together.
std::string withoutCxxBinding(llvm::StringRef Header);

/// \p Text, a unit as a compiler has preprocessed it, without the prototypes that nothing mentions
/// in those stretches that line markers say to be of MPI's headers; all lines stay. For who
/// compiles it: to read them is a tenth of what a small unit takes to compile.
std::string preprocessedWithoutUnusedPrototypes(llvm::StringRef Text);

/// Lets \p PP read the headers of MPI without the prototypes that a unit never uses, and without
/// the C++ binding if the unit does not name it. To be called before it has read a token. \p Text
/// is the unit as the user's compiler has preprocessed it; its line markers name the headers.
/// Prototypes are most of what there is to parse in a small C unit: MPICH's headers have 1600.
void leaveOutUnusedPrototypes(clang::Preprocessor &PP, llvm::StringRef Text);

} // namespace mpispec
#endif
