//===- SourceAnalyses.cpp - Analyses of many sources ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SourceAnalyses.h"
#include "FortranAnalysis.h"
#include "SourceCommand.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include <deque>

using namespace llvm;

namespace mpispec {

//===- The request ---------------------------------------------------------------------------===//

static Error readJobs(unsigned &Jobs, StringRef Number) {
  if (!Number.getAsInteger(10, Jobs) && Jobs > 0)
    return Error::success();
  return createStringError("option '-j' needs a number of sources to look at together: -j 4");
}

Expected<SourcesRequest> readSourcesRequest(ArrayRef<std::string> Words, StringRef Subcommand,
                                            OptionReader ReadOption) {
  SourcesRequest R;
  auto ReadAny = [&](ArrayRef<std::string> Words) -> Expected<size_t> {
    StringRef Word = Words[0];
    if (!Word.starts_with("-j"))
      return ReadOption(Words);
    bool IsApart = Word == "-j" && Words.size() > 1;
    if (Error E = readJobs(R.Jobs, IsApart ? StringRef(Words[1]) : Word.drop_front(2)))
      return E;
    return IsApart ? 2 : 1;
  };
  Expected<SubcommandWords> Read = readWords(Words, /*ReadsDatabase=*/true, ReadAny);
  if (!Read)
    return Read.takeError();
  R.Words = std::move(*Read);
  if (R.Words.Files.empty() && R.Words.BuildDirectory.empty())
    return createStringError("'mpispec " + Subcommand +
                             "' needs sources, or -p DIR for all of a build; 'mpispec " +
                             Subcommand + " --help' has examples");
  return R;
}

std::string fromDirectory(StringRef Directory, StringRef File) {
  StringRef Rest = File;
  if (Rest.consume_front(Directory) && Rest.consume_front("/"))
    return Rest.str();
  return File.str();
}

//===- How each source is compiled -----------------------------------------------------------===//

namespace {
struct Source {
  std::string Name;
  std::optional<DatabaseEntry> Entry; ///< its command, if no sources are named
};
} // namespace

static bool isCOrCXX(StringRef File) {
  Invocation I = parseInvocation({File.str()}, /*CompilerIsCXX=*/false);
  return I.Arguments[0].Lang == "c" || I.Arguments[0].Lang == "c++";
}

/// The C and C++ sources that are named; without names, those of the build, each with the first of
/// its commands.
static Expected<std::vector<Source>> sourcesOf(const SubcommandWords &Words, StringRef Start,
                                               bool ReadsFortran) {
  std::vector<Source> Sources;
  for (const std::string &File : Words.Files)
    if (!isFortran(File))
      Sources.push_back({File, std::nullopt});
  if (!Words.Files.empty())
    return Sources;
  Expected<std::vector<DatabaseEntry>> Entries = sourcesInDatabase(Words.BuildDirectory);
  if (!Entries)
    return Entries.takeError();
  StringSet<> Seen;
  for (DatabaseEntry &Entry : *Entries)
    if (isCOrCXX(Entry.File) && Seen.insert(Entry.File).second)
      Sources.push_back({fromDirectory(Start, Entry.File), std::move(Entry)});
  bool HasOthers = any_of(*Entries, [](const DatabaseEntry &E) { return isFortran(E.File); });
  if (Sources.empty() && !(ReadsFortran && HasOthers))
    return createStringError("'" + Words.BuildDirectory +
                             "/compile_commands.json' has no C or C++ source; name the build "
                             "directory of a project that has some");
  return Sources;
}

//===- The analyses --------------------------------------------------------------------------===//

namespace {
class Analyses {
public:
  Analyses(const Settings &S, const Installation &Here, const SourcesRequest &R, StringRef Command,
           function_ref<void(const SourceOutcome &)> Take)
      : S(S), Here(Here), R(R), Command(Command), Take(Take), Temporary(S) {
    sys::fs::current_path(Start);
    Jobs = R.Jobs ? R.Jobs : heavyweight_hardware_concurrency().compute_thread_count();
  }
  Error runAll();

private:
  struct Running {
    Child Process;
    SourceOutcome Outcome;
    std::string Answer, Messages; ///< files
  };
  void begin(const Source &Of);
  void endOldest();
  bool readsFortran() const { return !Here.FortranAnalyzer.empty() && Command == "lint"; }
  Error analyseFortranSources();
  void progress(StringRef Name);

  const Settings &S;
  const Installation &Here;
  const SourcesRequest &R;
  StringRef Command;
  function_ref<void(const SourceOutcome &)> Take;
  Session Temporary;
  std::string Files; ///< directory of temporary files
  SmallString<256> Start;
  std::deque<Running> Queue;
  unsigned Jobs, Begun = 0, All = 0;
  const bool ShowsProgress = sys::Process::StandardErrIsDisplayed();
};
} // namespace

static std::string contents(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

void Analyses::progress(StringRef Name) {
  if (!ShowsProgress)
    return;
  errs() << "\r\033[K"; // clears the line
  if (!Name.empty())
    errs() << '[' << Begun << '/' << All << "] " << Name;
}

void Analyses::begin(const Source &Of) {
  ++Begun;
  progress(Of.Name);
  Expected<SourceCommand> How =
      Of.Entry ? commandOf(*Of.Entry) : findCommand(Of.Name, R.Words.BuildDirectory, R.Words.Flags);
  if (!How) {
    Take({Of.Name, "", toString(How.takeError()), ""});
  } else {
    CommandLine Words = {Here.Analyzer, Command.str(), "--"};
    Words.insert(Words.end(), How->Arguments.begin(), How->Arguments.end());
    Redirection To;
    To.Output = Files + "/" + std::to_string(Begun) + ".answer";
    To.Error = Files + "/" + std::to_string(Begun) + ".messages";
    To.NoInput = true;
    std::string Directory = How->Directory.empty() ? Start.str().str() : How->Directory;
    Queue.push_back({start(Words, To), {Of.Name, Directory, "", ""}, To.Output, To.Error});
  }
  sys::fs::set_current_path(Start);
}

/// The reason why an analysis failed: its message without "mpispec: error: ".
static std::string failureIn(StringRef Messages) {
  StringRef Line = Messages.split('\n').first;
  if (Line.consume_front("mpispec: error: ") && !Line.empty())
    return Line.str();
  return "the analysis crashed; please report this with the source";
}

void Analyses::endOldest() {
  // In seconds. timeLimit() needs the size of the preprocessed text, which does not exist here.
  constexpr unsigned WithoutText = 120;
  Running Run = std::move(Queue.front());
  Queue.pop_front();
  Ending E = wait(Run.Process, S.TimeLimit.value_or(WithoutText));
  if (E.K == Ending::Interrupted) {
    for (const Running &Other : Queue)
      wait(Other.Process, 1);
    Temporary.clean();
    dieOfSignal(E.Status);
  }
  if (E.K == Ending::TimedOut)
    Run.Outcome.Failure = "the analysis took longer than --mpispec-time-limit allows";
  else if (!E.succeeded())
    Run.Outcome.Failure = failureIn(contents(Run.Messages));
  Run.Outcome.Answer = contents(Run.Answer);
  progress("");
  Take(Run.Outcome);
}

Error Analyses::runAll() {
  Expected<std::vector<Source>> Sources = sourcesOf(R.Words, Start, readsFortran());
  if (!Sources)
    return Sources.takeError();
  Expected<std::string> Directory = Temporary.makeDirectory();
  if (!Directory)
    return Directory.takeError();
  Files = std::move(*Directory);
  All = Sources->size();
  for (const Source &Next : *Sources) {
    if (Queue.size() == Jobs)
      endOldest();
    begin(Next);
  }
  while (!Queue.empty())
    endOldest();
  return analyseFortranSources();
}

/// Analyses the Fortran sources that are named, or rejects them for `summarise`. Without names,
/// `lint` analyses those of the build, if the Fortran analysis is installed.
Error Analyses::analyseFortranSources() {
  CommandLine Named;
  copy_if(R.Words.Files, std::back_inserter(Named), isFortran);
  if (Named.empty() && !(R.Words.Files.empty() && readsFortran()))
    return Error::success();
  if (Command == "summarise") {
    for (const std::string &Name : Named)
      Take({Name, "", "only C and C++ sources have summaries", ""});
    return Error::success();
  }
  progress("Fortran sources");
  auto Outcomes = analyseFortran(Here, Command, R.Words, Named, Jobs);
  progress("");
  if (!Outcomes)
    return Outcomes.takeError();
  for (const FortranOutcome &O : *Outcomes)
    Take({fromDirectory(Start, O.Name), O.Directory, O.Failure, O.Answer});
  return Error::success();
}

Error analyseSources(const Settings &S, const Installation &Here, const SourcesRequest &R,
                     StringRef Command, function_ref<void(const SourceOutcome &)> Take) {
  if (Here.Analyzer.empty())
    return createStringError(
        "mpispec-analyze is missing; install mpispec again, with the analysis");
  holdSignals();
  return Analyses(S, Here, R, Command, Take).runAll();
}

} // namespace mpispec
