//===- LintCommand.cpp - mpispec lint ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   readSourcesRequest   the sources, and how each is compiled
//   analyseSources       an analysis of each (SourceAnalyses.h); its report is JSON
//   findingsOf           the content of the reports, each finding once
//   triage               which of them are new (Lint/Triage.h)
//   print                lines as compilers write them, JSON or SARIF
//
// If a source cannot be checked, a message names it. The other sources are checked.
//
//===------------------------------------------------------------------------------------------===//
#include "LintCommand.h"
#include "Lint/Baseline.h"
#include "Lint/Triage.h"
#include "Lint/UnmatchedTags.h"
#include "Lint/Wrappers.h"
#include "SourceAnalyses.h"
#include "Support/TextLayout.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mpispec {

/// The exit statuses, like those of diff.
enum LintStatus : int { Clean = 0, Found = 1, Incomplete = 2 };

static int fail(const Twine &Message) {
  errs() << "mpispec: error: " << Message << '\n';
  return Incomplete;
}

static int fail(Error E) {
  handleAllErrors(std::move(E), [](const ErrorInfoBase &Info) { fail(Info.message()); });
  return Incomplete;
}

//===- The request ---------------------------------------------------------------------------===//

namespace {
enum class LintFormat : uint8_t { Text, JSON, Sarif };

struct LintOptions {
  LintFormat Format = LintFormat::Text;
  TriageOptions Triage;
  std::string NewBaseline; ///< the file to write; empty: findings are printed
};
} // namespace

static LintFormat formatOf(StringRef Name) {
  return Name == "json" ? LintFormat::JSON : Name == "sarif" ? LintFormat::Sarif : LintFormat::Text;
}

static Error readChecks(StringRef Value, std::string &Checks) {
  CheckList List;
  if (Error E = List.apply(Value))
    return createStringError("in --checks: " + toString(std::move(E)));
  Checks += ("," + Value).str();
  return Error::success();
}

static std::string absolute(StringRef File) {
  SmallString<256> Path(File);
  sys::fs::make_absolute(Path);
  return Path.str().str();
}

static Error readOption(StringRef Word, LintOptions &Options) {
  auto [Name, Value] = Word.split('=');
  if (Name == "--checks")
    return readChecks(Value, Options.Triage.Checks);
  if (Name == "--format")
    Options.Format = formatOf(Value);
  else if (Name == "--baseline")
    Options.Triage.Baseline = absolute(Value);
  else
    Options.NewBaseline = absolute(Value);
  return Error::success();
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

/// Makes the names of files relative to the directory in which lint was started. The unit may be
/// compiled in another directory.
void UnitReports::placeFindings(UnitReport &Report, StringRef Directory) const {
  auto Name = [&](std::string &File) {
    SmallString<256> Full(File);
    sys::path::make_absolute(Directory, Full);
    sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
    File = fromDirectory(Start, Full);
  };
  for (LintFinding &F : Report.Findings)
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

static std::vector<LintFinding> findingsOf(const UnitReports &Units) {
  std::vector<LintFinding> Findings;
  for (const UnitReport &Report : Units.Reports)
    append_range(Findings, Report.Findings);
  findThroughWrappers(Units.Reports, Findings);
  if (Units.Left.empty())
    findUnmatchedTags(Units.Reports, Findings);
  sortFindings(Findings);
  return Findings;
}

static int statusOf(ArrayRef<LintFinding> Findings, ArrayRef<Unchecked> Left) {
  if (!Left.empty())
    return Incomplete;
  bool Warns = any_of(Findings, [](const LintFinding &F) {
    return F.State == FindingState::New && info(F.Rule).Level == "warning";
  });
  return Warns ? Found : Clean;
}

/// Prints the mistakes in files .mpispec-lint. Returns true if there are none.
static bool areGood(const LintProjects &Projects) {
  for (const std::string &Mistake : Projects.mistakes())
    errs() << "mpispec: error: " << Mistake << '\n';
  return Projects.mistakes().empty();
}

static void print(ArrayRef<LintFinding> Findings, const UnitReports &Units, LintFormat Format,
                  StringRef Page) {
  switch (Format) {
  case LintFormat::Text:
    return printFindings(Findings, outs());
  case LintFormat::JSON:
    return printFindingsJSON(Findings, Units.Left, outs());
  case LintFormat::Sarif:
    return printSarif(Findings, Units.Left, {MPISPEC_VERSION, Units.Start, Page}, outs());
  }
}

/// Prints how many findings the baseline hides, because they are easily forgotten.
static void countKnown(ArrayRef<LintFinding> Findings) {
  const size_t Known =
      count_if(Findings, [](const LintFinding &F) { return F.State == FindingState::Known; });
  if (Known)
    errs() << "mpispec lint: " << counted(Known, "finding") << " of the baseline not shown\n";
}

static int writeNewBaseline(StringRef File, ArrayRef<LintFinding> Findings,
                            ArrayRef<Unchecked> Left) {
  if (!Left.empty())
    return fail("the baseline is not written, because a source could not be checked");
  Expected<size_t> Written = writeBaseline(File, Findings);
  if (!Written)
    return fail(toString(Written.takeError()));
  errs() << "mpispec lint: wrote " << counted(*Written, "finding") << " to " << File << '\n';
  return Clean;
}

static int lintSources(const Settings &S, const Installation &Here, const SourcesRequest &R,
                       const LintOptions &Options) {
  UnitReports Units;
  LintProjects Projects;
  sys::fs::current_path(Units.Start);
  Projects.of("."); // a mistake in the project's file is found before the work
  if (!areGood(Projects))
    return Incomplete;
  auto Take = [&](const SourceOutcome &Source) {
    Units.take(Source);
    SmallString<256> File(Source.Name);
    sys::path::make_absolute(Units.Start, File);
    Projects.of(File);
  };
  if (Error E = analyseSources(S, Here, R, "lint", Take))
    return fail(std::move(E));
  std::vector<LintFinding> Findings = findingsOf(Units);
  if (Error E = triage(Findings, Options.Triage, Projects))
    return fail(std::move(E));
  for (const Unchecked &U : Units.Left)
    errs() << "mpispec: error: cannot check '" << U.File << "': " << U.Reason << '\n';
  if (!areGood(Projects))
    return Incomplete;
  if (!Options.NewBaseline.empty())
    return writeNewBaseline(Options.NewBaseline, Findings, Units.Left);
  print(Findings, Units, Options.Format, Here.LintPage);
  if (Options.Format == LintFormat::Text && !S.Quiet)
    countKnown(Findings);
  return statusOf(Findings, Units.Left);
}

/// Completes \p Options after all words are read. If a new baseline is written, it gets all
/// findings, and no old baseline hides any. Fails if the option's baseline cannot be read.
static Error complete(LintOptions &Options) {
  if (!Options.NewBaseline.empty()) {
    Options.Triage.Baseline = Options.NewBaseline;
    Options.Triage.IgnoresBaseline = true;
  }
  if (Options.Triage.Baseline.empty() || Options.Triage.IgnoresBaseline)
    return Error::success();
  return readBaseline(Options.Triage.Baseline).takeError();
}

int lint(const Settings &S, const Installation &Here, ArrayRef<std::string> Words) {
  LintOptions Options;
  auto ReadOption = [&](ArrayRef<std::string> Words) -> Expected<size_t> {
    if (Error E = readOption(Words[0], Options))
      return E;
    return 1;
  };
  Expected<SourcesRequest> R = readSourcesRequest(Words.drop_front(), "lint", ReadOption);
  if (!R)
    return fail(toString(R.takeError()));
  if (Error E = complete(Options))
    return fail(std::move(E));
  return lintSources(S, Here, *R, Options);
}

} // namespace mpispec
