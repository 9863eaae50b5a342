//===- Doctor.cpp - mpispec doctor: its arguments and the table of checks ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "doctor/Doctor.h"
#include "doctor/DoctorReport.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace mpispec {

const HelpPage DoctorHelp = {
    R"(Usage: mpispec doctor [options] [PROGRAM] [-- COMPILER]

Looks at all that is between your compiler and fast messages, and says what is on, what is not and why,
and what would help: the compiler behind mpicc, the MPI library, launcher and runtime and whether they
belong together; shared memory, reading of other ranks' buffers, cores and limits; MPISPEC_* variables;
whether PROGRAM has the runtime, and which. Then it builds a small program, runs it on two ranks, plainly
and specialised, in a temporary directory and with a time limit, and compares. An mpispec without its
compiler preloads the runtime instead. With --container it runs once more in a user and a process
namespace for each rank, as containers have them.
)",
    R"(
COMPILER is the MPI wrapper that you build with (default: mpicc).

Exit status: 0 if all is well, 1 if something is off, 2 for a mistake in the command.

Examples:
  mpispec doctor
  mpispec doctor ./halo
  mpispec doctor ./halo -- /opt/mpi/bin/mpicc
  mpispec doctor --container
)"};

namespace {

struct Check {
  std::string_view Name; ///< in the table and in the JSON output
  const char *Progress;  ///< printed before a slow check; empty: the check is quick
  Finding (*Examine)(Patient &);
  enum Condition : uint8_t {
    Always,
    OfProgram,
    OfContainers,
    WithCompiler,
    WithoutCompiler
  } When = Always;
};

struct Request {
  bool IsJSON = false;
  bool Containers = false; ///< try one container for each rank
  std::string Program;
  Words Compiler = {"mpicc"};
};

} // namespace

static constexpr Check Checks[] = {
    {"system", "", checkSystem},
    {"limits", "", checkLimits}, // low limits break later checks
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
    {"specialised run", "the same, specialised", checkSpecialisedRun, Check::WithCompiler},
    {"preloaded run", "the same, with the runtime preloaded", checkPreloadedRun,
     Check::WithoutCompiler},
    {"containers", "the same, with a container for each rank", checkContainers,
     Check::OfContainers},
};

//===- The patient ---------------------------------------------------------------------------===//

std::string Patient::makeDirectory() {
  const char *Place = std::getenv("TMPDIR");
  std::string Path;
  for (const std::string Parent : {Place && *Place ? Place : "/tmp", "/tmp"}) { // as compilers do
    Path = Parent + "/mpispec-doctor-XXXXXX";
    if (mkdtemp(Path.data())) {
      Directory = Path;
      return "";
    }
  }
  return "cannot make the directory '" + Path + "': " + std::strerror(errno);
}

void Patient::clean() {
  std::error_code Ignored;
  if (!Directory.empty())
    std::filesystem::remove_all(Directory, Ignored);
  Directory.clear();
}

void Patient::endIfInterrupted() {
  if (const int Signal = caughtSignal()) {
    clean();
    endBySignal(Signal);
  }
}

/// Reads the output of \p Command from a pipe, because the size of files may be limited. `timeout`
/// sends SIGTERM to a launcher before it kills the launcher, so that the launcher can end its
/// ranks. If the shell receives a signal, it sends SIGTERM to `timeout`, which passes it on. If
/// `timeout` is not on the user's PATH, /usr/bin/timeout is used.
Patient::Outcome Patient::run(const Words &Command, unsigned Seconds) {
  const std::string Limit = findExecutable("timeout");
  Words Shell = {"/bin/sh",
                 "-c",
                 "\"$@\" 2>&1 & trap 'kill $!' INT TERM HUP QUIT; wait $!; s=$?; echo; echo $s",
                 "sh",
                 Limit.empty() ? "/usr/bin/timeout" : Limit,
                 "-k",
                 "5",
                 std::to_string(Seconds)};
  Shell.insert(Shell.end(), Command.begin(), Command.end());
  const auto Begin = std::chrono::steady_clock::now();
  const std::string Text = trimmed(captureOutput(Shell).value_or("1"));
  const auto Duration = std::chrono::steady_clock::now() - Begin;
  endIfInterrupted();
  const size_t Last = Text.rfind('\n') + 1; // 0 if there is one line
  int Status = std::atoi(Text.c_str() + Last);
  if (Status == 128 + SIGKILL && Duration >= std::chrono::seconds(Seconds))
    Status = TimedOut; // by `timeout -k`, because the launcher ignored SIGTERM
  return {Status, trimmed(Text.substr(0, Last))};
}

//===- Text ----------------------------------------------------------------------------------===//

std::string joined(const Words &All, const char *Separator) {
  std::string Text;
  for (const std::string &Word : All)
    Text += (&Word == &All.front() ? "" : Separator) + Word;
  return Text;
}

std::string trimmed(const std::string &Text) {
  constexpr const char *Space = " \t\n\v\f\r";
  const size_t Begin = Text.find_first_not_of(Space);
  return Begin == std::string::npos ? ""
                                    : Text.substr(Begin, Text.find_last_not_of(Space) + 1 - Begin);
}

std::string firstLine(const std::string &Text) {
  const std::string Rest = trimmed(Text);
  return trimmed(Rest.substr(0, Rest.find('\n')));
}

std::string lastWords(const std::string &Text) {
  const std::string Whole = trimmed(Text);
  const std::string Last = trimmed(Whole.substr(Whole.rfind('\n') + 1));
  return Last.empty() ? "no output" : Last.substr(0, 200);
}

bool writeFile(const std::string &Path, std::string_view Text) {
  std::FILE *File = std::fopen(Path.c_str(), "w");
  if (!File)
    return false;
  const bool IsWhole = std::fwrite(Text.data(), 1, Text.size(), File) == Text.size();
  return !std::fclose(File) && IsWhole;
}

//===- The request ---------------------------------------------------------------------------===//

/// Returns the error, or an empty text.
static std::string readRequest(const Words &Arguments, Request &R) {
  for (size_t Next = 0; Next < Arguments.size(); ++Next) {
    const std::string &Word = Arguments[Next];
    if (Word == "--") {
      R.Compiler.assign(Arguments.begin() + Next + 1, Arguments.end());
      return R.Compiler.empty() ? "a compiler must follow the --, as in '-- mpicc'" : "";
    }
    if (Word == "--format=json" || Word == "--format=table")
      R.IsJSON = Word == "--format=json";
    else if (Word == "--container")
      R.Containers = true;
    else if (!R.Program.empty())
      return "'mpispec doctor' looks at one program; '" + Word + "' is a second one";
    else
      R.Program = Word;
  }
  return "";
}

static bool isWanted(const Check &C, const Patient &P, const Request &R) {
  switch (C.When) {
  case Check::Always:
    return true;
  case Check::OfProgram:
    return !P.Program.empty();
  case Check::OfContainers:
    return R.Containers;
  case Check::WithCompiler:
    return P.HasCompiler;
  case Check::WithoutCompiler:
    return !P.HasCompiler;
  }
  return false;
}

static int fail(int Status, const std::string &Error) {
  std::fprintf(stderr, "mpispec: error: %s\n", Error.c_str());
  return Status;
}

int doctor(Patient &P, const Words &Arguments) {
  Request R;
  if (const std::string Error = readRequest(Arguments, R); !Error.empty())
    return fail(2, Error);
  std::signal(SIGXFSZ, SIG_IGN); // a write beyond `ulimit -f` then fails: a finding
  catchSignals();
  P.Program = R.Program;
  P.Compiler = R.Compiler;
  if (const std::string Error = P.makeDirectory(); !Error.empty())
    return fail(1, Error);
  DoctorReport Report(R.IsJSON);
  for (const Check &C : Checks) {
    if (!isWanted(C, P, R))
      continue;
    if (*C.Progress && !P.IsQuiet)
      std::fprintf(stderr, "mpispec doctor: %s ...\n", C.Progress);
    const Finding F = C.Examine(P);
    P.endIfInterrupted();
    Report.add(C.Name, F);
  }
  Report.finish();
  return Report.off() ? 1 : 0;
}

} // namespace mpispec
