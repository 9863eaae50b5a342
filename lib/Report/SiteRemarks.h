//===- SiteRemarks.h - Call sites as remarks --------------------------------------------------===//
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

/// One Analysis remark for the unit, which names the working directory; then for each site, in
/// their order: a Passed remark with its facts if it is rewritten, a Missed remark for each missed
/// fact, an Analysis remark for each warning. The three arrays are parallel.
std::vector<Remark> toRemarks(llvm::ArrayRef<CallSite> Sites, llvm::ArrayRef<SiteFacts> Facts,
                              llvm::ArrayRef<Choice> Choices);

} // namespace mpispec
#endif
