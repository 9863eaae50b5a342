//===- MpiHeader.h - The MPI library's mpif.h for flang ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Open MPI's header includes interfaces of MPI_SIZEOF. flang rejects them, because it has no
// REAL(16) on this platform. An error in the header would be an error in each source that includes
// it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FORTRAN_MPIHEADER_H
#define MPISPEC_FORTRAN_MPIHEADER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mpispec {

/// Writes a copy of the header without these interfaces to a directory below \p Temporary, and
/// returns this directory. Empty if the header that is first in \p IncludeDirectories has no such
/// interfaces.
std::string writeHeaderWithoutSizeof(llvm::ArrayRef<std::string> IncludeDirectories,
                                     llvm::StringRef Temporary);

} // namespace mpispec
#endif
