//===- Wrappers.h - Calls of MPI through functions of the project -----------------------------===//
//
// A wrapper is a function that hands its parameters on to a call of MPI that it is sure to make.
// Each unit tells which of its functions do so, and with which constants and arrays it calls
// functions; what does not fit is found where all units meet.
//
// Needs nothing of LLVM but its Support library: the driver links it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_LINT_WRAPPERS_H
#define MPISPEC_LINT_WRAPPERS_H

#include "Lint/Findings.h"

namespace mpispec {

/// Appends what is wrong with the calls of \p Reports to wrappers of any of them.
void findThroughWrappers(llvm::ArrayRef<UnitReport> Reports, std::vector<Finding> &Findings);

} // namespace mpispec
#endif
