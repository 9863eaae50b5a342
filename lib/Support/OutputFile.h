//===- OutputFile.h - Files that are written as a whole ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's streams end the process if their last bytes cannot be written, for example on a full disk.
// These functions return an error instead.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SUPPORT_OUTPUTFILE_H
#define MPISPEC_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
}

namespace mpispec {

/// Writes \p Path as a whole with what \p Write prints, or leaves it as it was. `-` is stdout.
llvm::Error writeOutputFile(llvm::StringRef Path,
                            llvm::function_ref<void(llvm::raw_ostream &)> Write);

} // namespace mpispec
#endif
