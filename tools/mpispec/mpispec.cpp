//===- mpispec.cpp - The main program: a compiler command or a subcommand ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mpispec mpicc ...` runs a compiler command (lib/Driver). `mpispec explain|rewrite|report|lint`
// print facts, sources, remarks and mistakes. `mpispec run` starts programs. `mpispec doctor` and
// `mpispec tune` examine the machine. If the program is started as mpispec-cc or mpispec-c++, it
// works like `mpispec mpicc` or `mpispec mpicxx`. If it is started under a compiler's name, it
// works like `mpispec` with this compiler (Driver/Masquerade.h).
//
//===------------------------------------------------------------------------------------------===//
#include "CacheCommand.h"
#include "Driver/Driver.h"
#include "Driver/Invocation.h"
#include "Driver/Masquerade.h"
#include "Help.h"
#include "Inspect.h"
#include "LintCommand.h"
#include "SubcommandWords.h"
#include "SummariseCommand.h"
#include "Support/OutputFile.h"
#include "Support/Suggestion.h"
#include "Tune.h"
#include "doctor/Doctor.h"
#include "run/Completion.h"
#include "run/ResultFile.h"
#include "run/RunCommand.h"
#include "run/RuntimeCommand.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mpispec;

/// The first of \p Places, relative to the directory of this program, that exists.
static std::string findBeside(StringRef Program, ArrayRef<StringRef> Places) {
  for (StringRef Place : Places) {
    SmallString<256> Path(sys::path::parent_path(Program));
    sys::path::append(Path, Place);
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    if (sys::fs::exists(Path))
      return Path.str().str();
  }
  return "";
}

static std::string ownPath(const char *Argv0) {
  return sys::fs::getMainExecutable(Argv0, reinterpret_cast<void *>(&ownPath));
}

/// The files that belong to this program, in an installation or in a build tree. Settings override
/// them.
static Installation findInstallation(const Settings &S, const char *Argv0) {
  std::string Program = ownPath(Argv0);
  Installation Here;
  Here.Analyzer = !S.Analyzer.empty()
                      ? S.Analyzer
                      : findBeside(Program, {"mpispec-analyze", MPISPEC_LIBEXECDIR_FROM_PROGRAMS
                                             "/mpispec/mpispec-analyze"});
  Here.FortranAnalyzer =
      findBeside(Program, {"mpispec-analyze-fortran",
                           MPISPEC_LIBEXECDIR_FROM_PROGRAMS "/mpispec/mpispec-analyze-fortran"});
  Here.LintPage =
      findBeside(Program, {MPISPEC_DOCDIR_FROM_PROGRAMS "/docs/Lint.md", "../../../docs/Lint.md"});
  Here.Profiler = findBeside(
      Program, {"mpispec-profile", MPISPEC_LIBEXECDIR_FROM_PROGRAMS "/mpispec/mpispec-profile"});
  Here.Runtime = !S.Runtime.empty()
                     ? S.Runtime
                     : findBeside(Program, {"../lib/libmpispec.a",
                                            MPISPEC_LIBDIR_FROM_PROGRAMS "/libmpispec.a"});
  if (S.Runtime.empty())
    Here.RuntimeDirectories = findRunInstallation().Runtimes;
  return Here;
}

/// The words after the program's own name. If this name stands for a compiler, the compiler comes
/// first.
static CommandLine wordsOf(int Argc, char **Argv) {
  CommandLine Words;
  StringRef Name = sys::path::filename(Argv[0]);
  if (StringRef Compiler = masqueradedName(Name); !Compiler.empty())
    Words.push_back(Compiler.str());
  else if (Name == "mpispec-cc")
    Words.push_back("mpicc");
  else if (Name == "mpispec-c++")
    Words.push_back("mpicxx");
  Words.insert(Words.end(), Argv + 1, Argv + Argc);
  return Words;
}

/// The subcommand whose name \p Word misspells, or empty. A word that is an executable counts as a
/// compiler.
static StringRef mistypedSubcommand(StringRef Word) {
  if (Word.contains('/') || sys::findProgramByName(Word))
    return "";
  return nearest(Word, subcommands());
}

/// `mpispec --mpispec-install-links=DIR [NAME...]`
static int makeLinks(StringRef Directory, ArrayRef<std::string> Wanted) {
  if (Directory.contains(':')) {
    errs() << "mpispec: error: a directory with a colon, '" << Directory
           << "', cannot be on the PATH\n";
    return 1;
  }
  Expected<std::vector<std::string>> Names = installLinks(Directory, Wanted);
  if (!Names) {
    errs() << "mpispec: error: " << toString(Names.takeError()) << '\n';
    return 1;
  }
  SmallString<256> Place(Directory);
  sys::fs::make_absolute(Place);
  outs() << "mpispec stands in " << Place << " for: " << join(*Names, " ")
         << "\nto use it: PATH=" << quoted({Place.str().str()}) << ":$PATH make\n";
  return 0;
}

/// `mpispec links DIR [NAME...]`, which is `mpispec --mpispec-install-links=DIR [NAME...]`.
static int links(ArrayRef<std::string> Words) {
  if (!Words.empty())
    return makeLinks(Words[0], Words.drop_front());
  errs() << "mpispec: error: 'mpispec links' needs a directory, and then perhaps names of "
            "compilers; see 'mpispec links --help'\n";
  return 2;
}

static std::string suggest(const std::string &Word, const CommandLine &Known) {
  return didYouMean(Word, SmallVector<StringRef>(Known.begin(), Known.end()));
}

/// `mpispec completion SHELL`
static int complete(ArrayRef<std::string> Words) {
  const std::string Script = Words.size() == 1 ? completionScript(Words[0]) : "";
  if (Script.empty()) {
    errs() << "mpispec: error: 'mpispec completion' needs a shell: bash, zsh or fish\n";
    return 2;
  }
  outs() << Script;
  return 0;
}

/// Fills in what doctor and tune examine.
static void describe(Patient &P, const Settings &S, const Installation &Here, const char *Argv0) {
  breakWrapperLoops();
  P.HasCompiler = true;
  P.Analyzer = Here.Analyzer;
  P.Archive = Here.Runtime;
  P.Runtimes = Here.RuntimeDirectories;
  P.IsQuiet = S.Quiet;
  P.Suggestion = suggest;
  P.Self = ownPath(Argv0);
}

/// Runs a subcommand that prints a result.
static int printResult(Settings &S, const Installation &Here, Patient &P,
                       const CommandLine &Words) {
  const std::string &Name = Words[0];
  if (Name == "completion")
    return complete(ArrayRef(Words).drop_front());
  if (Name == "cache")
    return showCache(ArrayRef(Words).drop_front());
  if (Name == "doctor")
    return doctor(P, ArrayRef(Words).drop_front());
  if (Name == "lint")
    return lint(S, Here, Words);
  if (Name == "summarise")
    return summarise(S, Here, Words);
  return inspect(S, Here, Words);
}

/// Runs the subcommand that is the first of \p Words.
static int runSubcommand(Settings &S, const Installation &Here, const char *Argv0,
                         CommandLine Words) {
  const std::string Name = Words[0];
  CommonOptions Common;
  Words.erase(Words.begin());
  if (Name == "run")
    return runProgram(findRunInstallation(), Words, suggest);
  if (Name == "runtime")
    return manageRuntimes(findRunInstallation(), Words, suggest);
  if (const std::string Mistake = checkWords(Name, Words, Common, suggest); !Mistake.empty()) {
    errs() << "mpispec: error: " << Mistake << '\n';
    return 2;
  }
  if (Common.Help) {
    printSubcommandHelp(Name, outs());
    return 0;
  }
  chooseColor(Common.Color);
  S.Quiet = Common.Quiet;
  Words.insert(Words.begin(), Name);
  Patient P;
  if (Name == "tune" || Name == "doctor")
    describe(P, S, Here, Argv0);
  if (Name == "tune") // has a file of its own behind `-o`
    return tune(P, ArrayRef(Words).drop_front());
  if (Name == "links")
    return links(ArrayRef(Words).drop_front());
  ResultFile Result;
  if (!Result.take(Words))
    return 2;
  const int Ended = printResult(S, Here, P, Words);
  const int Status = endStandardOutput(endOutput(Ended));
  // lint has a result also when it ends with 2 because some sources could not be checked.
  return Result.finish(Status, Status == Ended && (Ended < 2 || Name == "lint"));
}

static int noPage(StringRef Topic) {
  SmallVector<StringRef> Topics(subcommands().begin(), subcommands().end());
  Topics.append({"compile", "environment"});
  errs() << "mpispec: error: there is no page '" << Topic << "'" << didYouMean(Topic, Topics)
         << "; 'mpispec --help' lists the subcommands\n";
  return 2;
}

/// `mpispec help [SUBCOMMAND | compile | environment]`
static int help(ArrayRef<std::string> Words) {
  StringRef Topic = Words.size() > 1 ? StringRef(Words[1]) : "";
  if (Topic == "summarize")
    Topic = "summarise";
  const bool HasTopic = Words[0] == "help" && !Topic.empty() && !Topic.starts_with("-");
  if (HasTopic && Words.size() > 2) {
    errs() << "mpispec: error: 'mpispec help' takes one word\n";
    return 2;
  }
  if (is_contained(subcommands(), Topic))
    printSubcommandHelp(Topic, outs());
  else if (Topic == "compile")
    printCompileHelp(outs());
  else if (Topic == "environment")
    printEnvironmentHelp(outs());
  else if (HasTopic)
    return noPage(Topic);
  else
    printHelp(outs());
  return 0;
}

/// Runs as a link under a compiler's name: the compiler is the next of that name on the PATH.
static int runAsCompiler(const Settings &S, const char *Argv0, ArrayRef<std::string> Words) {
  if (lookBehindLinks(Words[0]))
    return runCompilerCommand(S, findInstallation(S, Argv0), Words);
  errs() << "mpispec: error: '" << Argv0 << "' is a link to mpispec, and there is no other '"
         << Words[0] << "' on the PATH\n";
  return 127;
}

static int runWords(int Argc, char **Argv) {
  CommandLine Words = wordsOf(Argc, Argv);
  Expected<Settings> S = takeSettings(Words);
  if (!S) {
    errs() << "mpispec: error: " << toString(S.takeError()) << '\n';
    return 2;
  }
  if (!S->LinksDirectory.empty())
    return makeLinks(S->LinksDirectory, Words);
  if (!S->Help && !masqueradedName(Argv[0]).empty())
    return runAsCompiler(*S, Argv[0], Words);
  if (!Words.empty() && Words[0] == "summarize") // the American spelling
    Words[0] = "summarise";
  StringRef First = Words.empty() ? "" : StringRef(Words[0]);
  if (First == "--help" || First == "-h" || First == "help")
    return help(Words);
  if (S->Help) {
    printCompileHelp(outs());
    return 0;
  }
  if (First == "--version" || First == "-V") {
    printVersion(findRunInstallation().Runtimes, outs());
    return 0;
  }
  Installation Here = findInstallation(*S, Argv[0]);
  if (is_contained(subcommands(), First))
    return runSubcommand(*S, Here, Argv[0], Words);
  if (First.empty() || First.starts_with("-")) {
    errs() << "mpispec: error: "
           << (First.empty() ? "no command"
                             : "unknown option '" + First.str() + "'" +
                                   suggest(First.str(), leadingOptions()))
           << "; name the compiler first, as in 'mpispec mpicc -O2 -c foo.c', or see "
              "'mpispec --help'\n";
    return 2;
  }
  if (StringRef Meant = mistypedSubcommand(First); !Meant.empty()) {
    errs() << "mpispec: error: '" << First
           << "' is neither a compiler nor a subcommand; did you mean '" << Meant << "'?\n";
    return 2;
  }
  if (isCompilerName(sys::path::filename(First))) // others may start compilers behind these links
    lookBehindLinks(sys::path::filename(First));
  return runCompilerCommand(*S, Here, Words);
}

int main(int Argc, char **Argv) { return endStandardOutput(endOutput(runWords(Argc, Argv))); }
