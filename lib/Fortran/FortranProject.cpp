//===- FortranProject.cpp - The Fortran sources of a build, in order of their modules ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fortran/FortranProject.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <map>
#include <set>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace mpispec {

json::Value toJSON(const FortranOutcome &O) {
  return json::Object{{"name", O.Name},
                      {"directory", O.Directory},
                      {"failure", json::fixUTF8(O.Failure)},
                      {"answer", json::fixUTF8(O.Answer)}};
}

bool fromJSON(const json::Value &Value, FortranOutcome &O, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("name", O.Name) && Map.map("directory", O.Directory) &&
         Map.map("failure", O.Failure) && Map.map("answer", O.Answer);
}

//===- Modules in a text ---------------------------------------------------------------------===//

/// Takes a name off the front of \p Text.
static StringRef takeName(StringRef &Text) {
  Text = Text.ltrim();
  StringRef Name = Text.take_while([](char C) { return isAlnum(C) || C == '_'; });
  Text = Text.drop_front(Name.size());
  return Name;
}

static std::string usedModule(StringRef Rest) {
  Rest = Rest.ltrim();
  if (Rest.consume_front(",")) {
    if (takeName(Rest) == "intrinsic")
      return "";
    Rest = Rest.ltrim();
  }
  Rest.consume_front("::");
  return takeName(Rest).str();
}

ModulesOfText findModules(StringRef Text) {
  ModulesOfText Modules;
  std::string Small = Text.lower();
  for (StringRef Line : split(Small, '\n')) {
    StringRef Rest = Line;
    StringRef Word = takeName(Rest);
    if (Word == "module") {
      StringRef Name = takeName(Rest);
      bool IsAlone = Rest.trim().empty() || Rest.ltrim().starts_with("!");
      if (!Name.empty() && IsAlone && Name != "procedure")
        Modules.Defined.push_back(Name.str());
    } else if (Word == "submodule" && Rest.ltrim().starts_with("(")) {
      Rest = Rest.ltrim().drop_front();
      Modules.Used.push_back(takeName(Rest).str());
    } else if (Word == "use") {
      if (std::string Name = usedModule(Rest); !Name.empty())
        Modules.Used.push_back(Name);
    }
  }
  return Modules;
}

//===- The analysis of a project -------------------------------------------------------------===//

namespace {
class Project {
public:
  Project(const FortranRequest &Request, StringRef Temporary, FortranWork Work)
      : Request(Request), Temporary(Temporary), Work(Work), Steps(Request.Sources.size()) {}
  std::vector<FortranOutcome> run();

private:
  struct Step {
    bool IsNeeded = false, IsStarted = false, IsDone = false;
    pid_t Process = -1;
    std::string Text;       ///< the preprocessed file
    std::set<size_t> After; ///< sources whose modules it uses
    FortranOutcome Outcome;
  };
  void findDefinitions();
  void need(size_t Index);
  void preprocess(size_t Index);
  bool isReady(const Step &S) const;
  bool startOne();
  void start(size_t Index);
  void waitForOne();
  std::string answerFile(size_t Index) const {
    return (Temporary + "/" + Twine(Index) + ".answer").str();
  }

  const FortranRequest &Request;
  StringRef Temporary;
  FortranWork Work;
  std::vector<Step> Steps;
  std::map<std::string, size_t> Definitions;
  unsigned Running = 0;
};
} // namespace

static std::string absolute(const FortranSource &Source) {
  SmallString<256> Path(Source.File);
  sys::path::make_absolute(Source.Directory, Path);
  return Path.str().str();
}

static std::string contents(StringRef File) {
  auto Buffer = MemoryBuffer::getFile(File);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

void Project::findDefinitions() {
  for (size_t Index = 0; Index < Steps.size(); ++Index)
    for (const std::string &Name : findModules(contents(absolute(Request.Sources[Index]))).Defined)
      Definitions.try_emplace(Name, Index);
  // This program makes MPI's modules itself (MpiModules.h).
  Definitions.erase("mpi");
  Definitions.erase("mpi_f08");
}

/// The first line of \p Messages that is about an error, or the first one.
static std::string firstError(StringRef Messages) {
  StringRef First = Messages.split('\n').first;
  for (StringRef Rest = Messages; !Rest.empty();) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    if (Line.contains_insensitive("error:"))
      return Line.str();
  }
  return First.str();
}

/// Writes the preprocessed source. After a failure the outcome has the reason.
void Project::preprocess(size_t Index) {
  const FortranSource &Source = Request.Sources[Index];
  Step &S = Steps[Index];
  S.Outcome.Name = Source.Name;
  S.Outcome.Directory = Source.Directory;
  S.Text = absolute(Source);
  if (Source.Preprocess.empty()) {
    if (!sys::fs::exists(S.Text))
      S.Outcome.Failure = "cannot read it";
    return;
  }
  S.Text = (Temporary + "/" + Twine(Index) + (Source.IsFixedForm ? ".f" : ".f90")).str();
  std::string Messages = (Temporary + "/" + Twine(Index) + ".messages").str();
  ErrorOr<std::string> Program = sys::findProgramByName(Source.Preprocess[0]);
  if (!Program || sys::fs::set_current_path(Source.Directory)) {
    S.Outcome.Failure = "cannot run '" + Source.Preprocess[0] + "' in '" + Source.Directory + "'";
    return;
  }
  std::vector<StringRef> Words(Source.Preprocess.begin(), Source.Preprocess.end());
  std::optional<StringRef> Files[] = {StringRef(""), StringRef(S.Text), StringRef(Messages)};
  if (sys::ExecuteAndWait(*Program, Words, std::nullopt, Files, /*SecondsToWait=*/60))
    S.Outcome.Failure = "the compiler cannot preprocess it: " + firstError(contents(Messages));
}

void Project::need(size_t First) {
  std::vector<size_t> Queue = {First};
  while (!Queue.empty()) {
    size_t Index = Queue.back();
    Queue.pop_back();
    if (std::exchange(Steps[Index].IsNeeded, true))
      continue;
    preprocess(Index);
    for (const std::string &Name : findModules(contents(Steps[Index].Text)).Used) {
      auto Definition = Definitions.find(Name);
      if (Definition == Definitions.end() || Definition->second == Index)
        continue;
      Steps[Index].After.insert(Definition->second);
      Queue.push_back(Definition->second);
    }
  }
}

bool Project::isReady(const Step &S) const {
  return all_of(S.After, [&](size_t Index) { return Steps[Index].IsDone; });
}

/// Starts a source whose modules exist. If there is none and no process runs, starts any source,
/// because the remaining modules then use each other.
bool Project::startOne() {
  for (size_t Index = 0; Index < Steps.size(); ++Index)
    if (Steps[Index].IsNeeded && !Steps[Index].IsStarted && isReady(Steps[Index])) {
      start(Index);
      return true;
    }
  for (size_t Index = 0; !Running && Index < Steps.size(); ++Index)
    if (Steps[Index].IsNeeded && !Steps[Index].IsStarted) {
      start(Index);
      return true;
    }
  return false;
}

static void writeFile(const std::string &File, StringRef Text) {
  std::error_code EC;
  raw_fd_ostream OS(File, EC);
  if (!EC)
    OS << Text;
}

void Project::start(size_t Index) {
  Step &S = Steps[Index];
  S.IsStarted = true;
  if (!S.Outcome.Failure.empty()) {
    S.IsDone = true;
    return;
  }
  outs().flush();
  S.Process = fork();
  if (S.Process == 0) {
    constexpr rlim_t Seconds = 120; // processor time
    // SIGXCPU tells that the limit is exceeded. At the second limit the system sends SIGKILL.
    const rlimit Limit = {Seconds, Seconds + 5};
    setrlimit(RLIMIT_CPU, &Limit);
    const FortranSource &Source = Request.Sources[Index];
    sys::fs::set_current_path(Source.Directory);
    writeFile(answerFile(Index), Work(Source, S.Text, Temporary));
    _exit(0);
  }
  S.IsDone = S.Process < 0;
  if (S.IsDone)
    S.Outcome.Failure = "the system starts no more processes";
  else
    ++Running;
}

void Project::waitForOne() {
  int Status = 0;
  pid_t Ended = wait(&Status);
  if (Ended < 0) {
    Running = errno == EINTR ? Running : 0;
    return;
  }
  auto S = find_if(Steps, [&](const Step &S) { return S.Process == Ended; });
  if (S == Steps.end())
    return;
  --Running;
  S->IsDone = true;
  S->Process = -1;
  S->Outcome.Answer = contents(answerFile(S - Steps.begin()));
  if (WIFSIGNALED(Status) && WTERMSIG(Status) == SIGXCPU)
    S->Outcome.Failure = "the analysis took too long";
  else if (Status || S->Outcome.Answer.empty())
    S->Outcome.Failure = "the analysis crashed";
}

std::vector<FortranOutcome> Project::run() {
  findDefinitions();
  for (size_t Index = 0; Index < Steps.size(); ++Index)
    if (Request.Sources[Index].IsAsked)
      need(Index);
  while (Running < std::max(1U, Request.Jobs) && startOne())
    ;
  while (Running) {
    waitForOne();
    while (Running < std::max(1U, Request.Jobs) && startOne())
      ;
  }
  std::vector<FortranOutcome> Outcomes;
  for (size_t Index = 0; Index < Steps.size(); ++Index)
    if (Request.Sources[Index].IsAsked)
      Outcomes.push_back(std::move(Steps[Index].Outcome));
  return Outcomes;
}

std::vector<FortranOutcome> analyseFortranProject(const FortranRequest &Request,
                                                  StringRef Temporary, FortranWork Work) {
  return Project(Request, Temporary, Work).run();
}

} // namespace mpispec
