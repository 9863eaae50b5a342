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

/// Writes \p Path as a whole with what \p Write prints, or leaves it as it was. Devices and pipes
/// are written themselves. `-` is stdout.
llvm::Error writeOutputFile(llvm::StringRef Path,
                            llvm::function_ref<void(llvm::raw_ostream &)> Write);

/// The exit status of a program whose result could not be written to stdout.
inline constexpr int OutputLost = 2;

/// Flushes stdout. Returns \p Status, or prints why stdout could not be written and returns
/// OutputLost. A program's main() ends with it, because the destructor of a stream with an error
/// would end the process with a status of its own. If a message cannot be written to stderr, the
/// status does not change, as with gcc.
int endOutput(int Status);

} // namespace mpispec
#endif
