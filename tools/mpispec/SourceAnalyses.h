//===- SourceAnalyses.h - Analyses of many sources --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mpispec lint` and `mpispec summarise` share this code. It determines the sources, which are
// those that the command names or all sources of a build. For each source it determines the compile
// command. It then runs several analyses at a time. If one source cannot be analysed, the others
// still are.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_TOOLS_SOURCEANALYSES_H
#define MPISPEC_TOOLS_SOURCEANALYSES_H

#include "Driver/Specialise.h"
#include "SubcommandWords.h"

namespace mpispec {

struct SourcesRequest {
  SubcommandWords Words;
  unsigned Jobs = 0; ///< 0: as many as there are cores
};

/// Reads `[-p DIR] [-j N] [FILE...] [-- FLAGS]` behind \p Subcommand. \p ReadOption reads the
/// options that only this subcommand has. The error is one line with the remedy.
llvm::Expected<SourcesRequest> readSourcesRequest(llvm::ArrayRef<std::string> Words,
                                                  llvm::StringRef Subcommand,
                                                  OptionReader ReadOption);

/// The result for one source.
struct SourceOutcome {
  std::string Name;      ///< its name in messages
  std::string Directory; ///< where it is compiled, absolute
  std::string Failure;   ///< why it was not analysed, one line; empty: it was analysed
  std::string Answer;    ///< the output of the analysis
};

/// Runs `mpispec-analyze` with \p Command for each source, and calls \p Take with each outcome.
/// Fails if there is nothing to analyse. The error is one line with the remedy.
llvm::Error analyseSources(const Settings &S, const Installation &Here, const SourcesRequest &R,
                           llvm::StringRef Command,
                           llvm::function_ref<void(const SourceOutcome &)> Take);

/// \p File relative to \p Directory if it is below \p Directory, else \p File.
std::string fromDirectory(llvm::StringRef Directory, llvm::StringRef File);

} // namespace mpispec
#endif
