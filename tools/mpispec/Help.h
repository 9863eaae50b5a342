//===- Help.h - The output of --help and --version --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mpispec --help` has one page, and so has each subcommand. docs/mpispec.1 has the same
// information with more detail.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_HELP_H
#define MPISPEC_TOOLS_HELP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace mpispec {

/// The subcommands, and where more help is.
void printHelp(llvm::raw_ostream &OS);
/// Compile commands and their options.
void printCompileHelp(llvm::raw_ostream &OS);
/// The MPISPEC_* variables.
void printEnvironmentHelp(llvm::raw_ostream &OS);
/// \p Runtimes are directories of runtimes.
void printVersion(llvm::ArrayRef<std::string> Runtimes, llvm::raw_ostream &OS);

/// The words that are no compiler: "explain", ...
llvm::ArrayRef<llvm::StringRef> subcommands();

/// The usage of \p Subcommand, its options and examples.
void printSubcommandHelp(llvm::StringRef Subcommand, llvm::raw_ostream &OS);

} // namespace mpispec
#endif
