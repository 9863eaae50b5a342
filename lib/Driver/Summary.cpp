//===- Summary.cpp - One line at the end of a build -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Summary.h"
#include "Driver/Commands.h"
#include "Driver/MPILibrary.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <cstdlib>

using namespace llvm;

namespace mpispec {

//===- The inputs that count -----------------------------------------------------------------===//

/// Whether the library at \p Path belongs to the system or to MPI, as its name shows. The build
/// does not make these libraries.
static bool isOthersLibrary(StringRef Path) {
  StringRef Name = sys::path::filename(Path);
  if (Name.consume_front("lib") && isMPILinkName(Name.split('.').first))
    return true;
  for (StringRef Prefix : {"/usr/", "/lib/", "/lib64/"})
    if (Path.starts_with(Prefix))
      return true;
  return false;
}

/// The directories where the linker searches, except those of the system.
static std::vector<std::string> libraryDirectories(const Invocation &I) {
  std::vector<std::string> Directories;
  for (const Argument &Arg : I.Arguments) {
    if (StringRef(Arg.Words[0]).starts_with("-L"))
      Directories.push_back(Arg.Value);
    bool IsNext = false; // -Wl,-L,DIR
    for (StringRef Word : linkerWords(Arg)) {
      if (IsNext)
        Directories.push_back(Word.str());
      else if (Word.starts_with("-L") && Word != "-L")
        Directories.push_back(Word.drop_front(2).str());
      IsNext = !IsNext && Word == "-L";
    }
  }
  SmallVector<StringRef> More;
  if (const char *Value = std::getenv("LIBRARY_PATH"))
    StringRef(Value).split(More, sys::EnvPathSeparator, /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  Directories.insert(Directories.end(), More.begin(), More.end());
  return Directories;
}

/// The library of `-lNAME` or `-l:FILE`, if one of the directories has it.
static std::string findLibrary(StringRef Name, ArrayRef<std::string> Directories) {
  const bool IsFile = Name.consume_front(":");
  for (const std::string &Directory : Directories)
    for (StringRef Suffix : {".so", ".a"}) {
      SmallString<256> Path(Directory);
      sys::path::append(Path, IsFile ? Name.str() : ("lib" + Name + Suffix).str());
      if (sys::fs::is_regular_file(Path))
        return Path.str().str();
    }
  return "";
}

/// A library with an absolute path may belong to another project. Therefore it counts only if it
/// contains specialised units. Its definitions, and its calls by names for profiling, count in any
/// case. A library of the system or of MPI counts only by the definitions that may become a part of
/// the program.
static Census countLibrary(const std::string &Path) {
  Census C = countUnits(Path), Part;
  Part.DefinedInside = C.DefinedInside;
  if (isOthersLibrary(Path))
    return Part;
  if (C.Specialised || !sys::path::is_absolute(Path))
    return C;
  Part.CalledByProfilingName = C.CalledByProfilingName;
  Part.Defined = C.Defined;
  return Part;
}

/// The names that options of the linker define: `--defsym=MPI_Wait=my_wait`, or the same with the
/// name in a word of its own.
static std::set<std::string> namesForLinker(const Argument &Arg) {
  std::set<std::string> Names;
  for (StringRef Word : linkerWords(Arg)) {
    if (!Word.consume_front("--defsym="))
      Word.consume_front("-defsym=");
    auto [Name, Value] = Word.split('=');
    if (!Value.empty())
      Names.insert(Name.str());
  }
  return Names;
}

/// The words of a text for the linker: a response file, or a script such as
/// `GROUP ( libone.so AS_NEEDED ( -ltwo ) )`. Empty if the file is none.
static std::vector<std::string> wordsOfText(const std::string &Path) {
  constexpr uint64_t Longest = 65536;
  uint64_t Size = 0;
  std::vector<std::string> Words;
  if (sys::fs::file_size(Path, Size) || Size > Longest)
    return Words;
  auto Buffer = MemoryBuffer::getFile(Path);
  StringRef Text = Buffer ? (*Buffer)->getBuffer() : "";
  if (Text.contains('\0') || Text.starts_with("!<"))
    return Words;
  constexpr StringLiteral Separators = " \t\r\n,()\"'";
  for (Text = Text.ltrim(Separators); !Text.empty(); Text = Text.ltrim(Separators)) {
    StringRef Word = Text.take_until([&](char C) { return Separators.contains(C); });
    Words.push_back(Word.str());
    Text = Text.drop_front(Word.size());
  }
  return Words;
}

namespace {
/// Counts what the linker reads.
struct Inputs {
  std::vector<std::string> Directories;
  std::set<std::string> Texts; ///< already read, and not again: texts may name each other
  Census Total;

  /// \p Word: an object, a library, or a response file. Other words are no files, or files that the
  /// linker does not read as input, such as a map of an earlier link. A library may be a text.
  void word(const std::string &Word) {
    StringRef Name = Word;
    std::string Path = Word;
    const bool IsResponse = Name.consume_front("@");
    if (IsResponse)
      Path = Name.str();
    else if (Name.consume_front("-l"))
      Path = findLibrary(Name, Directories);
    if (!sys::fs::is_regular_file(Path))
      return;
    StringRef File = sys::path::filename(Path);
    if (File.starts_with("libmpispec"))
      return;
    const bool IsLibrary = isOthersLibrary(Path) || File.starts_with("lib");
    if ((IsResponse || IsLibrary) && Texts.insert(Path).second)
      for (const std::string &More : wordsOfText(Path))
        word(More);
    Total.add(IsLibrary ? countLibrary(Path) : countUnits(Path));
  }
};
} // namespace

Census countInputs(const Invocation &I) {
  Inputs All = {libraryDirectories(I), {}, {}};
  for (const Argument &Arg : I.Arguments) {
    All.Total.DefinedInside.merge(namesForLinker(Arg));
    for (StringRef Word : linkerWords(Arg))
      All.word(Word.str());
    if (!isMPILibrary(Arg) && Arg.M == Meaning::Object)
      All.word(Arg.Value);
    else if (!isMPILibrary(Arg) && Arg.M == Meaning::Library)
      All.word("-l" + Arg.Value);
  }
  return std::move(All.Total);
}

//===- The text ------------------------------------------------------------------------------===//

bool isProbe(const Invocation &I) {
  SmallString<256> Directory;
  sys::fs::current_path(Directory);
  for (StringRef Place : {"CMakeScratch", "CMakeTmp", "meson-private"})
    if (Directory.str().contains(Place))
      return true;
  for (const Argument &Arg : I.Arguments) {
    StringRef Name = sys::path::filename(Arg.Value);
    for (StringRef Prefix : {"conftest", "cmTC_", "CMakeC", "sanitycheck"})
      if ((Arg.M == Meaning::Output || Arg.M == Meaning::Object || Arg.M == Meaning::Source) &&
          (Name.starts_with(Prefix) || StringRef(Arg.Value).contains("meson-private")))
        return true;
  }
  return false;
}

/// The first names of the ordinary units.
static std::string examples(ArrayRef<std::string> Names) {
  constexpr size_t Shown = 4;
  std::string Text;
  for (const std::string &Name : Names.take_front(Shown))
    Text += (Text.empty() ? "" : ", ") + Name;
  return Names.size() > Shown ? Text + ", ..." : Text;
}

static bool isWanted(const Invocation &I) {
  const char *Wanted = std::getenv("MPISPEC_SUMMARY");
  return !isProbe(I) && (!Wanted || StringRef(Wanted) != "off");
}

static std::string programName(const Invocation &I) {
  return sys::path::filename(I.output(0)).str();
}

std::string noLibraryLine(const Invocation &I) {
  if (!isWanted(I))
    return "";
  return "mpispec: " + programName(I) +
         ": linked without the runtime, because the command names no MPI library; if your compiler "
         "is a script that adds one, add it to the command as well, as in -lmpich or -lmpi "
         "(MPISPEC_SUMMARY=off silences this)\n";
}

std::string summaryLine(const Invocation &I, const Census &C) {
  if (C.Ordinary.empty() || !isWanted(I))
    return "";
  size_t All = C.Specialised + C.Ordinary.size();
  return ("mpispec: " + programName(I) + ": " + Twine(C.Ordinary.size()) + " of " + Twine(All) +
          (All == 1 ? " unit" : " units") + " with MPI calls " +
          (C.Ordinary.size() == 1 ? "stays" : "stay") + " as ordinary (" + examples(C.Ordinary) +
          "); compile with --mpispec-remarks=DIR and see 'mpispec report DIR' for why "
          "(MPISPEC_SUMMARY=off silences this)\n")
      .str();
}

} // namespace mpispec
