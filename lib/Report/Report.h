//===- Report.h - The remarks of a whole build in one table -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mpispec report DIR` reads every remark file below DIR. --mpispec-remarks=DIR writes one for each
// translation unit. The report counts each call site once, and prints totals.
//
//   *.yaml ─► readBuild() ─► Build ─► printBuild(), printBuildJSON() or printBuildHTML()
//
// The driver links this file. Therefore it uses only LLVM's Support library.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REPORT_REPORT_H
#define MPISPEC_REPORT_REPORT_H

#include "Report/Hints.h"
#include "Report/Rates.h"
#include "Report/SiteRecord.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace mpispec {

/// A call site of the program. A site in a header may occur in several translation units. Then it
/// counts with its least favourable form, and a fact counts if all units have proven it.
struct BuildSite {
  SiteRecord Record; ///< File is for display: relative to Build::Base
  unsigned Units = 1;
};

struct Build {
  std::string Base;             ///< the deepest directory that all units were compiled in or below
  unsigned Units = 0;           ///< translation units with remarks
  std::vector<BuildSite> Sites; ///< sorted by place
  std::map<std::string, std::vector<std::string>> Fallbacks; ///< remark ID to sources
};

/// Reads all *.yaml files below \p Directory. The error names the file and the line, or the remedy.
llvm::Expected<Build> readBuild(llvm::StringRef Directory);

/// Totals by function, template, missed remark and argument, \p Width terminal columns wide.
void printBuild(const Build &B, unsigned Width, llvm::raw_ostream &OS);

/// The same totals as one JSON object (ReportJSON.cpp has its schema).
void printBuildJSON(const Build &B, llvm::raw_ostream &OS);

/// The same totals, and every source with its calls, as one self-contained page for a browser.
/// \p Profile and \p Before are objects of `mpispec profile --format=json`, or null.
void printBuildHTML(const Build &B, llvm::json::Value Profile, llvm::json::Value Before,
                    llvm::raw_ostream &OS);

/// Calls readBuild(), and printBuild() or printBuildJSON().
llvm::Error printReport(llvm::StringRef Directory, unsigned Width, llvm::raw_ostream &OS,
                        bool JSON = false);

/// Calls readBuild() and printBuildHTML(). Replaces \p File as a whole. Without \p Directory the
/// page shows the profile alone. The error names the file.
llvm::Error writeReportPage(llvm::StringRef Directory, llvm::StringRef File,
                            llvm::json::Value Profile, llvm::json::Value Before);

// Parts of all output formats.

/// Sites by grade and by form: the indices are a Grade and a CallForm.
struct SiteCounts {
  unsigned OfGrade[3] = {}, OfForm[3] = {};
  unsigned all() const { return OfForm[0] + OfForm[1] + OfForm[2]; }
  unsigned operator[](Grade G) const { return OfGrade[static_cast<unsigned>(G)]; }
  unsigned operator[](CallForm F) const { return OfForm[static_cast<unsigned>(F)]; }
  void add(const SiteRecord &Record) {
    ++OfGrade[static_cast<unsigned>(Record.grade())];
    ++OfForm[static_cast<unsigned>(Record.Form)];
  }
  bool operator<(const SiteCounts &Other) const { return all() < Other.all(); }
};

struct MissedTotal {
  std::string ID, Argument;
  unsigned Sites = 0;
  std::vector<std::pair<std::string, unsigned>> Files; ///< most sites first
};

struct BuildTotals {
  SiteCounts All;
  std::map<std::string, SiteCounts> ByFunction;
  std::map<std::string, unsigned> ByTemplate;
  std::vector<MissedTotal> Missed; ///< most sites first
  std::vector<Hint> Hints;         ///< most calls first
  unsigned Warnings = 0;
  Rates Known;
};
BuildTotals totalsOf(const Build &B);

/// \p T as JSON (ReportJSON.cpp has its schema).
llvm::json::Object totalsValue(const Build &B, const BuildTotals &T);

} // namespace mpispec
#endif
