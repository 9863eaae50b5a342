//===- Answers.h - Facts from the optimizer's answers -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_FACTS_ANSWERS_H
#define MPISPEC_FACTS_ANSWERS_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Frontend/HandleProbe.h"
#include "llvm/IR/PassManager.h"

namespace mpispec {

/// Joins the answers in all copies of each site's call in the optimized module \p M.
std::vector<SiteFacts> readAnswers(llvm::Module &M, llvm::ArrayRef<CallSite> Sites,
                                   const Handles &Values, llvm::FunctionAnalysisManager &Analyses);

/// The warnings that hold in all copies of each watched call (CallSiteCollector.h).
std::vector<std::vector<ArgumentWarning>> readWarnings(llvm::Module &M,
                                                       llvm::ArrayRef<CallSite> Watched,
                                                       const Handles &Values,
                                                       llvm::FunctionAnalysisManager &Analyses);

} // namespace mpispec
#endif
