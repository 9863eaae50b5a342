//===- SourceCommand.h - The arguments with which Clang reads a source ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The input is flags after `--`, a compiler command there, or a compile database. The output is
// Clang's arguments.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_SOURCECOMMAND_H
#define MPISPEC_TOOLS_SOURCECOMMAND_H

#include "Driver/CompileDatabase.h"

namespace mpispec {

struct SourceCommand {
  std::string Directory; ///< where it is compiled; empty: the current directory
  CommandLine Arguments; ///< arguments for Clang
};

/// Returns how \p File is compiled. The command comes from the database of \p BuildDirectory or, if
/// the name of the directory is empty, from \p Flags and the MPI wrapper. If a database is used,
/// the result's Directory becomes the current directory. The error is one line with the remedy.
llvm::Expected<SourceCommand> findCommand(const std::string &File, llvm::StringRef BuildDirectory,
                                          const CommandLine &Flags);

/// The same, from an entry of a database.
llvm::Expected<SourceCommand> commandOf(const DatabaseEntry &Entry);

} // namespace mpispec
#endif
