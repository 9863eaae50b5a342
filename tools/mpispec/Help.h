//===- Help.h - The output of --help and --version --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mpispec --help` prints one page. Each subcommand has a page of its own. docs/mpispec.1 has the
// same information with more detail.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_HELP_H
#define MPISPEC_TOOLS_HELP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace mpispec {

/// Prints the subcommands, and the places of more help.
void printHelp(llvm::raw_ostream &OS);
/// Prints compile commands and their options.
void printCompileHelp(llvm::raw_ostream &OS);
/// Prints the MPISPEC_* variables.
void printEnvironmentHelp(llvm::raw_ostream &OS);
/// \p Runtimes are directories of runtimes.
void printVersion(llvm::ArrayRef<std::string> Runtimes, llvm::raw_ostream &OS);

/// The names of all subcommands: "explain", ...
llvm::ArrayRef<llvm::StringRef> subcommands();

/// The usage of \p Subcommand, its options and examples.
void printSubcommandHelp(llvm::StringRef Subcommand, llvm::raw_ostream &OS);

} // namespace mpispec
#endif
