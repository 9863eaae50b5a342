//===- Project.h - The file .mpispec-lint of a project ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   Checks: '-mpispec-leaks'
//   Baseline: known-findings.txt
//
// The file is YAML. It is in the directory of a source, or in a directory above. If there are
// several, the nearest one counts. Both keys are optional. A relative path of a baseline starts at
// the directory of the file.
//
// The driver links this file. Therefore it uses only LLVM's Support library.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_LINT_PROJECT_H
#define MPISPEC_LINT_PROJECT_H

#include "Lint/CheckList.h"
#include "llvm/ADT/StringMap.h"

namespace mpispec {

struct LintProject {
  std::string Directory; ///< absolute; empty: there is no file
  CheckList Checks;
  std::string Baseline; ///< absolute; empty: none
};

/// The projects of all sources. Each directory is searched once.
class LintProjects {
public:
  /// The project of \p File, which is absolute or relative to the current directory.
  const LintProject &of(llvm::StringRef File);

  /// The mistakes in the files that were read, each with line and remedy.
  llvm::ArrayRef<std::string> mistakes() const { return Mistakes; }

private:
  const LintProject &inDirectory(llvm::StringRef Directory);

  llvm::StringMap<LintProject> Found; ///< by directory
  std::vector<std::string> Mistakes;
};

} // namespace mpispec
#endif
