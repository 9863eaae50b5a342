//===- Wrappers.h - MPI calls through functions of the project --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wrapper is a function that passes its parameters to an MPI call, which it makes in every
// execution. Each unit reports its wrappers, and the constants and arrays with which it calls
// functions. `mpispec lint` joins the reports of all units, and finds the arguments that do not
// fit.
//
// The driver links this file. Therefore it uses only LLVM's Support library.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_LINT_WRAPPERS_H
#define MPISPEC_LINT_WRAPPERS_H

#include "Lint/Findings.h"

namespace mpispec {

/// Appends a finding for each wrong argument of a call to a wrapper. Call and wrapper may be in
/// different \p Reports.
void findThroughWrappers(llvm::ArrayRef<UnitReport> Reports, std::vector<LintFinding> &Findings);

} // namespace mpispec
#endif
