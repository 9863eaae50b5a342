//===- ForeignHeaders.h - Hides gcc's own headers where Clang has the same --------------------===//
//
// omp.h and quadmath.h come with gcc alone, so its directory is searched after all others. But what
// Clang has as well is to be Clang's: its <stdatomic.h> looks for the next one of that name, and
// cannot read gcc's.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FRONTEND_FOREIGNHEADERS_H
#define MPISPEC_FRONTEND_FOREIGNHEADERS_H

#include "clang/Lex/HeaderSearchOptions.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace mpispec {

/// The file system without headers that Clang has itself, in directories of gcc that are searched
/// after all others.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withoutForeignHeaders(const clang::HeaderSearchOptions &Options);

} // namespace mpispec
#endif
