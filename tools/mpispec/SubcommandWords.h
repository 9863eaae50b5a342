//===- SubcommandWords.h - The arguments of a subcommand --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   mpispec lint -p build --format=sarif halo.c -- -O2
//
// Subcommands share these forms: sources, the build directory of a compile database, words for the
// compiler after `--`, a request for help, an invalid option.
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

/// Reads the option at the front of the words, which are not empty. Returns how many words it is
/// made of.
using OptionReader = llvm::function_ref<llvm::Expected<size_t>(llvm::ArrayRef<std::string>)>;

/// \p Words are those behind the subcommand. Words that begin with `-` are given to \p ReadOption,
/// but for `-p DIR` where the subcommand \p ReadsDatabase. The error is one line with the remedy.
llvm::Expected<SubcommandWords> readWords(llvm::ArrayRef<std::string> Words, bool ReadsDatabase,
                                          OptionReader ReadOption);

/// Joins an option and its value in the next word, `--format json`, to `--format=json`. Only
/// options that always have a value are joined, and no words behind `--`.
void joinValues(CommandLine &Words);

/// Is `--help` or `-h` among the words before the compiler's?
bool asksForHelp(llvm::ArrayRef<std::string> Words);

/// \p Subcommand has no option \p Word, but those in \p Known.
llvm::Error unknownOption(llvm::StringRef Word, llvm::StringRef Subcommand,
                          llvm::ArrayRef<llvm::StringRef> Known);

} // namespace mpispec
#endif
