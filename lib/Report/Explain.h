//===- Explain.h - Facts about each call, as a table and as JSON ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mpispec explain` prints one entry for each call site: its template, its proven facts with their
// origins, and the facts that were missing. Totals follow. SiteKnowledge.h names the facts, and
// Rates.h counts them. In all functions Sites, Facts and Choices are parallel arrays.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REPORT_EXPLAIN_H
#define MPISPEC_REPORT_EXPLAIN_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Selection/Choice.h"

namespace mpispec {

/// The table for people, \p Width terminal columns wide, sorted by place.
void printTable(llvm::ArrayRef<CallSite> Sites, llvm::ArrayRef<SiteFacts> Facts,
                llvm::ArrayRef<Choice> Choices, unsigned Width, llvm::raw_ostream &OS);

/// An array with an object for each site (ExplainJSON.cpp has its form), sorted by place.
void printJSON(llvm::ArrayRef<CallSite> Sites, llvm::ArrayRef<SiteFacts> Facts,
               llvm::ArrayRef<Choice> Choices, llvm::raw_ostream &OS);

/// The indices of the sites, sorted by file, line, column and number.
std::vector<unsigned> orderByPlace(llvm::ArrayRef<CallSite> Sites);

} // namespace mpispec
#endif
