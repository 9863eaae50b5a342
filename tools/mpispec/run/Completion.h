//===- Completion.h - mpispec completion ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scripts complete subcommands, options and values of the table Subcommands.def. They complete
// all other words, and words behind a compiler's name, as files.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_RUN_COMPLETION_H
#define MPISPEC_RUN_COMPLETION_H

#include <string>

namespace mpispec {

/// The script for \p Shell: bash, zsh or fish. Empty for other shells.
std::string completionScript(const std::string &Shell);

} // namespace mpispec
#endif
