//===- CheckList.h - The checks that a user has switched on -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   --checks=-mpispec-tags          all but one
//   --checks=-*,mpispec-args        one alone
//
// A list has the form of clang-tidy's: globs between commas, each with `-` in front if it switches
// checks off. The last glob that matches a check decides.
//
// This file needs nothing of LLVM but the Support library, because the driver links it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_LINT_CHECKLIST_H
#define MPISPEC_LINT_CHECKLIST_H

#include "Lint/Findings.h"
#include "llvm/Support/Error.h"
#include <bitset>

namespace mpispec {

/// The set of checks that is on. At first it is all of them.
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

  /// Applies \p Globs to the set. The error is a glob that matches no check, and the remedy.
  llvm::Error apply(llvm::StringRef Globs);
  /// The same for a list that has checks of other tools as well.
  void applyKnown(llvm::StringRef Globs);

private:
  bool applyOne(llvm::StringRef Glob);

  std::bitset<Count> Included;
};

} // namespace mpispec
#endif
