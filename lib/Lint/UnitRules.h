//===- UnitRules.h - Rules of lint that need one unit only ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_LINT_UNITRULES_H
#define MPISPEC_LINT_UNITRULES_H

#include "Lint/UnitCalls.h"

namespace mpispec {

/// Finds requests in local variables that nothing completes.
void findLostRequests(const UnitCalls &Unit, std::vector<LintFinding> &Findings);

/// Finds communicators, groups, datatypes and persistent requests in local variables that nothing
/// frees.
void findLeaks(const UnitCalls &Unit, std::vector<LintFinding> &Findings);

/// Compares the branches of a condition on the rank. Finds collective operations whose arguments
/// differ, a first message with different datatypes, and exchanges in which both branches send
/// first.
void findBranchMistakes(const UnitCalls &Unit, std::vector<LintFinding> &Findings);

/// Finds collective operations whose root or operation is a variable with different values on
/// different ranks.
void findRankDependentArguments(const UnitCalls &Unit, std::vector<LintFinding> &Findings);

/// Finds constant ranks that do not exist in the smallest run that `main` accepts.
void findRanksBeyondSize(const UnitCalls &Unit, std::vector<LintFinding> &Findings);

/// Collects the unit's wrappers, and its calls of functions with at least one known argument.
void summariseWrappers(const UnitCalls &Unit, UnitReport &Report);

/// Collects the unit's sends and receives, and the names that it defines and uses.
void readMessageEnds(const UnitCalls &Unit, UnitReport &Report);

} // namespace mpispec
#endif
