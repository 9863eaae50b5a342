//===- FortranUnit.h - The MPI calls of a Fortran source --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_FORTRAN_FORTRANUNIT_H
#define MPISPEC_FORTRAN_FORTRANUNIT_H

#include "Fortran/FortranCall.h"
#include "Fortran/FortranSource.h"

namespace mpispec {

/// Reads \p Source, whose preprocessed text is in the file \p Text. Writes its modules to
/// \p ModuleDirectory, and reads the modules of other sources there.
FortranUnit readFortranUnit(const FortranSource &Source, const std::string &Text,
                            llvm::StringRef ModuleDirectory);

} // namespace mpispec
#endif
