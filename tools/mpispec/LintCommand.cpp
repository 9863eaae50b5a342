//===- LintCommand.cpp - mpispec lint ---------------------------------------------------------===//
//
//   readRequest     which sources, and how each is compiled
//   UnitReports     an analysis for each, several at a time; its report is JSON
//   findings        what the reports say, each once
//   print           lines as compilers write them, or SARIF
//
// A source that cannot be checked is told of and does not keep the others from it.
//
//===------------------------------------------------------------------------------------------===//
#include "LintCommand.h"
#include "Help.h"
#include "Lint/Wrappers.h"
#include "SourceCommand.h"
#include "SubcommandWords.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include <deque>

using namespace llvm;

namespace mpispec {

/// The exit statuses, as grep has them.
enum LintStatus : int { Clean = 0, Found = 1, Incomplete = 2 };

static int fail(const Twine &Message) {
  errs() << "mpispec: error: " << Message << '\n';
  return Incomplete;
}

//===- What is asked -------------------------------------------------------------------------===//

namespace {
struct LintRequest {
  SubcommandWords Words;
  bool Sarif = false;
  unsigned Jobs = 0; ///< 0: as many as there are cores
};
} // namespace

static Error readOption(LintRequest &R, StringRef Word) {
  auto [Name, Value] = Word.split('=');
  if (Name != "--format")
    return unknownOption(Word, "lint", {"-p", "-j", "--format", "--help"});
  if (Value != "sarif" && Value != "text")
    return createStringError("option '--format' cannot be '" + Value +
                             "'; it is text, as compilers write warnings, or sarif");
  R.Sarif = Value == "sarif";
  return Error::success();
}

static Error readJobs(LintRequest &R, StringRef Number) {
  if (!Number.getAsInteger(10, R.Jobs) && R.Jobs > 0)
    return Error::success();
  return createStringError("option '-j' needs a number of sources to look at together: -j 4");
}

static Expected<LintRequest> readRequest(ArrayRef<std::string> Words) {
  LintRequest R;
  auto ReadOption = [&](ArrayRef<std::string> Words) -> Expected<size_t> {
    StringRef Word = Words[0];
    bool IsJobs = Word.starts_with("-j"), IsApart = Word == "-j" && Words.size() > 1;
    Error E = IsJobs ? readJobs(R, IsApart ? StringRef(Words[1]) : Word.drop_front(2))
                     : readOption(R, Word);
    if (E)
      return std::move(E);
    return IsApart ? 2 : 1;
  };
  Expected<SubcommandWords> Read =
      readWords(Words.drop_front(), /*ReadsDatabase=*/true, ReadOption);
  if (!Read)
    return Read.takeError();
  R.Words = std::move(*Read);
  if (R.Words.Files.empty() && R.Words.BuildDirectory.empty())
    return createStringError("'mpispec lint' needs sources, or -p DIR for all of a build; "
                             "'mpispec lint --help' has examples");
  return R;
}

//===- How each source is compiled -----------------------------------------------------------===//

namespace {
struct Source {
  std::string Name;                   ///< as messages name it
  std::optional<DatabaseEntry> Entry; ///< of all of a build
};
} // namespace

/// \p File as it is called from \p Here, if it is below.
static std::string fromHere(StringRef Here, StringRef File) {
  StringRef Rest = File;
  if (Rest.consume_front(Here) && Rest.consume_front("/"))
    return Rest.str();
  return File.str();
}

static bool isCOrCXX(StringRef File) {
  Invocation I = parseInvocation({File.str()}, /*CompilerIsCXX=*/false);
  return I.Arguments[0].Lang == "c" || I.Arguments[0].Lang == "c++";
}

/// What is asked for; without names, all C and C++ sources of the build, each as it is compiled
/// first.
static Expected<std::vector<Source>> sourcesOf(const LintRequest &R, StringRef Here) {
  std::vector<Source> Sources;
  for (const std::string &File : R.Words.Files)
    Sources.push_back({File, std::nullopt});
  if (!Sources.empty())
    return Sources;
  Expected<std::vector<DatabaseEntry>> Entries = sourcesInDatabase(R.Words.BuildDirectory);
  if (!Entries)
    return Entries.takeError();
  StringSet<> Seen;
  for (DatabaseEntry &Entry : *Entries)
    if (isCOrCXX(Entry.File) && Seen.insert(Entry.File).second)
      Sources.push_back({fromHere(Here, Entry.File), std::move(Entry)});
  if (Sources.empty())
    return createStringError("'" + R.Words.BuildDirectory +
                             "/compile_commands.json' has no C or C++ source; name the build "
                             "directory of a project that has some");
  return Sources;
}

//===- A report of each unit -----------------------------------------------------------------===//

namespace {
/// Runs the analyses.
class UnitReports {
public:
  UnitReports(const Settings &S, const Installation &Here, const LintRequest &R,
              std::string Directory)
      : S(S), Here(Here), R(R), Files(std::move(Directory)) {
    sys::fs::current_path(Start);
    Jobs = R.Jobs ? R.Jobs : heavyweight_hardware_concurrency().compute_thread_count();
    ShowsProgress = sys::Process::StandardErrIsDisplayed();
  }
  void readAll(ArrayRef<Source> Sources);

  std::vector<UnitReport> Reports;
  std::vector<Unchecked> Left;

private:
  struct Running {
    Child Process;
    std::string Name, Directory, Output, Errors;
  };
  void begin(const Source &Of);
  void endOldest();
  void take(const Running &Run);
  void placeFindings(UnitReport &Report, StringRef Directory) const;
  void progress(StringRef Name);

  const Settings &S;
  const Installation &Here;
  const LintRequest &R;
  std::string Files; ///< directory of temporary files
  SmallString<256> Start;
  std::deque<Running> Queue;
  unsigned Jobs, Begun = 0, All = 0;
  bool ShowsProgress;
};
} // namespace

void UnitReports::progress(StringRef Name) {
  if (!ShowsProgress)
    return;
  errs() << "\r\033[K"; // the line anew
  if (!Name.empty())
    errs() << '[' << Begun << '/' << All << "] " << Name;
}

void UnitReports::begin(const Source &Of) {
  ++Begun;
  progress(Of.Name);
  Expected<SourceCommand> How =
      Of.Entry ? commandOf(*Of.Entry) : findCommand(Of.Name, R.Words.BuildDirectory, R.Words.Flags);
  if (!How) {
    Left.push_back({Of.Name, toString(How.takeError())});
  } else {
    CommandLine Command = {Here.Analyzer, "lint", "--"};
    Command.insert(Command.end(), How->Arguments.begin(), How->Arguments.end());
    Redirection To;
    To.Output = Files + "/" + std::to_string(Begun) + ".json";
    To.Error = Files + "/" + std::to_string(Begun) + ".errors";
    To.NoInput = true;
    Queue.push_back({start(Command, To), Of.Name, How->Directory, To.Output, To.Error});
  }
  sys::fs::set_current_path(Start);
}

/// Files from where lint was started, whatever directory the unit is compiled in.
void UnitReports::placeFindings(UnitReport &Report, StringRef Directory) const {
  auto Name = [&](std::string &File) {
    SmallString<256> Full(File);
    sys::path::make_absolute(Directory.empty() ? Start.str() : Directory, Full);
    sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
    File = fromHere(Start, Full);
  };
  for (Finding &F : Report.Findings)
    Name(F.Where.File);
  for (FunctionCall &C : Report.Calls)
    Name(C.Where.File);
}

void UnitReports::take(const Running &Run) {
  auto Text = MemoryBuffer::getFile(Run.Output);
  Expected<UnitReport> Report = json::parse<UnitReport>(Text ? (*Text)->getBuffer() : "");
  if (!Report)
    return Left.push_back({Run.Name, "the analysis gave no answer: " +
                                         toString(Report.takeError()) + "; please report this"});
  if (!Report->Error.empty())
    return Left.push_back({Run.Name, Report->Error});
  placeFindings(*Report, Run.Directory);
  Reports.push_back(std::move(*Report));
}

void UnitReports::endOldest() {
  Running Run = std::move(Queue.front());
  Queue.pop_front();
  Ending E = wait(Run.Process, S.TimeLimit);
  switch (E.K) {
  case Ending::Exited:
    take(Run);
    break;
  case Ending::Interrupted:
    for (const Running &Other : Queue)
      wait(Other.Process, 1);
    sys::fs::remove_directories(Files);
    dieOfSignal(E.Status);
  case Ending::TimedOut:
    Left.push_back({Run.Name, "the analysis took longer than --mpispec-time-limit allows"});
    break;
  default:
    Left.push_back({Run.Name, "the analysis crashed; please report this with the source"});
  }
}

void UnitReports::readAll(ArrayRef<Source> Sources) {
  All = Sources.size();
  for (const Source &S : Sources) {
    if (Queue.size() == Jobs)
      endOldest();
    begin(S);
  }
  while (!Queue.empty())
    endOldest();
  progress("");
}

//===- The whole -----------------------------------------------------------------------------===//

static std::vector<Finding> findingsOf(ArrayRef<UnitReport> Reports) {
  std::vector<Finding> Findings;
  for (const UnitReport &Report : Reports)
    append_range(Findings, Report.Findings);
  findThroughWrappers(Reports, Findings);
  sortFindings(Findings);
  return Findings;
}

static int statusOf(ArrayRef<Finding> Findings, ArrayRef<Unchecked> Left) {
  if (!Left.empty())
    return Incomplete;
  bool Warns = any_of(Findings, [](const Finding &F) { return info(F.Rule).Level == "warning"; });
  return Warns ? Found : Clean;
}

static int lintSources(const Settings &S, const Installation &Here, const LintRequest &R) {
  SmallString<256> Start;
  sys::fs::current_path(Start);
  Expected<std::vector<Source>> Sources = sourcesOf(R, Start);
  if (!Sources)
    return fail(toString(Sources.takeError()));
  Session Temporary(S);
  Expected<std::string> Directory = Temporary.makeDirectory();
  if (!Directory)
    return fail(toString(Directory.takeError()));
  UnitReports Units(S, Here, R, *Directory);
  Units.readAll(*Sources);
  std::vector<Finding> Findings = findingsOf(Units.Reports);
  for (const Unchecked &U : Units.Left)
    errs() << "mpispec: error: cannot check '" << U.File << "': " << U.Reason << '\n';
  if (R.Sarif)
    printSarif(Findings, Units.Left, MPISPEC_VERSION, Start, outs());
  else
    printFindings(Findings, outs());
  return statusOf(Findings, Units.Left);
}

int lint(const Settings &S, const Installation &Here, ArrayRef<std::string> Words) {
  if (asksForHelp(Words)) {
    printSubcommandHelp(Words[0], outs());
    return Clean;
  }
  Expected<LintRequest> R = readRequest(Words);
  if (!R)
    return fail(toString(R.takeError()));
  if (Here.Analyzer.empty())
    return fail("mpispec-analyze is missing; install mpispec again, with the analysis");
  holdSignals();
  return lintSources(S, Here, *R);
}

} // namespace mpispec
