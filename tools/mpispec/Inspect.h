//===- Inspect.h - mpispec explain, rewrite, report, profile and database ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_TOOLS_INSPECT_H
#define MPISPEC_TOOLS_INSPECT_H

#include "Driver/Specialise.h"

namespace mpispec {

/// Runs the subcommand \p Words[0] and returns the exit status.
int inspect(const Settings &S, const Installation &Here, llvm::ArrayRef<std::string> Words);

} // namespace mpispec
#endif
