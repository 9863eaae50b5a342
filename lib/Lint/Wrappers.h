//===- Wrappers.h - MPI calls through functions of the project --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wrapper is a function that passes its parameters to an MPI call, which it makes in every
// execution. Each unit reports its wrappers, and the constants and arrays with which it calls
// functions. The arguments that do not fit are found when all units are joined.
//
// This file needs nothing of LLVM but the Support library, because the driver links it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_LINT_WRAPPERS_H
#define MPISPEC_LINT_WRAPPERS_H

#include "Lint/Findings.h"

namespace mpispec {

/// Appends what is wrong with the calls of \p Reports to wrappers of any of them.
void findThroughWrappers(llvm::ArrayRef<UnitReport> Reports, std::vector<LintFinding> &Findings);

} // namespace mpispec
#endif
