//===- Inspect.cpp - mpispec explain, rewrite, report, profile and database -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `explain` and `rewrite` need Clang. Therefore this file starts mpispec-analyze with the arguments
// of a source (SourceCommand.h), and mpispec-analyze-fortran for Fortran sources. `report` and
// `database` run in this process. `profile` is a program of its own.
//
//===------------------------------------------------------------------------------------------===//
#include "Inspect.h"
#include "Driver/CompileDatabase.h"
#include "Driver/ProfileOption.h"
#include "FortranAnalysis.h"
#include "Report/Report.h"
#include "SourceCommand.h"
#include "SubcommandWords.h"
#include "Support/AnalysisProtocol.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mpispec {

namespace {
struct Request {
  std::string Subcommand;
  SubcommandWords Words;
  CommandLine Options; ///< for mpispec-analyze
  bool JSON = false;
  std::string Page;                   ///< where the page of `report` goes; empty: no page
  std::string Profile, ProfileBefore; ///< directories of profiles for it; may be empty
  unsigned Width = 0;                 ///< 0: the terminal's
};
} // namespace

/// The exit status for a mistake in the command.
static constexpr int Usage = 2;

static int fail(const Twine &Message, int Status = 1) {
  errs() << "mpispec: error: " << Message << '\n';
  return Status;
}

//===- The request ---------------------------------------------------------------------------===//

static Error readOption(Request &R, StringRef Word) {
  auto [Name, Value] = Word.split('=');
  if (Name == "--width" && (Value.getAsInteger(10, R.Width) || !R.Width))
    return createStringError("option '--width' cannot be '" + Value +
                             "'; it is a number of columns");
  if (Name == "--html")
    R.Page = Value.str();
  else if (Name == "--profile")
    R.Profile = Value.str();
  else if (Name == "--profile-before")
    R.ProfileBefore = Value.str();
  R.JSON |= Name == "--format" && Value == "json";
  R.Options.push_back(Word.str());
  return Error::success();
}

static Expected<Request> readRequest(ArrayRef<std::string> Words) {
  Request R;
  R.Subcommand = Words[0];
  auto ReadOption = [&](ArrayRef<std::string> Words) -> Expected<size_t> {
    if (Error E = readOption(R, Words[0]))
      return E;
    return 1;
  };
  Expected<SubcommandWords> Read =
      readWords(Words.drop_front(), R.Subcommand != "report", ReadOption);
  if (!Read)
    return Read.takeError();
  R.Words = std::move(*Read);
  if (R.JSON && any_of(R.Options, [](StringRef Word) { return Word.starts_with("--print="); }))
    return createStringError("'--print' and '--format=json' are two forms of an answer; ask for "
                             "one at a time");
  bool NeedsNoFile = !R.Page.empty() && !R.Profile.empty(); // a page of the profile alone
  if (R.Words.Files.empty() && !NeedsNoFile)
    return createStringError("'mpispec " + R.Subcommand + "' needs a " +
                             (R.Subcommand == "report" ? "directory of remarks"
                              : R.Subcommand == "database"
                                  ? "build directory that holds compile_commands.json"
                                  : "source file before the --"));
  return R;
}

//===- Execution -----------------------------------------------------------------------------===//

static CommandLine analyzerCommand(const Settings &S, const Installation &Here, const Request &R,
                                   const SourceCommand &Source, StringRef Profile) {
  CommandLine Command = {Here.Analyzer, R.Subcommand};
  Command.insert(Command.end(), R.Options.begin(), R.Options.end());
  if (!S.Checks.empty())
    Command.push_back(AnalysisOption::Checks.option(S.Checks));
  if (S.InlineAll)
    Command.push_back(AnalysisOption::InlineAll.option());
  if (!Profile.empty())
    Command.push_back(AnalysisOption::ProfileIndex.option(Profile));
  Command.push_back("--");
  Command.insert(Command.end(), Source.Arguments.begin(), Source.Arguments.end());
  return Command;
}

/// Adds the array that \p Command prints to \p All.
static int collectJSON(const CommandLine &Command, json::Array &All) {
  std::optional<std::string> Text = outputOf(Command, /*ShowErrors=*/true);
  if (!Text)
    return 1;
  Expected<json::Value> Part = json::parse(*Text);
  if (!Part || !Part->getAsArray())
    return fail("the analysis answered no JSON array: " +
                (Part ? std::string("something else") : toString(Part.takeError())) +
                "; please report this");
  for (json::Value &Object : *Part->getAsArray())
    All.push_back(std::move(Object));
  return 0;
}

/// Prints \p E. The exit status is 127, as a shell has it, if there is no such compiler.
static int failFor(Error E) {
  int Status = 1;
  handleAllErrors(std::move(E), [&](const ErrorInfoBase &Info) {
    bool NoCompiler = Info.convertToErrorCode() == std::errc::no_such_file_or_directory;
    Status = fail(Info.message(), NoCompiler ? 127 : 1);
  });
  return Status;
}

/// Prints, or adds to \p All, what is known of the Fortran sources \p Files.
static int explainFortran(const Installation &Here, const Request &R, const CommandLine &Files,
                          json::Array &All) {
  if (R.Subcommand != "explain")
    return fail("'mpispec " + R.Subcommand + "' does not read Fortran; name a C or C++ source");
  Expected<std::vector<FortranOutcome>> Outcomes =
      analyseFortran(Here, R.JSON ? "explain-json" : "explain", R.Words, Files, /*Jobs=*/2);
  if (!Outcomes)
    return fail(toString(Outcomes.takeError()));
  int Worst = 0;
  for (const FortranOutcome &O : *Outcomes) {
    if (!O.Failure.empty())
      Worst = fail("cannot analyse '" + O.Name + "': " + O.Failure);
    else if (!R.JSON)
      outs() << O.Answer;
    else if (Expected<json::Value> Part = json::parse(O.Answer); Part && Part->getAsArray())
      append_range(All, *Part->getAsArray());
    else
      Worst = fail("the analysis answered no JSON array; please report this");
  }
  return Worst;
}

static int analyseFiles(const Settings &S, const Installation &Here, const Request &R) {
  SmallString<256> Start;
  sys::fs::current_path(Start);
  SmallString<256> Profile(profileIndex(S, Here));
  if (!Profile.empty())
    sys::fs::make_absolute(Profile); // files are analysed where their commands run
  json::Array All;
  int Worst = 0;
  CommandLine InFortran;
  for (const std::string &File : R.Words.Files) {
    if (isFortran(File)) {
      InFortran.push_back(File);
      continue;
    }
    Expected<SourceCommand> Source = findCommand(File, R.Words.BuildDirectory, R.Words.Flags);
    if (!Source)
      return failFor(Source.takeError());
    CommandLine Command = analyzerCommand(S, Here, R, *Source, Profile);
    int Status = R.JSON ? collectJSON(Command, All) : run(Command).exitStatus();
    Worst = std::max(Worst, Status);
    sys::fs::set_current_path(Start);
  }
  if (!InFortran.empty())
    Worst = std::max(Worst, explainFortran(Here, R, InFortran, All));
  if (R.JSON)
    outs() << formatv("{0:2}", json::Value(std::move(All))) << '\n';
  return Worst;
}

/// The profile in \p Directory, from `mpispec profile`. Null without a directory. Nothing if there
/// is no profile; a message is then on stderr already.
static std::optional<json::Value> profileOf(const Installation &Here,
                                            const std::string &Directory) {
  if (Directory.empty())
    return json::Value(nullptr);
  std::optional<std::string> Text =
      outputOf({Here.Profiler, "--format=json", Directory}, /*ShowErrors=*/true);
  if (!Text)
    return std::nullopt;
  Expected<json::Value> Profile = json::parse(*Text);
  if (Profile)
    return std::move(*Profile);
  fail("the profile is no JSON: " + toString(Profile.takeError()) + "; please report this");
  return std::nullopt;
}

static int reportPage(const Installation &Here, const Request &R) {
  if (!R.Profile.empty() && Here.Profiler.empty())
    return fail("mpispec-profile is missing; install mpispec again");
  std::optional<json::Value> Profile = profileOf(Here, R.Profile);
  std::optional<json::Value> Before = Profile ? profileOf(Here, R.ProfileBefore) : std::nullopt;
  if (!Before)
    return 1;
  StringRef Remarks = R.Words.Files.empty() ? "" : StringRef(R.Words.Files[0]);
  if (Error E = writeReportPage(Remarks, R.Page, std::move(*Profile), std::move(*Before)))
    return fail(toString(std::move(E)));
  return 0;
}

static int report(const Installation &Here, const Request &R) {
  unsigned Width = R.Width ? R.Width : sys::Process::StandardOutColumns();
  if (R.Words.Files.size() > 1)
    return fail("'mpispec report' reads one directory; give the one that holds them all", Usage);
  if (!R.Page.empty() && R.JSON)
    return fail("'--html' and '--format=json' are two forms of a report; ask for one at a time",
                Usage);
  if (!R.Profile.empty() && R.Page.empty())
    return fail("'--profile' is for the page; name that by '--html=FILE', or see 'mpispec profile'",
                Usage);
  if (!R.ProfileBefore.empty() && R.Profile.empty())
    return fail("'--profile-before' is compared with '--profile=DIR', which is missing", Usage);
  if (!R.Page.empty())
    return reportPage(Here, R);
  if (Error E = printReport(R.Words.Files[0], Width ? Width : 100, outs(), R.JSON))
    return fail(toString(std::move(E)));
  return 0;
}

/// `mpispec profile`: passes the words to the program mpispec-profile.
static int profile(const Installation &Here, ArrayRef<std::string> Words) {
  if (Here.Profiler.empty())
    return fail("mpispec-profile is missing; install mpispec again");
  CommandLine Command = {Here.Profiler};
  Command.insert(Command.end(), Words.begin() + 1, Words.end());
  return run(Command).exitStatus();
}

static int database(const Request &R) {
  if (R.Words.Files.size() > 1)
    return fail("'mpispec database' reads one build directory; ask for each on its own", Usage);
  Expected<json::Array> Entries = databaseOfCompilers(R.Words.Files[0]);
  if (!Entries)
    return fail(toString(Entries.takeError()));
  outs() << formatv("{0:2}\n", json::Value(std::move(*Entries)));
  return 0;
}

int inspect(const Settings &S, const Installation &Here, ArrayRef<std::string> Words) {
  if (Words[0] == "profile")
    return profile(Here, Words);
  Expected<Request> R = readRequest(Words);
  if (!R)
    return fail(toString(R.takeError()), Usage);
  if (R->Subcommand == "report")
    return report(Here, *R);
  if (R->Subcommand == "database")
    return database(*R);
  if (Here.Analyzer.empty())
    return fail("mpispec-analyze is missing; install mpispec again, with the analysis");
  return analyseFiles(S, Here, *R);
}

} // namespace mpispec
