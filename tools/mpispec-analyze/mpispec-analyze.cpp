//===- mpispec-analyze.cpp - One translation unit through all stages --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver (`mpispec`) runs this program as a separate process. If the program fails in any way,
// the user's build continues. Its five commands use the stages of lib/Analysis:
//
//     analyseSource ─► explain: a table
//                      rewrite: readable source
//                      lint:    mistakes, for `mpispec lint`
//     parse ─────────► summarise: predictions for other units
//     rewriteUnit ───► unit:    preprocessed text, rewritten
//
// The result of `unit` for the driver is an exit status and one line on stdout
// (Support/AnalysisProtocol.def).
//
//===------------------------------------------------------------------------------------------===//
#include "Analysis/UnitRewriter.h"
#include "Lint/Triage.h"
#include "Lint/UnitRules.h"
#include "Predictions/FlowCollector.h"
#include "Predictions/SummaryCache.h"
#include "Report/Explain.h"
#include "Report/SiteRemarks.h"
#include "Rewrite/Rewriter.h"
#include "Support/AnalysisProtocol.h"
#include "Support/OutputFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mpispec;

//--- Command line --------------------------------------------------------------------------------

static cl::SubCommand Explain("explain", "print what is known about each call");
static cl::SubCommand Rewrite("rewrite", "print the source with its calls rewritten");
static cl::SubCommand Lint("lint", "print what is wrong with the unit's calls, as JSON");
static cl::SubCommand Summarise("summarise", "leave for other units what this one tells of them");
static cl::SubCommand Unit("unit", "rewrite preprocessed text; for the driver");

static cl::list<std::string> ClangArguments(cl::Positional, cl::desc("-- <clang arguments>"),
                                            cl::sub(Explain), cl::sub(Rewrite), cl::sub(Lint),
                                            cl::sub(Summarise), cl::sub(Unit));
static cl::opt<std::string> Checks(AnalysisOption::Checks.Word,
                                   cl::desc(AnalysisOption::Checks.Meaning), cl::sub(Explain),
                                   cl::sub(Rewrite), cl::sub(Unit));
static cl::opt<bool> InlineAll(AnalysisOption::InlineAll.Word,
                               cl::desc(AnalysisOption::InlineAll.Meaning), cl::sub(Explain),
                               cl::sub(Rewrite), cl::sub(Unit));
static cl::opt<std::string> ProfileIndex(AnalysisOption::ProfileIndex.Word,
                                         cl::desc(AnalysisOption::ProfileIndex.Meaning),
                                         cl::sub(Explain), cl::sub(Rewrite), cl::sub(Unit));
static cl::opt<std::string> Output(AnalysisOption::Output.Word,
                                   cl::desc(AnalysisOption::Output.Meaning), cl::sub(Unit));

enum class Stage { None, Sites, Facts, Predictions, Choices };
static cl::opt<Stage>
    Print("print", cl::desc("print what passes between two stages"), cl::sub(Explain),
          cl::sub(Rewrite),
          cl::values(clEnumValN(Stage::Sites, "sites", "call sites as written"),
                     clEnumValN(Stage::Facts, "facts", "what is proven about each"),
                     clEnumValN(Stage::Predictions, "predictions", "what is likely of each"),
                     clEnumValN(Stage::Choices, "choices", "the template of each")),
          cl::init(Stage::None));

enum class Format { Table, JSON };
static cl::opt<Format> OutputFormat("format", cl::desc("how explain prints"), cl::sub(Explain),
                                    cl::values(clEnumValN(Format::Table, "table", "for people"),
                                               clEnumValN(Format::JSON, "json", "for tools")),
                                    cl::init(Format::Table));
static cl::opt<unsigned> Width("width", cl::desc("columns of the table; 0: the terminal's"),
                               cl::sub(Explain), cl::init(0));

static cl::opt<std::string> Preprocessed(AnalysisOption::Preprocessed.Word,
                                         cl::desc(AnalysisOption::Preprocessed.Meaning),
                                         cl::sub(Unit), cl::Required);
static cl::opt<bool> CheckFacts(AnalysisOption::CheckFacts.Word,
                                cl::desc(AnalysisOption::CheckFacts.Meaning), cl::sub(Unit));
static cl::opt<bool> CheckIndentation(AnalysisOption::CheckIndentation.Word,
                                      cl::desc(AnalysisOption::CheckIndentation.Meaning),
                                      cl::sub(Unit));
static cl::opt<std::string> RemarkFile(AnalysisOption::Remarks.Word,
                                       cl::desc(AnalysisOption::Remarks.Meaning), cl::sub(Unit));
static cl::opt<TextDialect>
    UserCompiler(AnalysisOption::UserCompiler.Word, cl::desc(AnalysisOption::UserCompiler.Meaning),
                 cl::sub(Unit),
                 cl::values(clEnumValN(TextDialect::Gcc, AnalysisCompiler::Gcc.Word,
                                       AnalysisCompiler::Gcc.Meaning),
                            clEnumValN(TextDialect::Clang, AnalysisCompiler::Clang.Word,
                                       AnalysisCompiler::Clang.Meaning)),
                 cl::init(TextDialect::Gcc));
static cl::list<std::string> Gcc(AnalysisOption::Gcc.Word, cl::desc(AnalysisOption::Gcc.Meaning),
                                 cl::sub(Unit));

static AnalysisOptions analysisOptions() {
  AnalysisOptions Options;
  Options.Arguments = ClangArguments;
  Options.ProfileIndex = ProfileIndex;
  Options.InlineAll = InlineAll;
  return Options;
}

//--- Messages ------------------------------------------------------------------------------------

/// The proven mistakes in arguments.
static std::vector<LintFinding> argumentFindings(const AnalysedUnit &Unit) {
  std::vector<LintFinding> Findings;
  for (auto [Call, W] : Unit.warnings())
    Findings.push_back({LintRule::Arguments,
                        {Call->File, Call->Line, Call->Column},
                        Call->Callee + ": " + W->Message});
  return Findings;
}

/// Prints the mistakes that the project has not suppressed, in the form of compiler warnings.
static void warnAboutArguments(const AnalysedUnit &Unit) {
  std::vector<LintFinding> Findings = argumentFindings(Unit);
  if (Findings.empty() || Checks == "-*")
    return;
  LintProjects Projects;
  TriageOptions Options;
  Options.Checks = Checks;
  if (Error E = triage(Findings, Options, Projects))
    handleAllErrors(std::move(E), [](const ErrorInfoBase &Info) {
      errs() << "mpispec: warning: " << Info.message() << '\n';
    });
  for (const std::string &Mistake : Projects.mistakes())
    errs() << "mpispec: warning: " << Mistake << '\n';
  printFindings(Findings, errs());
}

/// Prints why a profile cannot be used, or can be used only for a part of the unit.
static void warnAboutProfile(const AnalysedUnit &Unit) {
  for (const std::string &Warning : Unit.ProfileWarnings)
    errs() << "mpispec: warning: --mpispec-profile-use: " << Warning << '\n';
}

static int fail(Error E) {
  errs() << "mpispec: error: " << toString(std::move(E)) << '\n';
  return 1;
}

/// Prints the stage that `--print` selects. Returns false without this option.
static bool printStage(const AnalysedUnit &Unit) {
  switch (Print) {
  case Stage::None:
    return false;
  case Stage::Sites:
    print(Unit.Parsed->Sites, outs());
    return true;
  case Stage::Facts:
    print(Unit.Facts, outs());
    return true;
  case Stage::Predictions:
    printPredictions(Unit.Facts, outs());
    return true;
  case Stage::Choices:
    print(Unit.Choices, outs());
    return true;
  }
  llvm_unreachable("unknown stage");
}

//--- explain -------------------------------------------------------------------------------------

static unsigned tableWidth() {
  if (Width)
    return Width;
  unsigned Columns = sys::Process::StandardOutColumns();
  return Columns ? Columns : 100;
}

static int explain() {
  Expected<AnalysedUnit> Unit = analyseSource(analysisOptions());
  if (!Unit)
    return fail(Unit.takeError());
  if (printStage(*Unit))
    return 0;
  warnAboutProfile(*Unit);
  ArrayRef<CallSite> Sites = Unit->Parsed->Sites;
  if (OutputFormat == Format::JSON)
    printJSON(Sites, Unit->Facts, Unit->Choices, outs());
  else
    printTable(Sites, Unit->Facts, Unit->Choices, tableWidth(), outs());
  return 0;
}

//--- rewrite -------------------------------------------------------------------------------------

static int rewrite() {
  Expected<AnalysedUnit> Unit = analyseSource(analysisOptions());
  if (!Unit)
    return fail(Unit.takeError());
  if (printStage(*Unit))
    return 0;
  warnAboutArguments(*Unit);
  warnAboutProfile(*Unit);
  std::vector<std::string> Untouched;
  ParsedUnit &Parsed = *Unit->Parsed;
  auto Text = rewriteSource(Parsed.sources(), Parsed.compiler().getLangOpts(), Parsed.MainFileSize,
                            Unit->sites(), Untouched);
  if (!Text)
    return fail(Text.takeError());
  for (const std::string &Line : Untouched)
    errs() << "mpispec: left as it is: " << Line << '\n';
  outs() << *Text;
  return 0;
}

//--- lint ----------------------------------------------------------------------------------------

static UnitReport reportOf(const AnalysedUnit &Unit) {
  UnitReport Report;
  Report.Findings = argumentFindings(Unit);
  UnitCalls Calls(*Unit.Parsed, Unit.Facts);
  findLostRequests(Calls, Report.Findings);
  findLeaks(Calls, Report.Findings);
  findRankDependentArguments(Calls, Report.Findings);
  findBranchMistakes(Calls, Report.Findings);
  findRanksBeyondSize(Calls, Report.Findings);
  summariseWrappers(Calls, Report);
  readMessageEnds(Calls, Report);
  return Report;
}

static int lint() {
  UnitReport Report;
  if (Expected<AnalysedUnit> Unit = analyseSource(analysisOptions()))
    Report = reportOf(*Unit);
  else
    handleAllErrors(Unit.takeError(), [&](const Fallback &F) { Report.Error = F.Text; });
  outs() << json::Value(Report) << '\n';
  return 0;
}

/// Ends the process without freeing the unit, because that would take as long as some stages.
[[noreturn]] static void leave(int Status) {
  outs().flush();
  errs().flush();
  sys::Process::Exit(Status, /*NoCleanup=*/true);
}

//--- summarise -----------------------------------------------------------------------------------

static int summarise() {
  std::vector<std::string> Arguments = {NoDelayedTemplates.str()};
  Arguments.insert(Arguments.end(), ClangArguments.begin(), ClangArguments.end());
  auto Parsed = parse(Arguments, [](clang::Preprocessor &, unsigned) {});
  if (!Parsed)
    return fail(Parsed.takeError());
  SummaryCache Cache = SummaryCache::ofSource((*Parsed)->MainFile);
  if (!Cache.write(collectFlows(**Parsed)))
    return fail(createStringError("cannot write to the cache '" + Cache.directory() +
                                  "'; let MPISPEC_CACHE name a directory that can be written to"));
  leave(0);
}

//--- unit ----------------------------------------------------------------------------------------

static int cannotAnalyse(RemarkID Remark, StringRef Text) {
  AnalysisAnswer A;
  A.K = AnalysisAnswer::Failed;
  A.Reason = text(Remark).str();
  A.Text = Text.str();
  outs() << writeAnswer(A);
  return AnalysisStatus::CannotAnalyse;
}

/// Prints the remark of \p E if it is a Fallback, otherwise \p Remark.
static int cannotAnalyse(Error E, RemarkID Remark) {
  int Status = AnalysisStatus::CannotAnalyse;
  handleAllErrors(
      std::move(E), [&](const Fallback &F) { Status = cannotAnalyse(F.Remark, F.Text); },
      [&](const ErrorInfoBase &Other) { Status = cannotAnalyse(Remark, Other.message()); });
  return Status;
}

/// Writes \p Text to the output file as a whole, or not at all.
static Error write(StringRef Text) {
  return writeOutputFile(Output, [&](raw_ostream &OS) { OS << Text; });
}

static std::string answerOf(const RewriteResult &R) {
  AnalysisAnswer A;
  A.Sites = R.Unit.Parsed->Sites.size();
  A.Rewritten = R.Unit.rewritten();
  A.Inline = R.Unit.ofForm(CallForm::Inline);
  A.Ordinary = R.Unit.ofForm(CallForm::Ordinary);
  A.HasDiagnostics = R.MayHaveDiagnostics;
  return writeAnswer(A);
}

static UnitRewriteOptions rewriteOptions() {
  UnitRewriteOptions Options;
  Options.Analysis = analysisOptions();
  Options.UserCompiler = UserCompiler;
  Options.Gcc = Gcc;
  Options.CheckFacts = CheckFacts;
  Options.CheckIndentation = CheckIndentation;
  return Options;
}

static int unit() {
  auto Original = MemoryBuffer::getFile(Preprocessed);
  if (!Original)
    return cannotAnalyse(RemarkID::FallbackPreprocessFailed,
                         Preprocessed + ": " + Original.getError().message());
  auto Result = rewriteUnit((*Original)->getBuffer(), rewriteOptions());
  if (!Result)
    return cannotAnalyse(Result.takeError(), RemarkID::FallbackParseError);
  const AnalysedUnit &Unit = Result->Unit;
  unsigned Rewritten = Unit.rewritten();
  if (Rewritten)
    if (Error E = write(Result->NewText))
      return cannotAnalyse(std::move(E), RemarkID::FallbackTemporaryFiles);
  warnAboutArguments(Unit);
  warnAboutProfile(Unit);
  ArrayRef<CallSite> Sites = Unit.Parsed->Sites;
  if (!RemarkFile.empty())
    if (Error E = writeRemarkFile(RemarkFile, toRemarks(Sites, Unit.Facts, Unit.Choices)))
      errs() << "mpispec: warning: " << toString(std::move(E)) << '\n';
  SummaryCache::ofSource(Unit.Parsed->MainFile).write(Unit.OfUnit);
  outs() << answerOf(*Result);
  leave(Rewritten ? AnalysisStatus::Rewritten : AnalysisStatus::NothingToRewrite);
}

static int runCommand() {
  if (Explain)
    return explain();
  if (Rewrite)
    return rewrite();
  if (Summarise)
    return summarise();
  if (Lint)
    return lint();
  if (Unit)
    return unit();
  errs() << "mpispec-analyze: error: no command; run `mpispec` instead\n";
  return 1;
}

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "mpispec-analyze: the analysis behind mpispec\n");
  return endOutput(runCommand());
}
