//===- SummariseCommand.h - mpispec summarise -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_TOOLS_SUMMARISECOMMAND_H
#define MPISPEC_TOOLS_SUMMARISECOMMAND_H

#include "Driver/Specialise.h"

namespace mpispec {

/// Runs the subcommand, which is the first of \p Words, and returns the exit status.
int summarise(const Settings &S, const Installation &Here, llvm::ArrayRef<std::string> Words);

} // namespace mpispec
#endif
