//===- MPILibrary.cpp - The MPI library that a command links ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/MPILibrary.h"
#include "Driver/Commands.h"
#include "Driver/Process.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mpispec {

/// "mpi" for the values `mpi` and `:libmpi.so` of `-l`.
static StringRef nameOfValue(StringRef Value) {
  return Value.consume_front(":") && !Value.consume_front("lib") ? "" : Value.split('.').first;
}

StringRef libraryValue(const Argument &Arg) {
  if (Arg.M == Meaning::Library)
    return Arg.Value;
  for (StringRef Word : linkerWords(Arg))
    if (Word.consume_front("-l") && isMPILinkName(nameOfValue(Word)))
      return Word;
  return "";
}

/// The name of the library \p Arg: "mpi" for `-lmpi`, `-l:libmpi.so` and `/opt/lib/libmpi.so.40`.
/// Empty if \p Arg is no library.
static StringRef libraryName(const Argument &Arg) {
  if (Arg.M != Meaning::Object)
    return nameOfValue(libraryValue(Arg));
  StringRef Name = sys::path::filename(Arg.Value);
  return Name.consume_front("lib") ? Name.split('.').first : "";
}

bool isMPILinkName(StringRef Name) {
  return !Name.starts_with("mpispec") &&
         (Name == "mpi" || Name.starts_with("mpi_") || Name.starts_with("mpich") ||
          Name.starts_with("mpicxx") || Name == "mpifort" || Name == "pmpi");
}

bool isMPILibrary(const Argument &Arg) { return isMPILinkName(libraryName(Arg)); }

bool namesMPILibrary(const Toolchain &T, const Invocation &I) {
  return T.Wrapped || any_of(I.Arguments, isMPILibrary);
}

bool isFortranBinding(const Argument &Arg) {
  return is_contained({"mpichfort", "mpifort", "mpi_mpifh", "mpi_usempif08"}, libraryName(Arg));
}

bool callsByFortran(const Invocation &I) { return any_of(I.Arguments, isFortranBinding); }

/// Where the linker finds `-l<Name>`.
static std::string libraryFile(const Toolchain &T, const Invocation &I, StringRef Name) {
  std::string File = Name.consume_front(":") ? Name.str() : "lib" + Name.str() + ".so";
  for (const Argument &Arg : I.Arguments)
    for (StringRef Word : linkerWords(Arg))
      if (Word.consume_front("-L") && sys::fs::exists(Word + "/" + File))
        return (Word + "/" + File).str();
  for (const Argument &Arg : I.Arguments)
    if (StringRef Word = Arg.Words[0]; Word.starts_with("-L")) {
      SmallString<128> Path(Word == "-L" ? StringRef(Arg.Words.back()) : Word.drop_front(2));
      sys::path::append(Path, File);
      if (sys::fs::exists(Path))
        return Path.str().str();
    }
  CommandLine Ask = T.Compiler;
  Ask.push_back("-print-file-name=" + File);
  std::optional<std::string> Answer = outputOf(Ask);
  return Answer ? StringRef(*Answer).trim().str() : "";
}

/// The actual file of a library: the target of symbolic links, or the file that a linker script
/// names, as in `INPUT(libmpi.so.40)`.
static std::string realLibrary(StringRef Path) {
  SmallString<128> Real;
  if (sys::fs::real_path(Path, Real))
    return "";
  constexpr uint64_t LargestScript = 4096;
  uint64_t Size = 0;
  if (sys::fs::file_size(Real, Size) || Size > LargestScript)
    return Real.str().str();
  ErrorOr<std::unique_ptr<MemoryBuffer>> Script = MemoryBuffer::getFile(Real);
  StringRef Text = Script ? (*Script)->getBuffer() : "";
  size_t Name = Text.find("libmpi");
  if (Name == StringRef::npos)
    return Real.str().str();
  sys::path::remove_filename(Real);
  sys::path::append(Real, Text.substr(Name).split(')').first.split(' ').first);
  return Real.str().str();
}

/// The name of a library with its number, from its contents. In Python's packages libmpi.so is an
/// ordinary file, and no symbolic link shows the number.
static StringRef ownName(StringRef Contents) {
  constexpr StringLiteral Begin = StringLiteral::withInnerNUL("\0libmpi.so.");
  size_t At = Contents.find(Begin);
  return At == StringRef::npos ? "" : Contents.substr(At + 1, 64).split('\0').first;
}

/// The runtime for the MPI library at \p Path. Three names may identify the library. The name of
/// \p Path is tried first, and then the name of \p Real, which is the file behind symbolic links.
/// The last one is the name in the contents of \p Real.
static const RuntimeKind *runtimeForFile(StringRef Path, StringRef Real) {
  auto Buffer = MemoryBuffer::getFile(Real, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  StringRef Contents = Buffer ? (*Buffer)->getBuffer() : "";
  const RuntimeKind *Kind = runtimeForLibrary(sys::path::filename(Path), Contents);
  Kind = Kind ? Kind : runtimeForLibrary(sys::path::filename(Real), Contents);
  return Kind ? Kind : runtimeForLibrary(ownName(Contents), Contents);
}

/// May \p Arg be an MPI library itself, and not a binding that uses one?
static bool isMainLibrary(const Argument &Arg) {
  StringRef Name = libraryName(Arg);
  return Name == "mpi" || Name == "mpich" || Name == "mpi_abi";
}

MPILibrary libraryOf(const Toolchain &T, const Invocation &I) {
  MPILibrary Found = {"", nullptr, ""};
  // A binding for C++ or Fortran identifies the MPI library, but not its version.
  bool IsBinding = false;
  for (const Argument &Arg : I.Arguments) {
    if (Found.Kind ? !isMainLibrary(Arg) : !isMPILibrary(Arg))
      continue;
    std::string Path = Arg.M == Meaning::Object ? Arg.Value : libraryFile(T, I, libraryValue(Arg));
    std::string Real = realLibrary(Path);
    const RuntimeKind *Kind = runtimeForFile(Path, Real);
    if (Kind && Found.Kind && Kind->Style != Found.Kind->Style) {
      Found.Other = sys::path::filename(Real).str();
    } else if (Kind && (!Found.Kind || IsBinding)) {
      Found = {sys::path::filename(Real).str(), Kind, Found.Other};
      IsBinding = !isMainLibrary(Arg);
    }
  }
  if (!Found.Kind)
    Found.Kind = &allRuntimes().front();
  return Found;
}

} // namespace mpispec
