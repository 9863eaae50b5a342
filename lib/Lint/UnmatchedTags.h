//===- UnmatchedTags.h - Tags of messages whose other end is missing --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A message is received by a call that names its tag, or MPI_ANY_TAG. Suppose that lint has read
// the whole program and has found the tags of each of its calls. Then a tag that no call on the
// other end can have is a mistake: the message is never received, or the receive waits forever.
//
// Lint has read the whole program if it has read `main`, and if the sources define all names that
// they use. Names of the system need no definition. If other names are undefined, the other end may
// be in a library, or in a source in another language.
//
// The driver links this file. Therefore it uses only LLVM's Support library.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_LINT_UNMATCHEDTAGS_H
#define MPISPEC_LINT_UNMATCHEDTAGS_H

#include "Lint/Findings.h"

namespace mpispec {

/// Appends a finding for each unmatched tag. \p Reports must be those of all sources.
void findUnmatchedTags(llvm::ArrayRef<UnitReport> Reports, std::vector<LintFinding> &Findings);

} // namespace mpispec
#endif
