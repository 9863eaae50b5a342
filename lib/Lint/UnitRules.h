//===- UnitRules.h - Rules of lint that need one unit only ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_LINT_UNITRULES_H
#define MPISPEC_LINT_UNITRULES_H

#include "Lint/UnitCalls.h"

namespace mpispec {

/// Requests of a function that nothing completes.
void findLostRequests(const UnitCalls &Unit, std::vector<LintFinding> &Findings);

/// Communicators, groups, datatypes and persistent requests of a function that nothing frees.
void findLeaks(const UnitCalls &Unit, std::vector<LintFinding> &Findings);

/// Collective operations with other arguments on one side of a condition on the rank than on the
/// other; exchanges in which both sides send first.
void findBranchMistakes(const UnitCalls &Unit, std::vector<LintFinding> &Findings);

/// Collective operations whose root or operation is a variable that some ranks set otherwise than
/// others.
void findRankDependentArguments(const UnitCalls &Unit, std::vector<LintFinding> &Findings);

/// Constant ranks that do not exist in the smallest run that `main` admits.
void findRanksBeyondSize(const UnitCalls &Unit, std::vector<LintFinding> &Findings);

/// The wrappers of the unit, and its calls of functions with arguments that are known.
void summariseWrappers(const UnitCalls &Unit, UnitReport &Report);

/// Collects the unit's sends and receives, and the names that it defines and uses.
void readMessageEnds(const UnitCalls &Unit, UnitReport &Report);

} // namespace mpispec
#endif
