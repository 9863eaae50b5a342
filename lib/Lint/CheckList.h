//===- CheckList.h - The checks that a user has switched on -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   --checks=-mpispec-tags          all but one
//   --checks=-*,mpispec-args        one alone
//
// A list has the form of clang-tidy's: globs, separated by commas. A glob with `-` in front
// switches checks off. The last glob that matches a check decides.
//
// The driver links this file. Therefore it uses only LLVM's Support library.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_LINT_CHECKLIST_H
#define MPISPEC_LINT_CHECKLIST_H

#include "Lint/Findings.h"
#include "llvm/Support/Error.h"
#include <bitset>

namespace mpispec {

/// The set of checks that are on. Initially all are.
class CheckList {
public:
  static constexpr unsigned Count = 0
#define LINT_RULE(NAME, ID, LEVEL, SENTENCE) +1
#include "Lint/Rules.def"
      ;

  CheckList() { Included.set(); }
  static CheckList none() {
    CheckList List;
    List.Included.reset();
    return List;
  }

  bool includes(LintRule R) const { return Included[static_cast<unsigned>(R)]; }

  /// Applies \p Globs to the set. Fails if a glob matches no check. The text of the error contains
  /// the remedy.
  llvm::Error apply(llvm::StringRef Globs);
  /// The same, but ignores globs that match no check, because the list may also name checks of
  /// other tools.
  void applyKnown(llvm::StringRef Globs);

private:
  bool applyOne(llvm::StringRef Glob);

  std::bitset<Count> Included;
};

} // namespace mpispec
#endif
