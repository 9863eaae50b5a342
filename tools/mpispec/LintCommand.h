//===- LintCommand.h - mpispec lint -----------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_TOOLS_LINTCOMMAND_H
#define MPISPEC_TOOLS_LINTCOMMAND_H

#include "Driver/Specialise.h"

namespace mpispec {

/// Runs the subcommand \p Words[0] with its arguments. The exit status is 0 without new warnings, 1
/// with new warnings, and 2 if the command fails or a source could not be checked.
int lint(const Settings &S, const Installation &Here, llvm::ArrayRef<std::string> Words);

} // namespace mpispec
#endif
