//===- ForeignHeaders.h - Headers of gcc's that Clang must not read ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// omp.h and quadmath.h come with gcc alone, so gcc's directory is searched after all others. But a
// header that both compilers have must be read from Clang's directory. For example, Clang's
// <stdatomic.h> includes the next header of this name, and cannot read gcc's.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FRONTEND_FOREIGNHEADERS_H
#define MPISPEC_FRONTEND_FOREIGNHEADERS_H

#include "clang/Lex/HeaderSearchOptions.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace mpispec {

/// The file system without some files: headers in gcc's directory of which Clang has its own
/// version.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withoutForeignHeaders(const clang::HeaderSearchOptions &Options);

} // namespace mpispec
#endif
