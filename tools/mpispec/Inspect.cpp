//===- Inspect.cpp - mpispec explain, rewrite, report and database ----------------------------===//
//
//
// `explain` and `rewrite` need Clang: this finds out how a source is compiled (flags after `--`, a
// compiler command after `--`, or a compile database) and hands over to mpispec-analyze.
// `report` only reads remarks, `database` only a compile database: they are done here.
//
//===------------------------------------------------------------------------------------------===//
#include "Inspect.h"
#include "Driver/CompileDatabase.h"
#include "Help.h"
#include "Report/Report.h"
#include "Support/AnalysisProtocol.h"
#include "Support/Suggestion.h"
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
  CommandLine Options; ///< for mpispec-analyze
  CommandLine Files;
  std::string BuildDirectory; ///< empty: no compile database
  CommandLine Flags;          ///< what stands after `--`
  bool JSON = false;
  unsigned Width = 0; ///< 0: the terminal's
};

/// How one source is compiled.
struct SourceCommand {
  std::string Directory; ///< where; empty: here
  CommandLine Arguments; ///< Clang's
};
} // namespace

static int fail(const Twine &Message, int Status = 1) {
  errs() << "mpispec: error: " << Message << '\n';
  return Status;
}

//===- What is asked -------------------------------------------------------------------------===//

/// The options that \p Subcommand may have, but for `-p DIR`.
static SmallVector<StringRef> optionsOf(StringRef Subcommand) {
  SmallVector<StringRef> Known = {"--help"};
  if (Subcommand == "explain" || Subcommand == "report")
    Known.append({"--width", "--format"});
  if (Subcommand == "explain" || Subcommand == "rewrite")
    Known.push_back("--print");
  return Known;
}

static Error readOption(Request &R, StringRef Word) {
  auto [Name, Value] = Word.split('=');
  SmallVector<StringRef> Known = optionsOf(R.Subcommand);
  if (!is_contained(Known, Name))
    return createStringError("unknown option '" + Word + "' of 'mpispec " + R.Subcommand + "'" +
                             didYouMean(Name, Known) + "; 'mpispec " + R.Subcommand +
                             " --help' lists the options");
  bool Good = true;
  if (Name == "--width")
    Good = !Value.getAsInteger(10, R.Width) && R.Width > 0;
  else if (Name == "--format")
    Good = Value == "json" || Value == "table";
  else
    Good = Value == "sites" || Value == "facts" || Value == "choices";
  if (!Good)
    return createStringError("option '" + Name + "' cannot be '" + Value + "'; 'mpispec " +
                             R.Subcommand + " --help' says what it can be");
  R.JSON |= Name == "--format" && Value == "json";
  R.Options.push_back(Word.str());
  return Error::success();
}

static Expected<Request> readRequest(ArrayRef<std::string> Words) {
  Request R;
  R.Subcommand = Words[0];
  for (size_t Next = 1; Next < Words.size(); ++Next) {
    const std::string &Word = Words[Next];
    if (Word == "--") {
      R.Flags.assign(Words.begin() + Next + 1, Words.end());
      break;
    }
    if (Word == "-p" && R.Subcommand != "report") {
      if (++Next == Words.size())
        return createStringError("option '-p' needs a build directory: -p DIR");
      R.BuildDirectory = Words[Next];
    } else if (Word.size() > 1 && Word[0] == '-') {
      if (Error E = readOption(R, Word))
        return std::move(E);
    } else {
      R.Files.push_back(Word);
    }
  }
  if (R.Files.empty())
    return createStringError("'mpispec " + R.Subcommand + "' needs a " +
                             (R.Subcommand == "report" ? "directory of remarks"
                              : R.Subcommand == "database"
                                  ? "build directory that holds compile_commands.json"
                                  : "source file before the --"));
  return R;
}

//===- How a source is compiled --------------------------------------------------------------===//

static Error checkReadable(StringRef File) {
  Expected<sys::fs::file_t> Handle = sys::fs::openNativeFileForRead(File);
  if (!Handle)
    return createStringError("cannot read '" + File + "': " + toString(Handle.takeError()) +
                             "; name a C or C++ source");
  sys::fs::closeFile(*Handle);
  if (sys::fs::is_directory(File))
    return createStringError("'" + File + "' is a directory; name a C or C++ source");
  return Error::success();
}

static bool isCXXSource(const std::string &File) {
  Invocation I = parseInvocation({File}, /*CompilerIsCXX=*/false);
  return I.Arguments[0].Lang == "c++";
}

/// The words of a compiler command for \p File: flags alone are those of the MPI wrapper.
static CommandLine commandFor(const Request &R, const std::string &File) {
  CommandLine Words = R.Flags;
  if (Words.empty() || StringRef(Words[0]).starts_with("-"))
    Words.insert(Words.begin(), isCXXSource(File) ? "mpicxx" : "mpicc");
  return Words;
}

/// The position of \p File among the sources of \p I; it is added if it is not there.
static unsigned findSource(Invocation &I, const std::string &File, bool CompilerIsCXX) {
  for (unsigned Index : I.sources())
    if (sys::fs::equivalent(I.Arguments[Index].Value, File))
      return Index;
  Invocation Own = parseInvocation({File}, CompilerIsCXX);
  I.Arguments.push_back(Own.Arguments[0]);
  return I.Arguments.size() - 1;
}

/// Clang's arguments for \p File as \p Words compile it, in the current directory.
static Expected<CommandLine> clangArguments(ArrayRef<std::string> Words, const std::string &File) {
  Command C = splitCommand(Words);
  if (!sys::findProgramByName(C.Compiler.back()))
    return createStringError(std::make_error_code(std::errc::no_such_file_or_directory),
                             "cannot find the compiler '" + C.Compiler.back() +
                                 "'; name yours after the --, as in '-- gcc -I/opt/mpi/include'");
  Toolchain T = resolveToolchain(C);
  bool CompilerIsCXX = compilesCXX(T.Compiler);
  Invocation I = parseInvocation(T.Arguments, CompilerIsCXX);
  unsigned Index = findSource(I, File, CompilerIsCXX);
  if (I.Arguments[Index].Lang != "c" && I.Arguments[Index].Lang != "c++")
    return createStringError("'" + File + "' is no C or C++ source; name one");
  std::vector<std::string> LastDirectories;
  if (std::string Own = headerDirectory(T); T.Kind == CompilerKind::Gcc && !Own.empty())
    LastDirectories.push_back(Own);
  return analysisArguments(T, I, Index, LastDirectories);
}

static Expected<SourceCommand> findCommand(const Request &R, const std::string &File) {
  if (Error E = checkReadable(File))
    return std::move(E);
  SourceCommand S;
  CommandLine Words = commandFor(R, File);
  SmallString<256> Full(File);
  if (!R.BuildDirectory.empty()) {
    Expected<DatabaseEntry> Entry = findInDatabase(R.BuildDirectory, File);
    if (!Entry)
      return Entry.takeError();
    S.Directory = Entry->Directory;
    Words = Entry->Words;
    sys::fs::make_absolute(Full);
    if (sys::fs::set_current_path(S.Directory))
      return createStringError("cannot enter '" + S.Directory +
                               "', where the compile database compiles '" + File +
                               "'; build the project again");
  }
  Expected<CommandLine> Arguments = clangArguments(Words, Full.str().str());
  if (!Arguments)
    return Arguments.takeError();
  S.Arguments = std::move(*Arguments);
  return S;
}

//===- Handing over --------------------------------------------------------------------------===//

static CommandLine analyzerCommand(const Settings &S, const Installation &Here, const Request &R,
                                   const SourceCommand &Source) {
  CommandLine Command = {Here.Analyzer, R.Subcommand};
  Command.insert(Command.end(), R.Options.begin(), R.Options.end());
  if (!S.WarnArguments)
    Command.push_back(AnalysisOption::NoWarnings.option());
  if (S.InlineAll)
    Command.push_back(AnalysisOption::InlineAll.option());
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

/// 127, as a shell has it, if there is no such compiler.
static int failFor(Error E) {
  int Status = 1;
  handleAllErrors(std::move(E), [&](const ErrorInfoBase &Info) {
    bool NoCompiler = Info.convertToErrorCode() == std::errc::no_such_file_or_directory;
    Status = fail(Info.message(), NoCompiler ? 127 : 1);
  });
  return Status;
}

static int analyseFiles(const Settings &S, const Installation &Here, const Request &R) {
  SmallString<256> Start;
  sys::fs::current_path(Start);
  json::Array All;
  int Worst = 0;
  for (const std::string &File : R.Files) {
    Expected<SourceCommand> Source = findCommand(R, File);
    if (!Source)
      return failFor(Source.takeError());
    CommandLine Command = analyzerCommand(S, Here, R, *Source);
    int Status = R.JSON ? collectJSON(Command, All) : run(Command).exitStatus();
    Worst = std::max(Worst, Status);
    sys::fs::set_current_path(Start);
  }
  if (R.JSON)
    outs() << formatv("{0:2}", json::Value(std::move(All))) << '\n';
  return Worst;
}

static int report(const Request &R) {
  unsigned Width = R.Width ? R.Width : sys::Process::StandardOutColumns();
  if (R.Files.size() > 1)
    return fail("'mpispec report' reads one directory; give the one that holds them all");
  if (Error E = printReport(R.Files[0], Width ? Width : 100, outs(), R.JSON))
    return fail(toString(std::move(E)));
  return 0;
}

static int database(const Request &R) {
  if (R.Files.size() > 1)
    return fail("'mpispec database' reads one build directory; ask for each on its own");
  Expected<json::Array> Entries = databaseOfCompilers(R.Files[0]);
  if (!Entries)
    return fail(toString(Entries.takeError()));
  outs() << formatv("{0:2}\n", json::Value(std::move(*Entries)));
  return 0;
}

/// `--help` among the words before the compiler's.
static bool asksForHelp(ArrayRef<std::string> Words) {
  ArrayRef<std::string> Own(Words.begin(), find(Words, "--"));
  return is_contained(Own, "--help") || is_contained(Own, "-h");
}

int inspect(const Settings &S, const Installation &Here, ArrayRef<std::string> Words) {
  if (asksForHelp(Words)) {
    printSubcommandHelp(Words[0], outs());
    return 0;
  }
  Expected<Request> R = readRequest(Words);
  if (!R)
    return fail(toString(R.takeError()));
  if (R->Subcommand == "report")
    return report(*R);
  if (R->Subcommand == "database")
    return database(*R);
  if (Here.Analyzer.empty())
    return fail("mpispec-analyze is missing; install mpispec again, with the analysis");
  return analyseFiles(S, Here, *R);
}

} // namespace mpispec
