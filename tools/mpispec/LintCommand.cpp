//===- LintCommand.cpp - mpispec lint ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   readRequest     the sources, and how each is compiled
//   UnitReports     an analysis of each (SourceAnalyses.h); its report is JSON
//   findings        the content of the reports, each finding once
//   print           lines as compilers write them, or SARIF
//
// If a source cannot be checked, a message names it and the others are checked.
//
//===------------------------------------------------------------------------------------------===//
#include "LintCommand.h"
#include "Help.h"
#include "Lint/UnmatchedTags.h"
#include "Lint/Wrappers.h"
#include "SourceAnalyses.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mpispec {

/// The exit statuses, as grep has them.
enum LintStatus : int { Clean = 0, Found = 1, Incomplete = 2 };

static int fail(const Twine &Message) {
  errs() << "mpispec: error: " << Message << '\n';
  return Incomplete;
}

//===- What is asked -------------------------------------------------------------------------===//

static Expected<size_t> readFormat(StringRef Word, bool &Sarif) {
  auto [Name, Value] = Word.split('=');
  if (Name != "--format")
    return unknownOption(Word, "lint", {"-p", "-j", "--format", "--help"});
  if (Value != "sarif" && Value != "text")
    return createStringError("option '--format' cannot be '" + Value +
                             "'; it is text, as compilers write warnings, or sarif");
  Sarif = Value == "sarif";
  return 1;
}

//===- A report of each unit -----------------------------------------------------------------===//

namespace {
struct UnitReports {
  std::vector<UnitReport> Reports;
  std::vector<Unchecked> Left;
  SmallString<256> Start; ///< where lint was started

  void take(const SourceOutcome &Source);
  void placeFindings(UnitReport &Report, StringRef Directory) const;
};
} // namespace

/// Names files as seen from where lint was started, whatever directory the unit is compiled in.
void UnitReports::placeFindings(UnitReport &Report, StringRef Directory) const {
  auto Name = [&](std::string &File) {
    SmallString<256> Full(File);
    sys::path::make_absolute(Directory, Full);
    sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
    File = fromDirectory(Start, Full);
  };
  for (Finding &F : Report.Findings)
    Name(F.Where.File);
  for (FunctionCall &C : Report.Calls)
    Name(C.Where.File);
  for (MessageEnd &E : Report.Ends)
    Name(E.Where.File);
  for (GivenNumbers &Numbers : Report.Given)
    for (GivenNumber &N : Numbers.Numbers)
      Name(N.Where.File);
}

void UnitReports::take(const SourceOutcome &Source) {
  if (!Source.Failure.empty())
    return Left.push_back({Source.Name, Source.Failure});
  Expected<UnitReport> Report = json::parse<UnitReport>(Source.Answer);
  if (!Report)
    return Left.push_back({Source.Name, "the analysis gave no answer: " +
                                            toString(Report.takeError()) + "; please report this"});
  if (!Report->Error.empty())
    return Left.push_back({Source.Name, Report->Error});
  placeFindings(*Report, Source.Directory);
  Reports.push_back(std::move(*Report));
}

//===- The whole -----------------------------------------------------------------------------===//

static std::vector<Finding> findingsOf(const UnitReports &Units) {
  std::vector<Finding> Findings;
  for (const UnitReport &Report : Units.Reports)
    append_range(Findings, Report.Findings);
  findThroughWrappers(Units.Reports, Findings);
  if (Units.Left.empty())
    findUnmatchedTags(Units.Reports, Findings);
  sortFindings(Findings);
  return Findings;
}

static int statusOf(ArrayRef<Finding> Findings, ArrayRef<Unchecked> Left) {
  if (!Left.empty())
    return Incomplete;
  bool Warns = any_of(Findings, [](const Finding &F) { return info(F.Rule).Level == "warning"; });
  return Warns ? Found : Clean;
}

static int lintSources(const Settings &S, const Installation &Here, const SourcesRequest &R,
                       bool Sarif) {
  UnitReports Units;
  sys::fs::current_path(Units.Start);
  auto Take = [&](const SourceOutcome &Source) { Units.take(Source); };
  if (Error E = analyseSources(S, Here, R, "lint", Take))
    return fail(toString(std::move(E)));
  std::vector<Finding> Findings = findingsOf(Units);
  for (const Unchecked &U : Units.Left)
    errs() << "mpispec: error: cannot check '" << U.File << "': " << U.Reason << '\n';
  if (Sarif)
    printSarif(Findings, Units.Left, MPISPEC_VERSION, Units.Start, outs());
  else
    printFindings(Findings, outs());
  return statusOf(Findings, Units.Left);
}

int lint(const Settings &S, const Installation &Here, ArrayRef<std::string> Words) {
  if (asksForHelp(Words)) {
    printSubcommandHelp(Words[0], outs());
    return Clean;
  }
  bool Sarif = false;
  auto ReadOption = [&](ArrayRef<std::string> Words) { return readFormat(Words[0], Sarif); };
  Expected<SourcesRequest> R = readSourcesRequest(Words.drop_front(), "lint", ReadOption);
  return R ? lintSources(S, Here, *R, Sarif) : fail(toString(R.takeError()));
}

} // namespace mpispec
