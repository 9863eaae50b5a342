//===- Masquerade.h - mpispec under a compiler's name -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A link to mpispec may have the name `mpicc`, in a directory that precedes the compilers'
// directories on the PATH. Then a build uses mpispec without any option. Because the link has the
// compiler's own name, `which $CC`, comparisons with "mpicxx" and build systems work as without
// mpispec. Compiler caches use links in the same way.
//
//   PATH=/links:/usr/bin make
//     ─► /links/mpicc -c foo.c
//     ─► PATH=/usr/bin:/links mpispec mpicc -c foo.c
//
// The directories of such links move to the end of the PATH for all programs that mpispec starts.
// Therefore every name means the same program as without the links. Wrappers and compiler caches
// that search for their compiler find it too, in any order of links and caches. A program that
// exists only in these directories is still found. Each start leaves fewer links at the front, so
// that the search always ends.
//
// tools/mpispec/mpispec.cpp passes the name under which it runs, and Toolchain has the compilers'
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

/// The name of the compiler under which this process was started, from \p Argv0. Empty if it was
/// started as mpispec. A name that begins with "mpispec" is mpispec's own.
llvm::StringRef masqueradedName(llvm::StringRef Argv0);

/// Moves the directories of the PATH that contain a link to mpispec with the name \p Name, or with
/// the name gcc, behind all others. Returns false if no other directory has a program \p Name.
bool lookBehindLinks(llvm::StringRef Name);

/// Makes links to mpispec in \p Directory, which is created if it does not exist. Their names are
/// \p Names, or those of all compilers and MPI wrappers of the PATH. Existing links to mpispec are
/// replaced. Returns the names. If another file has one of the names, the error names that file,
/// and nothing is changed.
llvm::Expected<std::vector<std::string>> installLinks(llvm::StringRef Directory,
                                                      llvm::ArrayRef<std::string> Names);

} // namespace mpispec
#endif
