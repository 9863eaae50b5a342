//===- Triage.h - Which findings are new ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A project can switch checks off, suppress a finding by a comment, and keep a baseline of earlier
// findings. All three apply to `mpispec lint` and to the warnings in compiles.
//
// A fingerprint is a hash of the check, the file, the text of the line without spaces, and a
// number. The number counts earlier findings for which the other three are equal. Therefore a
// fingerprint stays the same if the line moves, and differs if the text of the line changes.
//
// The driver links this file. Therefore it uses only LLVM's Support library.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_LINT_TRIAGE_H
#define MPISPEC_LINT_TRIAGE_H

#include "Lint/Project.h"

namespace mpispec {

struct TriageOptions {
  std::string Checks;   ///< globs that CheckList accepts, applied after those of the project
  std::string Baseline; ///< instead of the project's; empty: the project's
  bool IgnoresBaseline = false;
};

/// Removes the findings of checks that are off. Fills in the state and the fingerprint of the
/// others. \p Findings are sorted. Fails if a baseline cannot be read; comments count nevertheless.
llvm::Error triage(std::vector<LintFinding> &Findings, const TriageOptions &Options,
                   LintProjects &Projects);

} // namespace mpispec
#endif
