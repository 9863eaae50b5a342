//===- SubcommandWords.h - The arguments of a subcommand --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   mpispec lint -p build --format=sarif halo.c -- -O2
//
// Subcommands share these forms: sources, the build directory of a compile database, words for the
// compiler after `--`. The options are those of the table (run/Subcommands.def). checkWords() has
// already checked them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_SUBCOMMANDWORDS_H
#define MPISPEC_TOOLS_SUBCOMMANDWORDS_H

#include "Driver/Invocation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace mpispec {

struct SubcommandWords {
  CommandLine Files;
  std::string BuildDirectory; ///< empty: no compile database
  CommandLine Flags;          ///< the arguments behind `--`
};

/// Reads the option at the front of the words, of which there is at least one. Returns the number
/// of words of the option.
using OptionReader = llvm::function_ref<llvm::Expected<size_t>(llvm::ArrayRef<std::string>)>;

/// \p Words are the words behind the subcommand. \p ReadOption reads the words that begin with `-`.
/// Exception: if \p ReadsDatabase is set, this function reads `-p DIR` itself. The error is one
/// line with the remedy.
llvm::Expected<SubcommandWords> readWords(llvm::ArrayRef<std::string> Words, bool ReadsDatabase,
                                          OptionReader ReadOption);

} // namespace mpispec
#endif
