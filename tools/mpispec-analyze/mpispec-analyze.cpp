//===- mpispec-analyze.cpp - One translation unit through all stages --------------------------===//
//
// The driver (`mpispec`) runs this program, a process of its own: whatever happens in here, the
// user's build goes on. Five commands, one flow:
//
//     parse ─► proveFacts ─► predict ─► selectTemplates ─► explain: a table
//                                               rewrite: readable source
//                                               lint:    mistakes, for `mpispec lint`
//                                               summarise: what it tells other units
//                                               unit:    preprocessed text, rewritten
//
// `unit` talks to the driver by its exit status and one line on stdout
// (Support/AnalysisProtocol.def).
//
//===------------------------------------------------------------------------------------------===//
#include "Facts/Prove.h"
#include "Frontend/Indentation.h"
#include "Frontend/UnusedPrototypes.h"
#include "Lint/UnitRules.h"
#include "Predictions/FlowCollector.h"
#include "Predictions/Predict.h"
#include "Predictions/RunPredictions.h"
#include "Predictions/SummaryCache.h"
#include "Profile/ProfileIndex.h"
#include "Report/Explain.h"
#include "Report/SiteRemarks.h"
#include "Rewrite/FileMacro.h"
#include "Rewrite/GccIdentity.h"
#include "Rewrite/Integrity.h"
#include "Rewrite/ReadableText.h"
#include "Rewrite/Rewriter.h"
#include "Selection/Selector.h"
#include "Support/AnalysisProtocol.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>

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
static cl::opt<bool> NoWarnings(AnalysisOption::NoWarnings.Word,
                                cl::desc(AnalysisOption::NoWarnings.Meaning), cl::sub(Explain),
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

//--- Stages --------------------------------------------------------------------------------------

namespace {
/// One translation unit with everything that the stages found out about it.
struct AnalysedUnit {
  std::unique_ptr<ParsedUnit> Parsed;
  std::vector<SiteFacts> Facts;
  std::vector<std::vector<ArgumentWarning>> Watched;
  std::vector<Choice> Choices;
  std::vector<std::string> ProfileWarnings;
  Flows OfUnit;

  SpecialisedSites sites() const {
    return {Parsed->Sites, Facts, Choices, Parsed->Values.elements(), Parsed->Values.style()};
  }
  unsigned rewritten() const {
    return count_if(Choices, [](const Choice &C) { return C.isRewritten(); });
  }
  unsigned ofForm(CallForm F) const {
    return count_if(Choices, [&](const Choice &C) { return C.Form == F; });
  }
};
} // namespace

/// Adds the predictions of the profile that --profile-index names; returns warnings about it.
static std::vector<std::string> useProfile(const ParsedUnit &Parsed,
                                           std::vector<SiteFacts> &Facts) {
  Expected<RunProfile> Run = readProfileIndex(ProfileIndex);
  if (!Run)
    return {toString(Run.takeError()) + "; remove it and it is made again"};
  return predictFromRun(Parsed.Sites, Parsed.Values, *Run, Facts);
}

static Expected<AnalysedUnit> analyse(PreprocessorHook Hook, ArrayRef<std::string> Leniences = {},
                                      OwnText *Own = nullptr) {
  AnalysedUnit Unit;
  std::vector<std::string> Arguments(Leniences);
  Arguments.insert(Arguments.end(), ClangArguments.begin(), ClangArguments.end());
  auto Parsed = parse(Arguments, Hook, Own);
  if (!Parsed)
    return Parsed.takeError();
  Unit.Parsed = std::move(*Parsed);
  Unit.OfUnit = collectFlows(*Unit.Parsed);
  ProvenFacts Proven = proveFacts(*Unit.Parsed);
  Unit.Facts = std::move(Proven.Sites);
  Unit.Watched = std::move(Proven.Watched);
  auto ReadOthers = [&] { return SummaryCache::ofSource(Unit.Parsed->MainFile).readOthers(); };
  predict(Unit.Parsed->Sites, Unit.Parsed->Values, Unit.OfUnit, ReadOthers, Unit.Facts);
  if (!ProfileIndex.empty())
    Unit.ProfileWarnings = useProfile(*Unit.Parsed, Unit.Facts);
  Unit.Choices = selectTemplates(Unit.Parsed->Sites, Unit.Facts, InlineAll);
  return Unit;
}

static Expected<AnalysedUnit> analyseWithoutTokens() {
  auto Nothing = [](clang::Preprocessor &, unsigned) {};
  Expected<AnalysedUnit> First = analyse(Nothing);
  if (First)
    return First;
  consumeError(First.takeError());
  return analyse(Nothing, {NoDelayedTemplates.str()});
}

/// Proven mistakes with their calls, in the text's order; those of one call in its array's.
static std::vector<std::pair<const CallSite *, const ArgumentWarning *>>
warningsOf(const AnalysedUnit &Unit) {
  std::vector<std::pair<const CallSite *, const ArgumentWarning *>> Warnings;
  auto Collect = [&](const CallSite &Call, ArrayRef<ArgumentWarning> OfCall) {
    for (const ArgumentWarning &W : OfCall)
      Warnings.push_back({&Call, &W});
  };
  for (auto [Site, Facts] : zip(Unit.Parsed->Sites, Unit.Facts))
    Collect(Site, Facts.Warnings);
  for (auto [Call, OfCall] : zip(Unit.Parsed->Watched, Unit.Watched))
    Collect(Call, OfCall);
  sort(Warnings, [](const auto &A, const auto &B) {
    return std::tie(A.first->File, A.first->Line, A.first->Column, A.second) <
           std::tie(B.first->File, B.first->Line, B.first->Column, B.second);
  });
  return Warnings;
}

/// Prints proven mistakes at their calls, in the form of the compilers' own warnings.
static void warnAboutArguments(const AnalysedUnit &Unit) {
  if (NoWarnings)
    return;
  for (auto [Call, W] : warningsOf(Unit))
    errs() << Call->File << ':' << Call->Line << ':' << Call->Column
           << ": warning: " << Call->Callee << ": " << W->Message << " [mpispec-args]\n";
}

/// Prints why a profile cannot be used, or not for all of the unit.
static void warnAboutProfile(const AnalysedUnit &Unit) {
  for (const std::string &Warning : Unit.ProfileWarnings)
    errs() << "mpispec: warning: --mpispec-profile-use: " << Warning << '\n';
}

static int fail(Error E) {
  errs() << "mpispec: error: " << toString(std::move(E)) << '\n';
  return 1;
}

/// Prints what `--print` asks for; false if it asks for nothing.
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
  Expected<AnalysedUnit> Unit = analyseWithoutTokens();
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
  Expected<AnalysedUnit> Unit = analyseWithoutTokens();
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
  for (auto [Call, W] : warningsOf(Unit))
    Report.Findings.push_back({LintRule::Arguments,
                               {Call->File, Call->Line, Call->Column},
                               Call->Callee + ": " + W->Message});
  UnitCalls Calls(*Unit.Parsed, Unit.Facts);
  findLostRequests(Calls, Report.Findings);
  findBranchMistakes(Calls, Report.Findings);
  summariseWrappers(Calls, Report);
  readMessageEnds(Calls, Report);
  return Report;
}

static int lint() {
  UnitReport Report;
  if (Expected<AnalysedUnit> Unit = analyseWithoutTokens())
    Report = reportOf(*Unit);
  else
    handleAllErrors(Unit.takeError(), [&](const Fallback &F) { Report.Error = F.Text; });
  outs() << json::Value(Report) << '\n';
  return 0;
}

/// Ends the process without freeing the unit node by node: that takes as long as some stages.
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

/// A Fallback names its remark; any other error is one about \p Remark.
static int cannotAnalyse(Error E, RemarkID Remark) {
  int Status = AnalysisStatus::CannotAnalyse;
  handleAllErrors(
      std::move(E), [&](const Fallback &F) { Status = cannotAnalyse(F.Remark, F.Text); },
      [&](const ErrorInfoBase &Other) { Status = cannotAnalyse(Remark, Other.message()); });
  return Status;
}

/// Writes \p Text to the output file as a whole, or not at all.
static Error write(StringRef Text) {
  return writeToOutput(Output, [&](raw_ostream &OS) {
    OS << Text;
    return Error::success();
  });
}

namespace {
/// How the unit is read.
struct Reading {
  /// Gcc is asked what it says of itself.
  bool AsksGcc = false;
  /// A template that nobody instantiates may be wrong, as long as its brackets match.
  bool DelaysTemplates = false;
  /// Prototypes of MPI that the user's compiler's text never uses are left unread, and templates of
  /// the C++ library until they are instantiated.
  bool LeavesOutUnused = false;
};

/// What became of a unit.
struct Outcome {
  AnalysedUnit Unit;
  std::string NewText; ///< empty: nothing to rewrite
  /// Clang has not read the source itself, so what it would have warned of nobody knows.
  bool FromOwnText = false;
};
} // namespace

static void readLikeGcc(clang::Preprocessor &PP, StringRef Text, GccQuestions *Questions) {
  if (!Questions || !readUserTextAsGcc(PP, *Questions))
    if (std::optional<GccVersion> Version = gccVersionOf(Text))
      readUserTextAsGcc(PP, *Version);
  nameFilesLikeGcc(PP, Text);
}

/// The leniences that \p How asks for, as options.
static std::vector<std::string> leniences(const Reading &How) {
  if (How.DelaysTemplates)
    return {"-fdelayed-template-parsing"};
  if (!How.LeavesOutUnused)
    return {NoDelayedTemplates.str()};
  return {};
}

/// Writes the new text of a unit that was parsed as \p Tokens, or from \p OwnText on.
static Expected<Outcome> rewriteText(StringRef Text, AnalysedUnit Unit, const TokenStream &Tokens,
                                     clang::SourceLocation OwnText = {}) {
  Outcome Result;
  Result.Unit = std::move(Unit);
  if (!Result.Unit.rewritten())
    return Result;
  RewriteContext Context;
  Context.Dialect = UserCompiler;
  Context.Language = Result.Unit.Parsed->compiler().getLangOpts();
  Context.CheckFacts = CheckFacts;
  Context.OwnText = OwnText;
  auto NewText = rewritePreprocessed(Text, Tokens, Result.Unit.sites(), Context);
  if (!NewText)
    return make_error<Fallback>(RemarkID::FallbackPreprocessedDifferently,
                                toString(NewText.takeError()));
  if (Error E = checkIntegrity(Text, *NewText, Result.Unit.Parsed->Sites, Result.Unit.Choices,
                               Context.Language))
    return make_error<Fallback>(RemarkID::FallbackIntegrity, toString(std::move(E)));
  Result.NewText = preprocessedWithoutUnusedPrototypes(*NewText);
  return Result;
}

/// Specialises a unit by reading its source. \p Language gets what it is written in.
static Expected<Outcome> specialise(StringRef Text, Reading How, clang::LangOptions &Language) {
  TokenStream Tokens;
  std::unique_ptr<GccQuestions> Questions;
  auto Hook = [&](clang::Preprocessor &PP, unsigned MainFileEnd) {
    Language = PP.getLangOpts();
    if (How.AsksGcc)
      Questions = std::make_unique<GccQuestions>(Gcc, PP.getLangOpts().CPlusPlus);
    if (How.LeavesOutUnused)
      leaveOutUnusedPrototypes(PP, Text);
    if (UserCompiler == TextDialect::Gcc)
      readLikeGcc(PP, Text, Questions.get());
    recordTokens(PP, Tokens, UserCompiler, MainFileEnd);
  };
  auto Unit = analyse(Hook, leniences(How));
  if (!Unit)
    return Unit.takeError();
  return rewriteText(Text, std::move(*Unit), Tokens);
}

/// Adds the calls in functions that were taken out of the text, so that remarks tell of them as
/// well.
static void addCallsTakenOut(AnalysedUnit &Unit, const ReadableText &Text) {
  std::vector<CallSite> &Sites = Unit.Parsed->Sites;
  for (CallSite &Call : Text.callsTakenOut(Sites.size())) {
    SiteFacts Nothing;
    Nothing.Site = Call.Number;
    Unit.Choices.push_back(selectTemplates(Call, Nothing, InlineAll).front());
    Unit.Facts.push_back(std::move(Nothing));
    Sites.push_back(std::move(Call));
  }
}

/// Specialises a unit by reading the user's compiler's text; what Clang cannot read is taken out of
/// it.
static Expected<Outcome> specialiseOwnText(StringRef Text, Reading How,
                                           const clang::LangOptions &Language) {
  constexpr unsigned MostRounds = 8;
  constexpr std::clock_t Enough = 10 * CLOCKS_PER_SEC; // then no further round
  ReadableText Readable(Text, Language);
  auto Hook = [](clang::Preprocessor &PP, unsigned) { knowFloatTypesOfGcc(PP); };
  for (unsigned Round = 1;; ++Round) {
    OwnText Own{Readable.text(), Readable.isWhole(), {}};
    auto Unit = analyse(Hook, leniences(How), &Own);
    if (Unit) {
      const clang::SourceManager &Sources = Unit->Parsed->sources();
      auto Result = rewriteText(Text, std::move(*Unit), TokenStream(),
                                Sources.getLocForStartOfFile(Sources.getMainFileID()));
      if (Result) {
        addCallsTakenOut(Result->Unit, Readable);
        Result->FromOwnText = true;
      }
      return Result;
    }
    if (Round == MostRounds || std::clock() > Enough || !Readable.takeOut(Own.Errors))
      return Unit.takeError();
    consumeError(Unit.takeError());
  }
}

/// May the user's compiler have a diagnostic for the source that it has not for the text?
static bool mayHaveDiagnostics(const Outcome &O) {
  bool OfSource = CheckIndentation || UserCompiler == TextDialect::Clang;
  return O.Unit.Parsed->Warnings || (O.FromOwnText && OfSource) ||
         (CheckIndentation && mayMislead(O.Unit.Parsed->compiler().getASTContext()));
}

/// The one Fallback that \p E is.
static Fallback reasonOf(Error E) {
  Fallback Reason(RemarkID::FallbackParseError, "");
  handleAllErrors(std::move(E), [&](const Fallback &F) { Reason = F; });
  return Reason;
}

/// Specialises a unit in the usual way; once more with nothing left out, where Clang reads a call
/// that the user's compiler does not, and so has no prototype for it, or where a template of the
/// C++ library means something else behind all of the unit.
static Expected<Outcome> specialiseInUsualWay(StringRef Text, clang::LangOptions &Language) {
  Reading How;
  How.LeavesOutUnused = true;
  Expected<Outcome> First = specialise(Text, How, Language);
  if (First)
    return First;
  Fallback Reason = reasonOf(First.takeError());
  StringRef Error = Reason.Text;
  if (Reason.Remark == RemarkID::FallbackParseError &&
      (Error.contains("MPI") || Error.contains("/c++/")))
    return specialise(Text, Reading(), Language);
  return make_error<Fallback>(Reason);
}

/// Specialises a unit in the usual way; if that fails, by asking gcc and with more leniency; at
/// last from the user's compiler's own text. If nothing helps, the first reason stands.
static Expected<Outcome> specialiseSomehow(StringRef Text) {
  clang::LangOptions Language;
  Expected<Outcome> First = specialiseInUsualWay(Text, Language);
  if (First)
    return First;
  Fallback Reason = reasonOf(First.takeError());
  bool IsParseError = Reason.Remark == RemarkID::FallbackParseError;
  if (!IsParseError && Reason.Remark != RemarkID::FallbackPreprocessedDifferently)
    return make_error<Fallback>(Reason);
  Reading How{/*AsksGcc=*/true, IsParseError};
  if (UserCompiler == TextDialect::Gcc && !Gcc.empty()) {
    Expected<Outcome> Second = specialise(Text, How, Language);
    if (Second)
      return Second;
    consumeError(Second.takeError());
  }
  Expected<Outcome> Third = specialiseOwnText(Text, How, Language);
  bool IsLost = Third && !Third->Unit.rewritten() && !Third->Unit.Parsed->Sites.empty();
  if (Third && !IsLost)
    return Third;
  if (!Third)
    consumeError(Third.takeError());
  return make_error<Fallback>(Reason);
}

static std::string answerOf(const Outcome &O) {
  AnalysisAnswer A;
  A.Sites = O.Unit.Parsed->Sites.size();
  A.Rewritten = O.Unit.rewritten();
  A.Inline = O.Unit.ofForm(CallForm::Inline);
  A.Ordinary = O.Unit.ofForm(CallForm::Ordinary);
  A.HasDiagnostics = mayHaveDiagnostics(O);
  return writeAnswer(A);
}

static int rewriteUnit() {
  auto Original = MemoryBuffer::getFile(Preprocessed);
  if (!Original)
    return cannotAnalyse(RemarkID::FallbackPreprocessFailed,
                         Preprocessed + ": " + Original.getError().message());
  auto Result = specialiseSomehow((*Original)->getBuffer());
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

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "mpispec-analyze: the analysis behind mpispec\n");
  if (Explain)
    return explain();
  if (Rewrite)
    return rewrite();
  if (Summarise)
    return summarise();
  if (Lint)
    return lint();
  if (Unit)
    return rewriteUnit();
  errs() << "mpispec-analyze: error: no command; run `mpispec` instead\n";
  return 1;
}
