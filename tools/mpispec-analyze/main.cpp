//===- main.cpp - mpispec-analyze: one translation unit through all stages -------------------------===//
//
// The driver (`mpispec`) runs this program, a process of its own: whatever happens in here, the user's
// build goes on. Three commands, one flow:
//
//     parse ─► proveFacts ─► selectTemplates ─► explain: a table
//                                               rewrite: readable source
//                                               unit:    the user's compiler's own preprocessed text
//
// `unit` talks to the driver by its exit status and one line on stdout (Protocol below).
//
//===----------------------------------------------------------------------------------------------===//
#include "Facts/Prove.h"
#include "Report/Explain.h"
#include "Selection/Selector.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mpispec;

//--- Command line -------------------------------------------------------------------------------------

static cl::SubCommand Explain("explain", "print what is known about each call");

enum class Format { Table, JSON };
static cl::opt<Format> OutputFormat("format", cl::desc("how explain prints"), cl::sub(Explain),
                                    cl::values(clEnumValN(Format::Table, "table", "for people"),
                                               clEnumValN(Format::JSON, "json", "for tools")),
                                    cl::init(Format::Table));
static cl::opt<unsigned> Width("width", cl::desc("columns of the table; 0: the terminal's"),
                               cl::sub(Explain), cl::init(0));
enum class Stage { None, Sites, Facts, Choices };
static cl::opt<Stage>
    Print("print", cl::desc("print what passes between two stages"), cl::sub(Explain),
          cl::values(clEnumValN(Stage::Sites, "sites", "call sites as written"),
                     clEnumValN(Stage::Facts, "facts", "what is proven about each"),
                     clEnumValN(Stage::Choices, "choices", "the template of each")),
          cl::init(Stage::None));
static cl::list<std::string> ClangArguments(cl::Positional, cl::desc("-- <clang arguments>"),
                                            cl::sub(Explain));

//--- Stages -------------------------------------------------------------------------------------------

namespace {
/// One translation unit with everything that the stages found out about it.
struct AnalysedUnit {
  std::unique_ptr<ParsedUnit> Parsed;
  std::vector<SiteFacts> Facts;
  std::vector<Choice> Choices;
};
} // namespace

static Expected<AnalysedUnit> analyse(PreprocessorHook Hook) {
  AnalysedUnit Unit;
  auto Parsed = parse(std::vector<std::string>(ClangArguments), Hook);
  if (!Parsed)
    return Parsed.takeError();
  Unit.Parsed = std::move(*Parsed);
  Unit.Facts = proveFacts(*Unit.Parsed);
  Unit.Choices = selectTemplates(Unit.Parsed->Sites, Unit.Facts);
  return Unit;
}

static int fail(Error E) {
  errs() << "mpispec: error: " << toString(std::move(E)) << '\n';
  return 1;
}

//--- explain ------------------------------------------------------------------------------------------

static unsigned tableWidth() {
  if (Width)
    return Width;
  unsigned Columns = sys::Process::StandardOutColumns();
  return Columns ? Columns : 100;
}

static int explain() {
  Expected<AnalysedUnit> Unit = analyse([](clang::Preprocessor &, unsigned) {});
  if (!Unit)
    return fail(Unit.takeError());
  ArrayRef<CallSite> Sites = Unit->Parsed->Sites;
  if (Print == Stage::Sites)
    print(Sites, outs());
  else if (Print == Stage::Facts)
    print(Unit->Facts, outs());
  else if (Print == Stage::Choices)
    print(Unit->Choices, outs());
  else if (OutputFormat == Format::JSON)
    printJSON(Sites, Unit->Facts, Unit->Choices, outs());
  else
    printTable(Sites, Unit->Facts, Unit->Choices, tableWidth(), outs());
  return 0;
}

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "mpispec-analyze: the analysis behind mpispec\n");
  if (Explain)
    return explain();
  errs() << "mpispec-analyze: error: no command; run `mpispec` instead\n";
  return 1;
}
