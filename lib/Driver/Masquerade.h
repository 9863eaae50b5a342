//===- Masquerade.h - mpispec under a compiler's name -----------------------------------------===//
//
// A link named `mpicc` to mpispec, in a directory ahead of the compilers' on the PATH, makes a
// build use mpispec without being told to: `which $CC`, a comparison with "mpicxx", a build system
// that wants a path all see the one word that they know. Compiler caches work the same way.
//
//   PATH=/links:/usr/bin make  ─►  /links/mpicc -c foo.c  ─►  PATH=/usr/bin:/links mpispec mpicc -c
//   foo.c
//
// The directories of such links go to the end of the PATH for all that we start. So every name
// means the program that it would mean without the links, also to a wrapper or a compiler cache
// that looks for its compiler, in whichever order links and caches stand; and nothing is lost that
// is in no other place. Each start leaves fewer links ahead, so there is no endless loop.
//
// Neighbours: tools/mpispec/mpispec.cpp asks under which name it runs; Toolchain knows compilers'
// names.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_MASQUERADE_H
#define MPISPEC_DRIVER_MASQUERADE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mpispec {

/// The compiler that this process stands for when it was started as \p Argv0; empty: mpispec
/// itself. A name that begins with "mpispec" is mpispec's own.
llvm::StringRef masqueradedName(llvm::StringRef Argv0);

/// Moves the directories of the PATH that hold a link to mpispec under \p Name, or as gcc, behind
/// all others. False: none of the others has a program \p Name.
bool lookBehindLinks(llvm::StringRef Name);

/// Makes links to mpispec in \p Directory, which is made if need be: named after \p Names, or after
/// every compiler and MPI wrapper of the PATH. Links that are there already stay. Returns their
/// names. The error names what is in the way, and then nothing was changed.
llvm::Expected<std::vector<std::string>> installLinks(llvm::StringRef Directory,
                                                      llvm::ArrayRef<std::string> Names);

} // namespace mpispec
#endif
