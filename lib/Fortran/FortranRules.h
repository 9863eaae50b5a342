//===- FortranRules.h - Mistakes in the MPI calls of a Fortran source -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/Lint.md, "Fortran", describes each rule. A rule about types gives no finding if the type
// depends on a missing module.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FORTRAN_FORTRANRULES_H
#define MPISPEC_FORTRAN_FORTRANRULES_H

#include "Fortran/FortranCall.h"

namespace mpispec {

/// Adds findings to \p Report. Also adds the data for rules about all units: message ends, and the
/// symbols that the unit defines and uses.
void checkFortranUnit(const FortranUnit &Unit, UnitReport &Report);

/// Checks the number of arguments (mpispec-args).
void checkArgumentCount(const FortranCall &Call, std::vector<LintFinding> &Findings);
/// Compares each buffer's type with its datatype (mpispec-args). Adds only the first mistake.
void checkBufferTypes(const FortranCall &Call, const FortranUnit &Unit,
                      std::vector<LintFinding> &Findings);

} // namespace mpispec
#endif
