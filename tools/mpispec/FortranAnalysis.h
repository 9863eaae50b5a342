//===- FortranAnalysis.h - Fortran sources of lint and explain --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All Fortran sources of a command go to one process of mpispec-analyze-fortran, because sources
// use each other's modules. With `-p DIR` the build's other Fortran sources go there as well.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_FORTRANANALYSIS_H
#define MPISPEC_TOOLS_FORTRANANALYSIS_H

#include "Driver/Specialise.h"
#include "Fortran/FortranProject.h"
#include "SubcommandWords.h"

namespace mpispec {

bool isFortran(llvm::StringRef File);

/// The outcome for each of \p Files, which are Fortran sources. If \p Files is empty, all Fortran
/// sources of the build in \p Words are analysed. \p Command is a command of
/// mpispec-analyze-fortran.
llvm::Expected<std::vector<FortranOutcome>>
analyseFortran(const Installation &Here, llvm::StringRef Command, const SubcommandWords &Words,
               llvm::ArrayRef<std::string> Files, unsigned Jobs);

} // namespace mpispec
#endif
