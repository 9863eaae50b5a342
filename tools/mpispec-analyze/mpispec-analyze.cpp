//===- main.cpp - mpispec-analyze: one translation unit through all stages --------------------===//
//
// The driver (`mpispec`) runs this program, a process of its own: whatever happens in here, the
// user's build goes on. Three commands, one flow:
//
//     parse ─► proveFacts ─► selectTemplates ─► explain: a table
//                                               rewrite: readable source
//                                               unit:    the user's compiler's own preprocessed
//                                               text
//
// `unit` talks to the driver by its exit status and one line on stdout (Protocol below).
//
//===------------------------------------------------------------------------------------------===//
#include "Facts/Prove.h"
#include "Frontend/Indentation.h"
#include "Report/Explain.h"
#include "Report/SiteRemarks.h"
#include "Rewrite/FileMacro.h"
#include "Rewrite/GccIdentity.h"
#include "Rewrite/Integrity.h"
#include "Rewrite/Rewriter.h"
#include "Selection/Selector.h"
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
static cl::SubCommand Unit("unit", "rewrite preprocessed text; for the driver");

static cl::list<std::string> ClangArguments(cl::Positional, cl::desc("-- <clang arguments>"),
                                            cl::sub(Explain), cl::sub(Rewrite), cl::sub(Unit));
static cl::opt<bool> NoWarnings("no-warn-args", cl::desc("no warnings about wrong arguments"),
                                cl::sub(Explain), cl::sub(Rewrite), cl::sub(Unit));
static cl::opt<bool> InlineAll("inline-all", cl::desc("inline what is in no loop, too"),
                               cl::sub(Explain), cl::sub(Rewrite), cl::sub(Unit));
static cl::opt<std::string> Output("output", cl::desc("file to write"), cl::sub(Unit));

enum class Stage { None, Sites, Facts, Choices };
static cl::opt<Stage>
    Print("print", cl::desc("print what passes between two stages"), cl::sub(Explain),
          cl::sub(Rewrite),
          cl::values(clEnumValN(Stage::Sites, "sites", "call sites as written"),
                     clEnumValN(Stage::Facts, "facts", "what is proven about each"),
                     clEnumValN(Stage::Choices, "choices", "the template of each")),
          cl::init(Stage::None));

enum class Format { Table, JSON };
static cl::opt<Format> OutputFormat("format", cl::desc("how explain prints"), cl::sub(Explain),
                                    cl::values(clEnumValN(Format::Table, "table", "for people"),
                                               clEnumValN(Format::JSON, "json", "for tools")),
                                    cl::init(Format::Table));
static cl::opt<unsigned> Width("width", cl::desc("columns of the table; 0: the terminal's"),
                               cl::sub(Explain), cl::init(0));

static cl::opt<std::string> Preprocessed("preprocessed", cl::desc("the user's compiler's text"),
                                         cl::sub(Unit), cl::Required);
static cl::opt<bool>
    CheckFacts("check-facts", cl::desc("each call counts how often its facts hold"), cl::sub(Unit));
static cl::opt<bool> CheckIndentation("check-indentation",
                                      cl::desc("misleading indentation is a diagnostic"),
                                      cl::sub(Unit));
static cl::opt<std::string> RemarkFile("remarks", cl::desc("file for remarks"), cl::sub(Unit));
static cl::opt<TextDialect>
    UserCompiler("user-compiler", cl::desc("who preprocessed the text"), cl::sub(Unit),
                 cl::values(clEnumValN(TextDialect::Gcc, "gcc", "gcc or a compiler like it"),
                            clEnumValN(TextDialect::Clang, "clang", "clang")),
                 cl::init(TextDialect::Gcc));

//--- Stages --------------------------------------------------------------------------------------

namespace {
/// One translation unit with everything that the stages found out about it.
struct AnalysedUnit {
  std::unique_ptr<ParsedUnit> Parsed;
  std::vector<SiteFacts> Facts;
  std::vector<Choice> Choices;

  SpecialisedSites sites() const {
    return {Parsed->Sites, Facts, Choices, Parsed->Values.elements()};
  }
  unsigned rewritten() const {
    return count_if(Choices, [](const Choice &C) { return !C.Template.empty(); });
  }
};
} // namespace

static Expected<AnalysedUnit> analyse(PreprocessorHook Hook) {
  AnalysedUnit Unit;
  auto Parsed = parse(std::vector<std::string>(ClangArguments), Hook);
  if (!Parsed)
    return Parsed.takeError();
  Unit.Parsed = std::move(*Parsed);
  Unit.Facts = proveFacts(*Unit.Parsed);
  Unit.Choices = selectTemplates(Unit.Parsed->Sites, Unit.Facts, InlineAll);
  return Unit;
}

static Expected<AnalysedUnit> analyseWithoutTokens() {
  return analyse([](clang::Preprocessor &, unsigned) {});
}

/// Proven mistakes, at the call, in the form of the compilers' own warnings.
static void warnAboutArguments(const AnalysedUnit &Unit) {
  if (NoWarnings)
    return;
  for (auto [Site, Facts] : zip(Unit.Parsed->Sites, Unit.Facts))
    for (const ArgumentWarning &W : Facts.Warnings)
      errs() << Site.File << ':' << Site.Line << ':' << Site.Column << ": warning: " << Site.Callee
             << ": " << W.Message << " [mpispec-args]\n";
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

//--- unit ----------------------------------------------------------------------------------------

/// What the driver learns from the exit status; the line on stdout says more.
namespace Protocol {
enum ExitStatus { Rewritten = 0, NothingToRewrite = 3, CannotAnalyse = 4 };
}

static int cannotAnalyse(StringRef Remark, StringRef Text) {
  outs() << "reason=" << Remark << " text=" << Text.split('\n').first << '\n';
  return Protocol::CannotAnalyse;
}

/// A Fallback names its remark; any other error is one about \p Remark.
static int cannotAnalyse(Error E, StringRef Remark) {
  int Status = Protocol::CannotAnalyse;
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

/// Ends the process without freeing the unit node by node: that takes as long as some stages.
[[noreturn]] static void leave(int Status) {
  outs().flush();
  errs().flush();
  sys::Process::Exit(Status, /*NoCleanup=*/true);
}

static int rewriteUnit() {
  auto Original = MemoryBuffer::getFile(Preprocessed);
  if (!Original)
    return cannotAnalyse("fallback-preprocess-failed",
                         Preprocessed + ": " + Original.getError().message());
  TokenStream Tokens;
  auto Unit = analyse([&](clang::Preprocessor &PP, unsigned MainFileEnd) {
    if (UserCompiler == TextDialect::Gcc) {
      if (std::optional<GccVersion> Gcc = gccVersionOf((*Original)->getBuffer()))
        readUserTextAsGcc(PP, *Gcc);
      nameFilesLikeGcc(PP, (*Original)->getBuffer());
    }
    recordTokens(PP, Tokens, UserCompiler, MainFileEnd);
  });
  if (!Unit)
    return cannotAnalyse(Unit.takeError(), "fallback-parse-error");
  ArrayRef<CallSite> Sites = Unit->Parsed->Sites;
  unsigned Rewritten = Unit->rewritten();
  if (Rewritten) {
    StringRef Text = (*Original)->getBuffer();
    const clang::LangOptions &Language = Unit->Parsed->compiler().getLangOpts();
    const bool ForX86 =
        Unit->Parsed->compiler().getTarget().getTriple().getArch() == llvm::Triple::x86_64;
    auto NewText = rewritePreprocessed(Text, Tokens, Unit->sites(),
                                       RewriteContext{UserCompiler, Language, CheckFacts, ForX86});
    if (!NewText)
      return cannotAnalyse(NewText.takeError(), "fallback-preprocessed-differently");
    if (Error E = checkIntegrity(Text, *NewText, Sites, Unit->Choices, Language))
      return cannotAnalyse(std::move(E), "fallback-integrity");
    if (Error E = write(*NewText))
      return cannotAnalyse(std::move(E), "fallback-temporary-files");
  }
  warnAboutArguments(*Unit);
  if (!RemarkFile.empty())
    if (Error E = writeRemarkFile(RemarkFile, toRemarks(Sites, Unit->Facts, Unit->Choices)))
      errs() << "mpispec: warning: " << toString(std::move(E)) << '\n';
  bool Diagnostics = Unit->Parsed->Warnings ||
                     (CheckIndentation && mayMislead(Unit->Parsed->compiler().getASTContext()));
  outs() << "sites=" << Sites.size() << " rewritten=" << Rewritten
         << " diagnostics=" << (Diagnostics ? 1 : 0) << '\n';
  leave(Rewritten ? Protocol::Rewritten : Protocol::NothingToRewrite);
}

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "mpispec-analyze: the analysis behind mpispec\n");
  if (Explain)
    return explain();
  if (Rewrite)
    return rewrite();
  if (Unit)
    return rewriteUnit();
  errs() << "mpispec-analyze: error: no command; run `mpispec` instead\n";
  return 1;
}
