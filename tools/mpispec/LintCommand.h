//===- LintCommand.h - mpispec lint -----------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_TOOLS_LINTCOMMAND_H
#define MPISPEC_TOOLS_LINTCOMMAND_H

#include "Driver/Specialise.h"

namespace mpispec {

/// Runs the subcommand, \p Words[0], and returns the exit status: 0 no warning, 1 warnings, 2 not
/// everything could be checked.
int lint(const Settings &S, const Installation &Here, llvm::ArrayRef<std::string> Words);

} // namespace mpispec
#endif
