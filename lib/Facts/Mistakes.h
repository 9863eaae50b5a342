//===- Mistakes.h - Proven mistakes in arguments ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_FACTS_MISTAKES_H
#define MPISPEC_FACTS_MISTAKES_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"

namespace mpispec {

/// The answers about mistakes of one side that hold in every copy of a call.
struct MistakeAnswers {
  bool CountIsNegative = false, TagIsNegative = false;
  bool PeerIsNegative = false, Overruns = false;
  bool PeerIsTooLarge = false, RootIsTooLarge = false; ///< not below the communicator's size
  bool IsSignificant = false; ///< MPI reads the side's arguments (CallCopy.h)
};

/// Appends a warning to \p Facts for each proven mistake of side \p Index.
void warnAboutTransfer(const CallSite &Site, unsigned Index, const MistakeAnswers &Answers,
                       SiteFacts &Facts);

/// The same for arguments that belong to no side: communicator, root, operation, requests.
void warnAboutCall(const CallSite &Site, SiteFacts &Facts);

} // namespace mpispec
#endif
