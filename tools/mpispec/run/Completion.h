//===- Completion.h - mpispec completion ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scripts complete subcommands, options and values of the table Subcommands.def. Behind a
// compiler's name, and for other words, they complete files.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_RUN_COMPLETION_H
#define MPISPEC_RUN_COMPLETION_H

#include <string>

namespace mpispec {

/// The script for \p Shell: bash, zsh or fish. Empty: there is none for this shell.
std::string completionScript(const std::string &Shell);

} // namespace mpispec
#endif
