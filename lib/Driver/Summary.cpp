//===- Summary.cpp - One line at the end of a build -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Summary.h"
#include "Driver/Commands.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

using namespace llvm;

namespace mpispec {

//===- What is counted -----------------------------------------------------------------------===//

/// Whether the library at \p Path belongs to the system, to MPI or to mpispec, as its name shows.
/// The build does not make these libraries. One for MPI may be a tool.
static bool isOthersLibrary(StringRef Path) {
  StringRef Name = sys::path::filename(Path);
  for (StringRef Prefix : {"libmpi", "libpmpi"})
    if (Name.starts_with(Prefix))
      return true;
  for (StringRef Prefix : {"/usr/", "/lib/", "/lib64/"})
    if (Path.starts_with(Prefix))
      return true;
  return false;
}

/// The library of `-lNAME`, if a directory of the command has it.
static std::string findLibrary(StringRef Name, ArrayRef<std::string> Directories) {
  for (const std::string &Directory : Directories)
    for (StringRef Suffix : {".so", ".a"}) {
      SmallString<256> Path(Directory);
      sys::path::append(Path, "lib" + Name + Suffix);
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
static std::set<std::string> namesForLinker(StringRef List) {
  std::set<std::string> Names;
  SmallVector<StringRef> Words;
  List.split(Words, ',');
  for (StringRef Word : Words) {
    if (!Word.consume_front("--defsym="))
      Word.consume_front("-defsym=");
    auto [Name, Value] = Word.split('=');
    if (!Value.empty())
      Names.insert(Name.str());
  }
  return Names;
}

Census countInputs(const Invocation &I) {
  std::vector<std::string> Directories;
  for (const Argument &Arg : I.Arguments)
    if (StringRef(Arg.Words[0]).starts_with("-L"))
      Directories.push_back(Arg.Value);
  Census Total;
  for (const Argument &Arg : I.Arguments) {
    std::string Path;
    if (Arg.M == Meaning::LinkerList)
      Total.DefinedInside.merge(namesForLinker(Arg.Value));
    else if (Arg.M == Meaning::Object)
      Path = Arg.Value;
    else if (Arg.M == Meaning::Library)
      Path = findLibrary(Arg.Value, Directories);
    if (Path.empty() || isMPILibrary(Arg) || sys::path::filename(Path).starts_with("libmpispec"))
      continue;
    bool IsLibrary = isOthersLibrary(Path) || sys::path::filename(Path).starts_with("lib");
    Total.add(IsLibrary ? countLibrary(Path) : countUnits(Path));
  }
  return Total;
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

std::string summaryLine(const Invocation &I, const Census &C) {
  const char *Wanted = std::getenv("MPISPEC_SUMMARY");
  if (C.Ordinary.empty() || isProbe(I) || (Wanted && StringRef(Wanted) == "off"))
    return "";
  size_t All = C.Specialised + C.Ordinary.size();
  std::string Output = I.output(0);
  StringRef Program = sys::path::filename(Output);
  return ("mpispec: " + Program + ": " + Twine(C.Ordinary.size()) + " of " + Twine(All) +
          (All == 1 ? " unit" : " units") + " with MPI calls " +
          (C.Ordinary.size() == 1 ? "stays" : "stay") + " as ordinary (" + examples(C.Ordinary) +
          "); compile with --mpispec-remarks=DIR and see 'mpispec report DIR' for why "
          "(MPISPEC_SUMMARY=off silences this)\n")
      .str();
}

} // namespace mpispec
