//===- FortranRules.h - Mistakes in the MPI calls of a Fortran source -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/Lint.md, "Fortran", describes each rule. A rule that reads a type is silent where the type
// depends on a module that is missing.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FORTRAN_FORTRANRULES_H
#define MPISPEC_FORTRAN_FORTRANRULES_H

#include "Fortran/FortranCall.h"

namespace mpispec {

/// Adds the findings, and what the rules over all units need: ends of messages, and names.
void checkFortranUnit(const FortranUnit &Unit, UnitReport &Report);

/// The number of arguments (mpispec-args).
void checkArgumentCount(const FortranCall &Call, std::vector<LintFinding> &Findings);
/// Each buffer's type against its datatype (mpispec-args): the first mistake.
void checkBufferTypes(const FortranCall &Call, const FortranUnit &Unit,
                      std::vector<LintFinding> &Findings);

} // namespace mpispec
#endif
