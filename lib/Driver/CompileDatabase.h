//===- CompileDatabase.h - A build's commands, from compile_commands.json ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CMake, Meson and Bear write this file: an array of objects with `directory`, `file`, and
// `command` (one string) or `arguments` (an array). The format is Clang's JSONCompilationDatabase.
// The driver has its own reader because it does not link Clang.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_COMPILEDATABASE_H
#define MPISPEC_DRIVER_COMPILEDATABASE_H

#include "Driver/Invocation.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace mpispec {

struct DatabaseEntry {
  std::string File;      ///< absolute
  std::string Directory; ///< absolute; where the command runs
  CommandLine Words;     ///< compiler first
};

/// All entries of \p BuildDirectory. The error is one line with the remedy.
llvm::Expected<std::vector<DatabaseEntry>> sourcesInDatabase(llvm::StringRef BuildDirectory);

/// The entry for source \p File in \p BuildDirectory. \p File may be relative to the current
/// directory. The error is one line with the remedy.
llvm::Expected<DatabaseEntry> findInDatabase(llvm::StringRef BuildDirectory, llvm::StringRef File);

/// The database of \p BuildDirectory for tools that cannot expand a wrapper, such as Clang's. Each
/// command is the command of the compiler behind mpispec and MPI's wrapper.
llvm::Expected<llvm::json::Array> databaseOfCompilers(llvm::StringRef BuildDirectory);

} // namespace mpispec
#endif
