//===- SourceCommand.cpp - The arguments with which Clang reads a source ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SourceCommand.h"
#include "Driver/Commands.h"
#include "Driver/Invocation.h"
#include "Driver/Toolchain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace mpispec {

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

/// \p Words as a compiler command for \p File: flags alone are those of the MPI wrapper.
static CommandLine commandFor(CommandLine Words, const std::string &File) {
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

Expected<SourceCommand> commandOf(const DatabaseEntry &Entry) {
  if (Error E = checkReadable(Entry.File))
    return E;
  if (sys::fs::set_current_path(Entry.Directory))
    return createStringError("cannot enter '" + Entry.Directory +
                             "', where the compile database compiles '" + Entry.File +
                             "'; build the project again");
  Expected<CommandLine> Arguments = clangArguments(Entry.Words, Entry.File);
  if (!Arguments)
    return Arguments.takeError();
  return SourceCommand{Entry.Directory, std::move(*Arguments)};
}

Expected<SourceCommand> findCommand(const std::string &File, StringRef BuildDirectory,
                                    const CommandLine &Flags) {
  if (Error E = checkReadable(File))
    return E;
  if (!BuildDirectory.empty()) {
    Expected<DatabaseEntry> Entry = findInDatabase(BuildDirectory, File);
    if (!Entry)
      return Entry.takeError();
    return commandOf(*Entry);
  }
  Expected<CommandLine> Arguments = clangArguments(commandFor(Flags, File), File);
  if (!Arguments)
    return Arguments.takeError();
  return SourceCommand{"", std::move(*Arguments)};
}

} // namespace mpispec
