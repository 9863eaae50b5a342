//===- Specialise.cpp - One source, from text to rewritten text -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Specialise.h"
#include "Driver/Prefilter.h"
#include "Support/AnalysisProtocol.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace mpispec {

std::string Installation::runtimeFor(const RuntimeKind &Kind) const {
  if (RuntimeDirectories.empty())
    return Runtime;
  for (StringRef Directory : RuntimeDirectories) {
    SmallString<128> Path(Directory);
    sys::path::append(Path, Kind.Name, "libmpispec.a");
    if (sys::fs::exists(Path))
      return Path.str().str();
  }
  return "";
}

//===- Files that are kept -------------------------------------------------------------------===//

/// A file name that is unique for source, output and directory. It consists of the end of the
/// source's path, which is readable, and a hash of all three.
static std::string uniqueName(const Invocation &I, unsigned Index) {
  const std::string &Source = I.Arguments[Index].Value;
  SmallString<128> Directory;
  sys::fs::current_path(Directory);
  std::string All = (Directory + "\n" + Source + "\n" + I.output(Index)).str();
  std::string Name;
  // Dots and slashes at the beginning are dropped, so that the file is not hidden:
  // `../solver/main.c` becomes solver_main.c.
  for (char Letter : StringRef(Source).take_back(100).ltrim("./"))
    Name += Letter == '/' || Letter == ' ' ? '_' : Letter;
  return Name + "-" + utohexstr(xxh3_64bits(All), /*LowerCase=*/true, /*Width=*/16).substr(0, 12);
}

/// The file for the remarks of a source. Empty if none are written.
static std::string remarkFile(const Session &S, const Invocation &I, unsigned Index) {
  const std::string &Directory = S.settings().RemarksDirectory;
  if (Directory.empty() || S.settings().DryRun)
    return "";
  if (std::error_code Code = sys::fs::create_directories(Directory)) {
    S.warn("--mpispec-remarks: cannot make '" + Directory + "': " + Code.message());
    return "";
  }
  return Directory + "/" + uniqueName(I, Index) + ".yaml";
}

/// Writes the remarks of a source if --mpispec-remarks is set. If they cannot be written, the
/// compilation continues without them.
static void keepRemarks(const Session &S, const Invocation &I, unsigned Index,
                        ArrayRef<Remark> Remarks) {
  std::string File = remarkFile(S, I, Index);
  if (File.empty())
    return;
  if (Error E = writeRemarkFile(File, Remarks))
    S.warn(toString(std::move(E)));
}

void remarkFallback(const Session &S, const Invocation &I, unsigned Index,
                    const FallbackReason &F) {
  const std::string &Source = I.Arguments[Index].Value;
  Remark R = fallbackRemark(F.ID, Source, F.Detail);
  std::string Line = Source + ": not specialised: " + R.message();
  // The user has waited for the analysis. Therefore this message is always printed.
  if (F.ID == RemarkID::FallbackAnalysisTimeout && !S.settings().Verbose)
    errs() << "mpispec: " << Line << '\n';
  S.say(Line);
  keepRemarks(S, I, Index, R);
}

//===- Preprocessing -------------------------------------------------------------------------===//

/// The directory of mpi.h, from the line markers. A wrapper of the user's own may add this
/// directory, and Clang would not search it. Empty if there is no mpi.h, or if the command names
/// the directory.
static std::string directoryOfMpi(const Invocation &I, StringRef Text) {
  StringRef Before = Text.split("/mpi.h\"").first;
  if (Before.size() == Text.size())
    return "";
  StringRef Marker = Before.substr(Before.rfind('\n') + 1);
  StringRef Directory = Marker.split('"').second;
  for (const Argument &Arg : I.Arguments)
    if (Arg.M == Meaning::SearchPath && Arg.Value == Directory)
      return "";
  return Directory.str();
}

/// The part `/usr/lib/gcc/x86_64-linux-gnu/12/include` of a path to a header in this directory, or
/// empty.
static StringRef gccsOwnDirectory(StringRef Path) {
  size_t Name = Path.find("/gcc"); // or gcc-cross
  if (Name == StringRef::npos)
    return "";
  size_t End = Name;
  for (unsigned Level = 0; Level < 3 && End != StringRef::npos; ++Level) // target, version, include
    End = Path.find('/', End + 1);
  StringRef Kind = End == StringRef::npos ? "" : Path.drop_front(End + 1).split('/').first;
  return Kind == "include" || Kind == "include-fixed" ? Path.take_front(End + 1 + Kind.size()) : "";
}

/// The directories of gcc's own headers, from the line markers of \p Text. Clang has most of these
/// headers as well, but not omp.h or quadmath.h.
static std::vector<std::string> directoriesOfGcc(StringRef Text) {
  std::vector<std::string> Found;
  for (size_t At = 0; (At = Text.find("\n# 1 \"", At)) != StringRef::npos; ++At) {
    StringRef Path = Text.drop_front(At + 6).split('"').first;
    std::string Directory = gccsOwnDirectory(Path).str();
    if (!Directory.empty() && !is_contained(Found, Directory))
      Found.push_back(Directory);
  }
  return Found;
}

/// Directories that Clang is to search last, found in the compiler's text.
static std::vector<std::string> lastDirectories(const Toolchain &T, const Invocation &I,
                                                const std::string &Plain) {
  auto Buffer = MemoryBuffer::getFile(Plain, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  std::vector<std::string> Found;
  if (!Buffer)
    return Found;
  if (T.Kind == CompilerKind::Gcc)
    Found = directoriesOfGcc((*Buffer)->getBuffer());
  std::string Mpi = T.Wrapped ? "" : directoryOfMpi(I, (*Buffer)->getBuffer());
  if (!Mpi.empty())
    Found.insert(Found.begin(), Mpi);
  return Found;
}

//===- Analysis ------------------------------------------------------------------------------===//

namespace {
/// The files of one source.
struct Files {
  std::string Plain, Rewritten, Answer, Messages;
  std::string ProfileIndex = {};
};
} // namespace

/// The line that mpispec-analyze printed.
static std::string answerLine(const std::string &Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().split('\n').first.str() : "";
}

/// Prints the warnings about wrong arguments unchanged.
static void passOn(const std::string &Messages) {
  if (auto Buffer = MemoryBuffer::getFile(Messages))
    errs() << (*Buffer)->getBuffer();
}

static CommandLine analysisCommand(const Session &S, const Installation &Here, const Toolchain &T,
                                   const Invocation &I, unsigned Index, const Files &F) {
  namespace Option = AnalysisOption;
  CommandLine Command = {Here.Analyzer, "unit", Option::Preprocessed.option(F.Plain),
                         Option::Output.option(F.Rewritten)};
  if (std::string File = remarkFile(S, I, Index); !File.empty())
    Command.push_back(Option::Remarks.option(File));
  if (S.settings().CheckFacts)
    Command.push_back(Option::CheckFacts.option());
  if (S.settings().InlineAll)
    Command.push_back(Option::InlineAll.option());
  if (!F.ProfileIndex.empty())
    Command.push_back(Option::ProfileIndex.option(F.ProfileIndex));
  bool Warns = !I.has(Meaning::NoWarnings);
  std::string Checks = Warns ? S.settings().Checks : "-*";
  if (!Checks.empty())
    Command.push_back(Option::Checks.option(Checks));
  bool Gcc = T.Kind == CompilerKind::Gcc;
  if (Gcc && Warns && I.has(Meaning::WarnsOfLayout))
    Command.push_back(Option::CheckIndentation.option());
  Command.push_back(
      Option::UserCompiler.option(Gcc ? AnalysisCompiler::Gcc.Word : AnalysisCompiler::Clang.Word));
  if (Gcc && !I.Arguments[Index].Preprocessed)
    for (const std::string &Word : bareCompiler(T, I))
      Command.push_back(Option::Gcc.option(Word));
  Command.push_back("--");
  CommandLine Arguments = analysisArguments(T, I, Index, lastDirectories(T, I, F.Plain));
  Command.insert(Command.end(), Arguments.begin(), Arguments.end());
  return Command;
}

/// Determines the result from the exit status of the analysis and its answer.
static void judge(SpecialisedSource &Result, const Ending &E, const AnalysisAnswer &A,
                  const Files &F) {
  const RemarkInfo *Named = lookUpRemark(A.Reason);
  if (E.K == Ending::TimedOut) {
    Result.Reason = FallbackReason{RemarkID::FallbackAnalysisTimeout, ""};
  } else if (E.K == Ending::NotStarted) {
    Result.Reason = FallbackReason{RemarkID::FallbackAnalysisMissing, ""};
  } else if (E.K == Ending::Exited && E.Status == AnalysisStatus::Rewritten &&
             sys::fs::exists(F.Rewritten)) {
    Result.Text = F.Rewritten;
    Result.Silent &= !A.HasDiagnostics;
  } else if (E.K == Ending::Exited && E.Status == AnalysisStatus::CannotAnalyse && Named) {
    Result.Reason = FallbackReason{Named->ID, A.Text};
  } else if (E.K != Ending::Exited || E.Status != AnalysisStatus::NothingToRewrite) {
    Result.Reason = FallbackReason{RemarkID::FallbackAnalysisCrashed,
                                   "exit status " + std::to_string(E.exitStatus())};
  }
}

static void analyse(Session &S, const Installation &Here, const Toolchain &T, const Invocation &I,
                    unsigned Index, const Files &F, SpecialisedSource &Result) {
  uint64_t Bytes = 0;
  (void)sys::fs::file_size(F.Plain, Bytes); // a missing file gets the least limit
  QuietRun Run = S.runQuietly("analyse", analysisCommand(S, Here, T, I, Index, F), F.Answer,
                              F.Messages, timeLimit(S.settings(), Bytes));
  std::string Line = answerLine(F.Answer);
  S.say(I.Arguments[Index].Value + ": " + Line);
  if (S.settings().DryRun)
    Result.Text = F.Rewritten;
  else
    judge(Result, Run.E, readAnswer(Line), F);
  if (!Result.Reason || S.settings().Verbose)
    passOn(F.Messages);
}

/// Is there no MPI call in the preprocessed text? Then the remarks of an earlier compile are
/// removed as well.
static bool hasNoCalls(const Session &S, const Invocation &I, unsigned Index, const Files &F) {
  auto Text = MemoryBuffer::getFile(F.Plain, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (S.settings().DryRun || !Text || textNamesCalls((*Text)->getBuffer()))
    return false;
  S.say(I.Arguments[Index].Value + ": no MPI call in its preprocessed text");
  keepRemarks(S, I, Index, {});
  return true;
}

//===- One source ----------------------------------------------------------------------------===//

/// Copies the text before and after rewriting into the directory that --mpispec-save names.
static void save(const Session &S, const Invocation &I, unsigned Index, const Files &F) {
  if (S.settings().SaveDirectory.empty() || S.settings().DryRun)
    return;
  std::string Directory = S.settings().SaveDirectory + "/" + uniqueName(I, Index);
  std::string Suffix = I.Arguments[Index].Lang == "c++" ? ".ii" : ".i";
  std::error_code Code = sys::fs::create_directories(Directory);
  if (!Code)
    Code = sys::fs::copy_file(F.Plain, Directory + "/preprocessed" + Suffix);
  if (!Code && sys::fs::exists(F.Rewritten))
    Code = sys::fs::copy_file(F.Rewritten, Directory + "/rewritten" + Suffix);
  if (Code)
    S.warn("--mpispec-save: cannot save to '" + Directory + "': " + Code.message());
}

/// The text keeps the source's name, because side files and dumps are named after it. But clang
/// takes the name for debug information from the line markers only if the suffix is that of
/// preprocessed text.
static SmallString<128> textName(const Toolchain &T, const Argument &Source) {
  SmallString<128> Name(sys::path::filename(Source.Value));
  if (T.Kind == CompilerKind::Clang)
    sys::path::replace_extension(Name, Source.Lang == "c++" ? "ii" : "i");
  return Name;
}

static Expected<Files> makeFiles(Session &S, StringRef Name) {
  Expected<std::string> Directory = S.makeDirectory();
  Expected<std::string> Out = S.makeDirectory();
  if (!Directory || !Out)
    return joinErrors(Directory.takeError(), Out.takeError());
  return Files{(*Directory + "/" + Name).str(), (*Out + "/" + Name).str(), *Directory + "/.answer",
               *Directory + "/.messages"};
}

/// Writes the preprocessed text of the source to \p Output. A source that is already preprocessed
/// is copied, because the compiler would not write it again.
static bool preprocess(Session &S, const Toolchain &T, const Invocation &I, unsigned Index,
                       DependencyFiles D, StringRef Output, SpecialisedSource &Result) {
  if (I.Arguments[Index].Preprocessed)
    return S.settings().DryRun || !sys::fs::copy_file(I.Arguments[Index].Value, Output);
  QuietRun Run = S.runQuietly("preprocess", preprocessCommand(T, I, Index, D), Output);
  Result.Silent = Run.Silent;
  return Run.good();
}

SpecialisedSource specialise(Session &S, const Installation &Here, const Toolchain &T,
                             const Invocation &I, unsigned Index, DependencyFiles D,
                             const std::string &ProfileIndex) {
  SpecialisedSource Result;
  if (Here.Analyzer.empty()) {
    Result.Reason = FallbackReason{RemarkID::FallbackAnalysisMissing, ""};
    return Result;
  }
  Expected<Files> F = makeFiles(S, textName(T, I.Arguments[Index]));
  if (!F) {
    Result.Reason = FallbackReason{RemarkID::FallbackTemporaryFiles, toString(F.takeError())};
    return Result;
  }
  F->ProfileIndex = ProfileIndex;
  bool Preprocessed = preprocess(S, T, I, Index, D, F->Plain, Result);
  if (!Preprocessed)
    Result.Reason = FallbackReason{RemarkID::FallbackPreprocessFailed, ""};
  else if (!hasNoCalls(S, I, Index, *F))
    analyse(S, Here, T, I, Index, *F, Result);
  save(S, I, Index, *F);
  return Result;
}

} // namespace mpispec
