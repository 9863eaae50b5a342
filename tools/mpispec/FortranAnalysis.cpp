//===- FortranAnalysis.cpp - Fortran sources of lint and explain ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FortranAnalysis.h"
#include "Driver/Commands.h"
#include "Driver/CompileDatabase.h"
#include "Driver/Process.h"
#include "Driver/Toolchain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace mpispec {

bool isFortran(StringRef File) {
  Invocation I = parseInvocation({File.str()}, /*CompilerIsCXX=*/false);
  return I.Arguments[0].Lang == "fortran";
}

//===- How a source is compiled --------------------------------------------------------------===//

/// gfortran preprocesses sources whose suffix has a capital letter, and .fpp.
static bool isPreprocessed(StringRef File, ArrayRef<std::string> Words) {
  StringRef Suffix = sys::path::extension(File);
  bool ByName = any_of(Suffix, isUpper) || Suffix == ".fpp";
  return (ByName && !is_contained(Words, "-nocpp")) || is_contained(Words, "-cpp");
}

static std::vector<std::string> searchPaths(const Invocation &I) {
  std::vector<std::string> Paths;
  for (const Argument &Arg : I.Arguments)
    if (Arg.M == Meaning::SearchPath)
      Paths.push_back(Arg.Value);
  return Paths;
}

/// The directory of the MPI library's mpif.h, for a command that does not name it.
static std::vector<std::string> pathsOfWrapper() {
  Toolchain T = resolveToolchain(splitCommand({"mpif90"}));
  return searchPaths(parseInvocation(T.Arguments, /*CompilerIsCXX=*/false));
}

static bool haveHeader(ArrayRef<std::string> Directories, StringRef Start) {
  return any_of(Directories, [&](StringRef Directory) {
    SmallString<256> Path(Directory);
    sys::path::append(Path, "mpif.h");
    sys::path::make_absolute(Start, Path);
    return sys::fs::exists(Path);
  });
}

/// The position of \p File among the inputs of \p I; it is added if it is not there.
static unsigned findInput(Invocation &I, const std::string &File) {
  for (unsigned Index = 0; Index < I.Arguments.size(); ++Index)
    if (I.Arguments[Index].Lang == "fortran" && I.Arguments[Index].Value == File)
      return Index;
  I.Arguments.push_back(parseInvocation({File}, false).Arguments[0]);
  return I.Arguments.size() - 1;
}

/// \p File as \p Words, compiler first, compile it in \p Directory.
static FortranSource sourceOf(ArrayRef<std::string> Words, const std::string &File,
                              StringRef Directory) {
  Toolchain T = resolveToolchain(splitCommand(Words));
  Invocation I = parseInvocation(T.Arguments, /*CompilerIsCXX=*/false);
  FortranSource Source;
  Source.Name = Source.File = File;
  Source.Directory = Directory.str();
  readFortranOptions(T.Arguments, Source);
  Source.IncludeDirectories = searchPaths(I);
  if (!haveHeader(Source.IncludeDirectories, Directory))
    append_range(Source.IncludeDirectories, pathsOfWrapper());
  std::string Own = sys::path::parent_path(File).str();
  Source.IncludeDirectories.insert(Source.IncludeDirectories.begin(), Own.empty() ? "." : Own);
  if (isPreprocessed(File, T.Arguments)) {
    I.Arguments.erase(remove_if(I.Arguments,
                                [&](const Argument &Arg) {
                                  return Arg.M == Meaning::Source && Arg.Value != File;
                                }),
                      I.Arguments.end());
    unsigned Index = findInput(I, File);
    Source.Preprocess = preprocessCommand(T, I, Index, DependencyFiles::AlreadyWritten);
  }
  return Source;
}

static CommandLine commandOfFlags(CommandLine Flags) {
  if (Flags.empty() || StringRef(Flags[0]).starts_with("-"))
    Flags.insert(Flags.begin(), "mpif90");
  return Flags;
}

//===- The request ---------------------------------------------------------------------------===//

/// The spelling of the entry's file in its command.
static std::string spelledIn(const DatabaseEntry &Entry) {
  for (const std::string &Word : Entry.Words) {
    SmallString<256> Path(Word);
    sys::path::make_absolute(Entry.Directory, Path);
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    if (Path == Entry.File)
      return Word;
  }
  return Entry.File;
}

/// Adds the build's Fortran sources. The sources that \p Files names are requested. If \p Files is
/// empty, all are.
static Error addBuild(StringRef BuildDirectory, ArrayRef<std::string> Files,
                      FortranRequest &Request) {
  Expected<std::vector<DatabaseEntry>> Entries = sourcesInDatabase(BuildDirectory);
  if (!Entries)
    return Entries.takeError();
  std::set<std::string> Seen;
  for (const DatabaseEntry &Entry : *Entries) {
    if (!isFortran(Entry.File) || !Seen.insert(Entry.File).second)
      continue;
    auto Named = find_if(
        Files, [&](const std::string &File) { return sys::fs::equivalent(File, Entry.File); });
    FortranSource Source = sourceOf(Entry.Words, spelledIn(Entry), Entry.Directory);
    Source.Name = Named != Files.end() ? *Named : Entry.File;
    Source.IsAsked = Files.empty() || Named != Files.end();
    Request.Sources.push_back(std::move(Source));
  }
  for (const std::string &File : Files)
    if (none_of(Request.Sources, [&](const FortranSource &S) { return S.Name == File; }))
      if (Error E = findInDatabase(BuildDirectory, File).takeError())
        return E;
  return Error::success();
}

static Expected<FortranRequest> requestOf(const SubcommandWords &Words, ArrayRef<std::string> Files,
                                          unsigned Jobs) {
  FortranRequest Request;
  Request.Jobs = Jobs;
  if (!Words.BuildDirectory.empty()) {
    if (Error E = addBuild(Words.BuildDirectory, Files, Request))
      return E;
    return Request;
  }
  SmallString<256> Start;
  sys::fs::current_path(Start);
  for (const std::string &File : Files)
    Request.Sources.push_back(sourceOf(commandOfFlags(Words.Flags), File, Start));
  return Request;
}

//===- The analysis --------------------------------------------------------------------------===//

static Expected<std::vector<FortranOutcome>> run(const Installation &Here, StringRef Command,
                                                 const FortranRequest &Request) {
  SmallString<128> File;
  int Descriptor = -1;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("mpispec-fortran", "json", Descriptor, File))
    return createStringError(EC, "cannot make a temporary file: " + EC.message());
  {
    raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
    OS << toJSON(Request);
  }
  std::optional<std::string> Text =
      outputOf({Here.FortranAnalyzer, Command.str(), File.str().str()}, /*ShowErrors=*/true);
  sys::fs::remove(File);
  if (!Text)
    return createStringError("mpispec-analyze-fortran failed");
  return json::parse<std::vector<FortranOutcome>>(*Text);
}

Expected<std::vector<FortranOutcome>> analyseFortran(const Installation &Here, StringRef Command,
                                                     const SubcommandWords &Words,
                                                     ArrayRef<std::string> Files, unsigned Jobs) {
  if (Here.FortranAnalyzer.empty())
    return createStringError("mpispec-analyze-fortran, which reads Fortran, is missing; build "
                             "mpispec where flang's library is (libflang-22-dev)");
  Expected<FortranRequest> Request = requestOf(Words, Files, Jobs);
  if (!Request)
    return Request.takeError();
  if (Request->Sources.empty())
    return std::vector<FortranOutcome>();
  return run(Here, Command, *Request);
}

} // namespace mpispec
