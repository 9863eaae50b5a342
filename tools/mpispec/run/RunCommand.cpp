//===- RunCommand.cpp - mpispec run -----------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/RunCommand.h"
#include "run/ProfileTable.h"
#include "run/ProgramRuntime.h"
#include <algorithm>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace mpispec {

const HelpPage RunHelp = {
    R"(Usage: mpispec run [options] [--] mpiexec -n 4 PROGRAM ARGUMENTS...
       mpispec run [options] [--] PROGRAM ARGUMENTS...

Starts MPI programs with the runtime preloaded. Nothing is compiled or linked again. Messages between
ranks of one node then take shared memory. The runtime is the one for the MPI library that the program
loads. The launcher itself gets no preload. Exit status, signals and standard input are those of the
command.

The launcher is mpiexec or mpirun of MPICH, Intel MPI or Open MPI, srun, or another one. The program may
be a script, or Python with mpi4py. The second form also works behind any launcher:
'srun -n 4 mpispec run ./halo'.
)",
    R"(
Exit status: that of the command; 2 for a mistake in the words before it; 126 or 127 if it cannot be
started.

Examples:
  mpispec run mpiexec -n 4 ./halo
  mpispec run --profile mpiexec -n 4 ./halo
  mpispec run --profile --frames 3 mpiexec -n 4 ./halo
  mpispec run mpiexec -n 2 ./ocean : -n 2 ./atmosphere
  mpispec run mpirun -np 4 python3 solve.py
)"};

namespace {
struct RunOptions {
  CommonOptions Common;
  bool Verbose = false, Summary = false;
  std::string Profile; ///< the directory; empty: no profile
  std::string Frames;  ///< the depth of call paths, a digit; empty: none
  Words Command;
};
} // namespace

static int fail(const std::string &Message) {
  std::fprintf(stderr, "mpispec: error: %s\n", Message.c_str());
  return 2;
}

/// Whether notes are left out. In a job, rank 0 alone prints them.
static bool IsQuiet = false;

static void say(const std::string &Message) {
  if (IsQuiet)
    return;
  std::fprintf(stderr, "mpispec run: %s\n", Message.c_str());
}

static std::string absolutePath(const std::string &Path) {
  char Directory[PATH_MAX];
  return Path[0] == '/' || !getcwd(Directory, sizeof Directory) ? Path : Directory + ("/" + Path);
}

//===- The words -----------------------------------------------------------------------------===//

/// The error, or empty.
static std::string readOptions(Words Arguments, Suggest Suggestion, RunOptions &Options) {
  static const std::string ProfileIs = "--profile=", FramesAre = "--frames=";
  std::string Error = checkWords("run", Arguments, Options.Common, Suggestion);
  if (!Error.empty())
    return Error;
  size_t At = 0;
  for (; At < Arguments.size(); ++At) {
    const std::string &Word = Arguments[At];
    if (Word.size() < 2 || Word[0] != '-')
      break; // the command
    if (Word == "--verbose")
      Options.Verbose = true;
    else if (Word == "--summary")
      Options.Summary = true;
    else if (Word == "--profile")
      Options.Profile = absolutePath("mpispec-profile");
    else if (!Word.compare(0, ProfileIs.size(), ProfileIs))
      Options.Profile = absolutePath(Word.substr(ProfileIs.size()));
    else if (!Word.compare(0, FramesAre.size(), FramesAre))
      Options.Frames = Word.substr(FramesAre.size());
    if (Word == "--" && ++At)
      break;
  }
  Options.Command.assign(Arguments.begin() + At, Arguments.end());
  const auto Words = Arguments.begin() + At;
  if (std::find(Arguments.begin(), Words, "--profile") != Words && !Options.Command.empty() &&
      findExecutable(Options.Command[0]).empty())
    return "there is no program '" + Options.Command[0] +
           "'; a directory is written '--profile=" + Options.Command[0] + "'";
  if (!Options.Frames.empty() &&
      (Options.Frames < "1" || Options.Frames > "8" || Options.Frames.size() > 1))
    return "option '--frames' cannot be '" + Options.Frames + "'; it is a number from 1 to 8";
  if (!Options.Frames.empty() && Options.Profile.empty())
    return "option '--frames' is for '--profile', which is missing";
  if (Options.Command.empty() && !Options.Common.Help)
    return "'mpispec run' needs a command, as in 'mpispec run mpiexec -n 4 ./halo'";
  return "";
}

/// Whether srun started this process. Slurm also sets SLURM_PROCID in two kinds of shells. The
/// shell of a batch script has no SLURM_STEP_ID. In the shell of salloc, SLURM_STEP_ID is one of
/// the highest 32-bit numbers.
static bool isInStepOfSrun() {
  const char *Step = std::getenv("SLURM_STEP_ID");
  return Step && std::strtoul(Step, nullptr, 10) <= INT_MAX;
}

/// The number of this process in its job, as launchers pass it on; -1: this process is no rank.
static int ownRank() {
  for (const char *Name : {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"})
    if (const char *Value = std::getenv(Name))
      return std::atoi(Value);
  const char *Value = std::getenv("SLURM_PROCID");
  return Value && isInStepOfSrun() ? std::atoi(Value) : -1;
}

static void setVariable(const std::string &Variable) {
  const size_t Equals = Variable.find('=');
  setenv(Variable.substr(0, Equals).c_str(), Variable.substr(Equals + 1).c_str(), 1);
}

//===- The command ---------------------------------------------------------------------------===//

static Preload chooseFor(const Words &Command, const std::string &Path, const Launcher &L,
                         const RunInstallation &Here) {
  Preload Chosen = choosePreload(Command, Path, L, Here);
  if (!Chosen.Note.empty())
    say(Command[0] + " " + Chosen.Note + "; it starts as it is");
  return Chosen;
}

/// Puts `mpispec run` before the program, for a launcher that passes no variables.
static void insertSelf(Words &Command, const Program &P, const Words &Variables,
                       const RunInstallation &Here) {
  Words Added;
  if (!Variables.empty()) {
    Added.push_back("env");
    Added.insert(Added.end(), Variables.begin(), Variables.end());
  }
  Added.insert(Added.end(), {Here.Self, "run", "--"});
  Command[P.At] = P.Word;
  Command.insert(Command.begin() + P.At, Added.begin(), Added.end());
}

static void prepareProgram(Words &Command, const Launcher &L, const Program &P,
                           const Words &Variables, const RunInstallation &Here) {
  if (!passesVariables(Command, L, P))
    return insertSelf(Command, P, Variables, Here);
  const auto Begin = Command.begin() + P.At;
  const Preload Chosen =
      chooseFor(Words(Begin, std::find(Begin, Command.end(), ":")), P.Path, L, Here);
  Words All = Variables;
  if (!Chosen.Value.empty())
    All.push_back("LD_PRELOAD=" + Chosen.Value);
  if (!insertVariables(Command, L, P, All))
    insertSelf(Command, P, Variables, Here); // `mpispec run` itself gets no preload
}

/// Changes the command so that its programs get the runtime and \p Variables.
static void prepareCommand(Words &Command, const Launcher &L, const Words &Variables,
                           const RunInstallation &Here) {
  if (L.Path.empty()) {
    const std::string Path = findExecutable(Command[0]);
    const Preload Chosen = Path.empty() ? Preload() : chooseFor(Command, Path, L, Here);
    if (!Chosen.Value.empty())
      setVariable("LD_PRELOAD=" + Chosen.Value);
    return;
  }
  const std::vector<Program> Programs = findPrograms(Command, L);
  if (Programs.empty())
    say("there is no program among the words of " + Command[L.At] + "; it starts as it is");
  // The programs are changed from the last to the first, because an insertion moves the words
  // behind it.
  for (auto P = Programs.rbegin(); P != Programs.rend(); ++P)
    prepareProgram(Command, L, *P, Variables, Here);
}

static void printCommand(const Words &Command) {
  std::string Line = "starts";
  for (const std::string &Word : Command)
    Line += " " + Word;
  say(Line);
}

/// The directory of a profile, or empty. The path is absolute, because ranks may start in another
/// current directory.
static std::string profileDirectory(const RunOptions &Options) {
  const char *Chosen = std::getenv("MPISPEC_PROFILE");
  return Options.Profile.empty() && Chosen && *Chosen ? absolutePath(Chosen) : Options.Profile;
}

/// A new directory in which ranks count messages for a summary. It is in the current directory,
/// because all nodes of a job must find it. Empty: none can be made.
static std::string makeSummaryDirectory() {
  std::string Path = absolutePath(".mpispec-summary-XXXXXX");
  return mkdtemp(Path.data()) ? Path : "";
}

/// Prints the summary of \p Directory, and removes the directory if it is temporary.
static void printSummary(const std::string &Directory, const ProfileFiles &Earlier,
                         bool IsTemporary) {
  std::signal(SIGPIPE, SIG_IGN); // nobody may read this any more, and the directory must go
  const std::string Line = summarizeMessages(Directory, Earlier);
  std::fprintf(stderr, "mpispec run: %s\n",
               Line.empty() ? "no rank counted messages: none has the runtime, or none called MPI"
                            : Line.c_str());
  if (!IsTemporary)
    return;
  std::error_code Code; // a file that cannot be removed stays
  std::filesystem::remove_all(Directory, Code);
}

/// Prints the profile on standard error, because standard output is the program's.
static void printProfile(const RunOptions &Options, const ProfileFiles &Earlier,
                         const RunInstallation &Here) {
  const std::string &Directory = Options.Profile;
  dup2(STDERR_FILENO, STDOUT_FILENO);
  if (!hasProfile(Directory, Earlier)) {
    say("no rank left a profile in " + Directory);
  } else if (!Here.Profiler.empty()) {
    chooseColor(Options.Common.Color);
    superviseProcess({Here.Profiler, Directory});
  } else {
    printProfileTable(Directory, Earlier, stderr);
    say("'mpispec profile " + Directory + "' of a whole installation shows call sites as well");
  }
}

int runProgram(const RunInstallation &Here, Words Arguments, Suggest Suggestion) {
  RunOptions Options;
  if (const std::string Error = readOptions(std::move(Arguments), Suggestion, Options);
      !Error.empty())
    return fail(Error);
  if (Options.Common.Help) {
    printHelpPage("run", RunHelp);
    return 0;
  }
  const Launcher L = findLauncher(Options.Command);
  // A command with a launcher starts a job of its own, even in a rank of another job, such as the
  // shell of `srun --pty`.
  const int Rank = L.Path.empty() ? ownRank() : -1;
  const bool IsRank = Rank >= 0; // the launcher started this process
  IsQuiet = Options.Common.Quiet || Rank > 0;
  const std::string Profile = profileDirectory(Options);
  const bool Summarizes = Options.Summary && !IsRank;
  const std::string Summary = !Summarizes       ? std::string()
                              : Profile.empty() ? makeSummaryDirectory()
                                                : Profile;
  const std::string Counts = Options.Profile.empty() ? Summary : Options.Profile;
  if (Options.Summary && Summary.empty())
    say(IsRank ? "--summary has no effect behind the launcher; write it before"
               : "cannot make a directory here for the summary");
  if (IsRank && !Options.Profile.empty())
    say("behind the launcher, --profile prints nothing; write it before, or call 'mpispec "
        "profile " +
        Options.Profile + "' at the end");
  Words Variables;
  if (Options.Verbose)
    Variables.push_back("MPISPEC_VERBOSE=1");
  if (!Counts.empty())
    Variables.push_back("MPISPEC_PROFILE=" + Counts);
  if (!Options.Frames.empty())
    Variables.push_back("MPISPEC_PROFILE_FRAMES=" + Options.Frames);
  std::for_each(Variables.begin(), Variables.end(), setVariable);
  prepareCommand(Options.Command, L, Variables, Here);
  if (Options.Verbose)
    printCommand(Options.Command);
  if (Counts.empty() || IsRank)
    return replaceProcess(Options.Command);
  const ProfileFiles Earlier = profileFilesIn(Counts);
  const int Status = superviseProcess(Options.Command);
  if (!Options.Profile.empty())
    printProfile(Options, Earlier, Here);
  if (!Summary.empty())
    printSummary(Summary, Earlier, /*IsTemporary=*/Profile.empty());
  return exitAs(Status);
}

} // namespace mpispec
