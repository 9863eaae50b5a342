//===- UnmatchedTags.h - Tags of messages whose other end is missing --------------------------===//
//
// A message is received by a call that names its tag, or any. Where all of a program was read, and
// of each of its calls the tags are known, a tag that none of the calls on the other end can have
// is a mistake: the message is never received, the receive waits for ever.
//
// All of a program was read if its `main` was, and if the sources define whatever they use that is
// not of the system: else a library, or a source in another language, may have the other end.
//
// Needs nothing of LLVM but its Support library: the driver links it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_LINT_UNMATCHEDTAGS_H
#define MPISPEC_LINT_UNMATCHEDTAGS_H

#include "Lint/Findings.h"

namespace mpispec {

/// Appends what is unmatched in \p Reports, which are of all sources that there are.
void findUnmatchedTags(llvm::ArrayRef<UnitReport> Reports, std::vector<Finding> &Findings);

} // namespace mpispec
#endif
