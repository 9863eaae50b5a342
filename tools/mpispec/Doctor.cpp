//===- Doctor.cpp - mpispec doctor: the table of checks and its output ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Doctor.h"
#include "Help.h"
#include "Support/Suggestion.h"
#include "Support/TextLayout.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace llvm;

namespace mpispec {

namespace {

struct Check {
  StringRef Name;                ///< in both forms of output
  StringRef Progress;            ///< name of a slow part, or empty
  Finding (*Examine)(Patient &); ///< quick if Progress is empty
  enum Condition : uint8_t { Always, OfProgram, OfContainers } When = Always;
};

struct Request {
  bool JSON = false;
  bool Containers = false; ///< try one container for each rank
  std::string Program;
  CommandLine Compiler = {"mpicc"};
};

} // namespace

static constexpr Check Checks[] = {
    {"limits", "", checkLimits}, // first: they break all that follows
    {"compiler", "", checkCompiler},
    {"MPI library", "", checkLibrary},
    {"launcher", "", checkLauncher},
    {"mpispec", "", checkParts},
    {"shared memory", "", checkSharedMemory},
    {"single copy", "", checkSingleCopy},
    {"rank ends", "", checkEnds},
    {"cores", "", checkCores},
    {"shared cores", "", checkYield},
    {"environment", "", checkEnvironment},
    {"long messages", "", checkLongMessages},
    {"program", "", checkProgram, Check::OfProgram},
    {"plain run", "building and running a program on two ranks", checkPlainRun},
    {"specialised run", "the same, specialised", checkSpecialisedRun},
    {"containers", "the same, with a container for each rank", checkContainers,
     Check::OfContainers},
};

/// Runs \p Command and reads what it writes by a pipe: the size of files may be limited. `timeout`
/// asks a launcher to end before it kills it, so that it can end its ranks.
Patient::Outcome Patient::run(const CommandLine &Command, unsigned Seconds) {
  CommandLine Words = {"/bin/sh", "-c", "\"$@\" 2>&1; s=$?; echo; echo $s", "sh", "timeout",
                       "-k",      "5"};
  Words.push_back(std::to_string(Seconds));
  Words.insert(Words.end(), Command.begin(), Command.end());
  std::optional<std::string> Text = outputOf(Words);
  if (!Text) { // the shell itself does not fail: the user ended it
    Files.clean();
    dieOfSignal(SIGINT);
  }
  auto [Said, Status] = StringRef(*Text).rtrim().rsplit('\n');
  Outcome O = {1, Said.rtrim().str()};
  (void)Status.getAsInteger(10, O.Status);
  return O;
}

std::string lastWords(StringRef Text) {
  Text = Text.rtrim();
  StringRef Last = Text.substr(Text.rfind('\n') + 1).trim();
  return Last.empty() ? "no output" : Last.take_front(200).str();
}

//===- What is asked -------------------------------------------------------------------------===//

static Expected<Request> readRequest(ArrayRef<std::string> Words) {
  Request R;
  for (size_t Next = 0; Next < Words.size(); ++Next) {
    StringRef Word = Words[Next];
    if (Word == "--") {
      R.Compiler.assign(Words.begin() + Next + 1, Words.end());
      if (R.Compiler.empty())
        return createStringError("a compiler must follow the --, as in '-- mpicc'");
      return R;
    }
    if (Word == "--format=json" || Word == "--format=table")
      R.JSON = Word.ends_with("json");
    else if (Word == "--container")
      R.Containers = true;
    else if (!R.Program.empty())
      return createStringError("'mpispec doctor' looks at one program; '" + Word +
                               "' is a second one");
    else
      R.Program = Word.str();
  }
  return R;
}

//===- What is said --------------------------------------------------------------------------===//

static StringRef text(Finding::Verdict V) {
  switch (V) {
  case Finding::On:
    return "on";
  case Finding::Off:
    return "OFF";
  case Finding::Skipped:
    return "-";
  }
  llvm_unreachable("unknown verdict");
}

static void printFinding(StringRef Name, const Finding &F, unsigned Width, Style &S) {
  constexpr unsigned VerdictWidth = 5, NameWidth = 17;
  constexpr Style::Ink Inks[] = {Style::Good, Style::Bad, Style::Dim};
  const unsigned TextWidth = std::max(Width, 60u) - VerdictWidth - NameWidth;
  StringRef Verdict = text(F.V);
  auto Print = [&](Style::Ink Ink, StringRef Text) {
    for (const std::string &Line : wrap(Text, TextWidth)) {
      S.cell(Inks[F.V], Verdict, VerdictWidth);
      S.cell(Style::Bold, Name, NameWidth);
      S.write(Ink, Line);
      outs() << '\n';
      Verdict = Name = "";
    }
  };
  Print(Style::Plain, F.Says);
  if (!F.Remedy.empty())
    Print(Style::Middling, "remedy: " + F.Remedy);
  outs().flush();
}

static json::Value jsonOf(const Check &C, const Finding &F) {
  constexpr StringLiteral Verdicts[] = {"on", "off", "skipped"};
  return json::Object{{"check", C.Name},
                      {"verdict", Verdicts[F.V]},
                      {"says", json::fixUTF8(F.Says)},
                      {"remedy", json::fixUTF8(F.Remedy)}};
}

/// Runs the checks, says each, and returns how many are off.
static unsigned examine(Patient &P, const Request &R) {
  Style S(outs());
  unsigned Off = 0;
  unsigned Columns = sys::Process::StandardOutColumns();
  json::Array Findings;
  for (const Check &C : Checks) {
    if ((C.When == Check::OfProgram && P.Program.empty()) ||
        (C.When == Check::OfContainers && !R.Containers))
      continue;
    if (!C.Progress.empty() && !P.isQuiet())
      errs() << "mpispec doctor: " << C.Progress << " ...\n";
    Finding F = C.Examine(P);
    Off += F.V == Finding::Off;
    if (R.JSON)
      Findings.push_back(jsonOf(C, F));
    else
      printFinding(C.Name, F, Columns ? Columns : 100, S);
  }
  if (R.JSON)
    outs() << formatv("{0:2}\n", json::Value(json::Object{{"schema", "mpispec-doctor/1"},
                                                          {"well", !Off},
                                                          {"checks", std::move(Findings)}}));
  else if (Off)
    outs() << '\n' << counted(Off, "thing") << (Off == 1 ? " is" : " are") << " off\n";
  else
    outs() << "\nall is well\n";
  return Off;
}

int doctor(const Settings &S, const Installation &Here, const std::string &Self,
           ArrayRef<std::string> Words) {
  Expected<Request> R = readRequest(Words);
  if (!R) {
    errs() << "mpispec: error: " << toString(R.takeError()) << '\n';
    return 2;
  }
  std::signal(SIGXFSZ, SIG_IGN); // a file that may not be written is a finding
  holdSignals();
  breakWrapperLoops();
  Patient P(S, Here);
  P.Self = Self;
  P.Program = R->Program;
  P.Compiler = R->Compiler;
  Expected<std::string> Directory = P.Files.makeDirectory();
  if (!Directory) {
    errs() << "mpispec: error: " << toString(Directory.takeError()) << '\n';
    return 1;
  }
  P.Directory = *Directory;
  return examine(P, *R) ? 1 : 0;
}

} // namespace mpispec
