//===- Explain.h - What is known about each call, for people and for tools --------------------===//
//
// `mpispec explain`: one entry a call site with its template, its proven facts and where each comes
// from, and what blocked more; then totals. SiteKnowledge.h names the facts, Rates.h counts them.
// In all functions Sites, Facts and Choices are parallel.
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

/// The order in which a person meets the sites: by file, line, column and number. Gives indices.
std::vector<unsigned> orderByPlace(llvm::ArrayRef<CallSite> Sites);

} // namespace mpispec
#endif
