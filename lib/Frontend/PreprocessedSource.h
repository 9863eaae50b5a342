//===- PreprocessedSource.h - Sources that are preprocessed already ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some builds compile in two steps, `cc -E x.c > y.c; cc -c y.c`, and some compiler launchers do
// the same. In the second source MPI_DOUBLE is a number, and the handle probe finds no names. But
// the line markers name the mpi.h that was included. The macros of this header are read again and
// given to the probe.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FRONTEND_PREPROCESSEDSOURCE_H
#define MPISPEC_FRONTEND_PREPROCESSEDSOURCE_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clang {
class CompilerInvocation;
class SourceManager;
} // namespace clang

namespace mpispec {

/// The path in the first line marker of \p Source that enters an mpi.h (`# 1
/// "/usr/include/mpi.h" 1`), or nothing.
llvm::StringRef enteredMpiHeader(llvm::StringRef Source);

/// The definitions of the macros of mpi.h, one `#define` for each. Empty unless the line markers of
/// \p Source name an mpi.h. \p Invocation is the source's own.
std::string macrosOfMpi(const clang::CompilerInvocation &Invocation, llvm::StringRef Source);

/// Does \p Location stand in mpi.h, or in a file that is included from there (mpicxx.h, say),
/// wherever that lies? Line markers count as well as files.
bool isTextOfMpi(const clang::SourceManager &Sources, clang::SourceLocation Location);

} // namespace mpispec
#endif
