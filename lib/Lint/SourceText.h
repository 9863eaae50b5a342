//===- SourceText.h - The lines of findings ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   MPI_Send(x, -1, MPI_INT, 1, 0, comm); // NOLINT(mpispec-args)
//   // NOLINTNEXTLINE
//   MPI_Send(x, -1, MPI_INT, 1, 0, comm);
//
// A comment in the source suppresses findings of its line, or of the next line. The form is
// clang-tidy's. Without a list in parentheses the comment suppresses all checks.
//
// The driver links this file. Therefore it uses only LLVM's Support library.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_LINT_SOURCETEXT_H
#define MPISPEC_LINT_SOURCETEXT_H

#include "Lint/Findings.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mpispec {

/// The sources that have findings. Each file is read once.
class SourceText {
public:
  /// The text of line \p Line; lines are counted from 1. Empty if there is no such file or line.
  llvm::StringRef line(llvm::StringRef File, unsigned Line);

  /// Does a comment in the source suppress \p F?
  bool suppresses(const LintFinding &F);

private:
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> Buffer;
    llvm::SmallVector<llvm::StringRef, 0> Lines;
  };
  const File &read(llvm::StringRef Name);

  llvm::StringMap<File> Files;
};

} // namespace mpispec
#endif
