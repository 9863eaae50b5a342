//===- PreprocessedSource.h - Sources that are preprocessed already ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some builds compile in two steps, `cc -E x.c > y.c; cc -c y.c`, and some compiler launchers do
// the same. The second source contains the value of MPI_DOUBLE in place of the name. Therefore the
// handle probe finds no names. But the line markers name the mpi.h that was included. The macros of
// this header are read again and given to the probe.
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
/// \p Source name an mpi.h. \p Invocation is that of the source.
std::string macrosOfMpi(const clang::CompilerInvocation &Invocation, llvm::StringRef Source);

/// Is \p Location in mpi.h, or in a file that mpi.h includes (mpicxx.h, for example), in any
/// directory? The name of a file may come from a line marker.
bool isTextOfMpi(const clang::SourceManager &Sources, clang::SourceLocation Location);

} // namespace mpispec
#endif
