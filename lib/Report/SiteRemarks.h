//===- SiteRemarks.h - Call sites as remarks --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes the remarks of one translation unit, which `--remarks` writes and `report` reads
// back (SiteRecord.h).
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REPORT_SITEREMARKS_H
#define MPISPEC_REPORT_SITEREMARKS_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Selection/Choice.h"
#include "Support/Remarks.h"

namespace mpispec {

/// Converts sites to remarks. The first one is an Analysis remark with the unit's working
/// directory. Then the remarks of each site follow, in the order of the sites. A rewritten site has
/// a Passed remark with its facts. Each missed fact has a Missed remark, and each warning an
/// Analysis remark. The three arrays are parallel.
std::vector<Remark> toRemarks(llvm::ArrayRef<CallSite> Sites, llvm::ArrayRef<SiteFacts> Facts,
                              llvm::ArrayRef<Choice> Choices);

} // namespace mpispec
#endif
