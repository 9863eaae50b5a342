//===- Triage.h - Which findings are new ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A team switches checks off, suppresses a finding by a comment, and keeps a baseline of findings
// that were there before. `mpispec lint` and the warnings in compiles obey all three.
//
// A fingerprint is a hash of the check, the file, the text of the line without spaces, and the
// number of equal lines before it. Therefore it survives if a line moves, and not if it changes.
//
// This file needs nothing of LLVM but the Support library, because the driver links it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_LINT_TRIAGE_H
#define MPISPEC_LINT_TRIAGE_H

#include "Lint/Project.h"

namespace mpispec {

struct TriageOptions {
  std::string Checks;   ///< globs, after those of the project; valid for CheckList
  std::string Baseline; ///< instead of the project's; empty: the project's
  bool IgnoresBaseline = false;
};

/// Removes the findings of checks that are off. Fills in the state and the fingerprint of the
/// others. \p Findings are sorted. The error is a baseline that cannot be read.
llvm::Error triage(std::vector<LintFinding> &Findings, const TriageOptions &Options,
                   LintProjects &Projects);

} // namespace mpispec
#endif
