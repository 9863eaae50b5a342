//===- SummariseCommand.h - mpispec summarise -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_TOOLS_SUMMARISECOMMAND_H
#define MPISPEC_TOOLS_SUMMARISECOMMAND_H

#include "Driver/Specialise.h"

namespace mpispec {

/// Runs `summarise` with its words, itself the first; returns the exit status.
int summarise(const Settings &S, const Installation &Here, llvm::ArrayRef<std::string> Words);

} // namespace mpispec
#endif
