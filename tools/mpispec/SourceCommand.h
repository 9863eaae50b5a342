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
  std::string Directory; ///< where; empty: here
  CommandLine Arguments; ///< Clang's
};

/// How \p File is compiled, by the database of \p BuildDirectory, or, if that is empty, with
/// \p Flags. The current directory is \p Directory of the result then. The error is one line with
/// the remedy.
llvm::Expected<SourceCommand> findCommand(const std::string &File, llvm::StringRef BuildDirectory,
                                          const CommandLine &Flags);

/// The same by an entry of a database.
llvm::Expected<SourceCommand> commandOf(const DatabaseEntry &Entry);

} // namespace mpispec
#endif
