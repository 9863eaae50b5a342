//===- Masquerade.cpp - mpispec under a compiler's name ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Masquerade.h"
#include "Driver/Toolchain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <set>
#include <unistd.h>

using namespace llvm;

namespace mpispec {

//===- Links to mpispec ----------------------------------------------------------------------===//

static constexpr StringLiteral OwnName = "mpispec";

/// The path of this program, from the kernel.
static constexpr const char *ThisProgram = "/proc/self/exe";

StringRef masqueradedName(StringRef Argv0) {
  StringRef Name = sys::path::filename(Argv0);
  return Name.starts_with(OwnName) ? "" : Name;
}

/// Is \p Path this program, a hard link to it, or a symbolic link to any installed mpispec?
static bool isMpispecItself(const Twine &Path) {
  sys::fs::file_status Status, Own;
  if (sys::fs::status(Path, Status))
    return false;
  if (!sys::fs::status(ThisProgram, Own) && Status.getUniqueID() == Own.getUniqueID())
    return true;
  if (!sys::fs::is_symlink_file(Path))
    return false;
  SmallString<256> Real;
  return !sys::fs::real_path(Path, Real) && sys::path::filename(Real) == OwnName;
}

//===- The PATH ------------------------------------------------------------------------------===//

/// The directories in \p Path, the value of PATH. An empty one is the current directory.
static std::vector<StringRef> searchedDirectories(StringRef Path) {
  SmallVector<StringRef> Parts;
  Path.split(Parts, ':');
  return std::vector<StringRef>(Parts.begin(), Parts.end());
}

static SmallString<256> inDirectory(StringRef Directory, StringRef Name) {
  SmallString<256> Path(Directory.empty() ? StringRef(".") : Directory);
  sys::path::append(Path, Name);
  return Path;
}

bool lookBehindLinks(StringRef Name) {
  const char *Value = std::getenv("PATH");
  if (!Value)
    return true;
  std::string Kept = Value, Front, Back;
  bool Found = false;
  for (StringRef Directory : searchedDirectories(Kept)) {
    SmallString<256> Program = inDirectory(Directory, Name);
    bool Links = isMpispecItself(Program) || isMpispecItself(inDirectory(Directory, "gcc"));
    Found |= !Links && sys::fs::can_execute(Program);
    (Links ? Back : Front) += ":" + Directory.str();
  }
  if (!Back.empty())
    setenv("PATH", (Front + Back).c_str() + 1, 1);
  return Found;
}

//===- Making the links ----------------------------------------------------------------------===//

static std::vector<StringRef> directoriesOfPath() {
  const char *Path = std::getenv("PATH");
  return searchedDirectories(Path ? Path : "/usr/bin:/bin");
}

static bool isOtherProgram(const Twine &Path) {
  return sys::fs::can_execute(Path) && !isMpispecItself(Path);
}

/// Adds the compilers in \p Directory that are not links to mpispec.
static void addCompilers(StringRef Directory, std::set<std::string> &Names) {
  std::error_code Code;
  for (sys::fs::directory_iterator Entry(Directory.empty() ? "." : Directory, Code), End;
       !Code && Entry != End; Entry.increment(Code)) {
    StringRef Name = sys::path::filename(Entry->path());
    if (isCompilerName(Name) && isOtherProgram(Entry->path()))
      Names.insert(Name.str());
  }
}

static std::set<std::string> compilersOnPath() {
  std::set<std::string> Names;
  for (StringRef Directory : directoriesOfPath())
    addCompilers(Directory, Names);
  return Names;
}

/// Is there a program \p Name on the PATH that is no link to mpispec?
static bool isOnPath(StringRef Name) {
  return any_of(directoriesOfPath(),
                [&](StringRef Directory) { return isOtherProgram(inDirectory(Directory, Name)); });
}

static std::string linkTarget(StringRef Link) {
  char Target[4096];
  ssize_t Length = readlink(Link.str().c_str(), Target, sizeof Target);
  return std::string(Target, Length < 0 ? 0 : Length);
}

/// The reason why a link to mpispec cannot be made at \p Link. Empty if there is none.
static std::string inTheWay(StringRef Link) {
  sys::fs::file_status Status;
  if (sys::fs::status(Link, Status, /*Follow=*/false) || isMpispecItself(Link))
    return "";
  // A link to an mpispec that does not exist any more may be replaced.
  if (Status.type() == sys::fs::file_type::symlink_file && !sys::fs::exists(Link) &&
      sys::path::filename(linkTarget(Link)) == OwnName)
    return "";
  return "'" + Link.str() +
         "' is there already and is not a link to mpispec; the links need a directory of their own";
}

static Error makeLink(StringRef Program, const SmallString<256> &Link) {
  sys::fs::remove(Link);
  if (std::error_code Code = sys::fs::create_link(Program, Link))
    return createStringError(Code, "cannot make '" + Link + "': " + Code.message());
  return Error::success();
}

Expected<std::vector<std::string>> installLinks(StringRef Directory, ArrayRef<std::string> Wanted) {
  std::set<std::string> Names(Wanted.begin(), Wanted.end());
  if (Names.empty())
    Names = compilersOnPath();
  if (Names.empty())
    return createStringError("no compiler on the PATH to make a link for");
  for (const std::string &Name : Names) {
    if (sys::path::filename(Name) != Name || !masqueradedName(Name).size())
      return createStringError("'" + Name + "' cannot be the name of a link to mpispec");
    if (!isOnPath(Name))
      return createStringError("there is no program '" + Name + "' on the PATH");
    if (std::string Obstacle = inTheWay(inDirectory(Directory, Name)); !Obstacle.empty())
      return createStringError(Obstacle);
  }
  if (std::error_code Code = sys::fs::create_directories(Directory))
    return createStringError(Code, "cannot make '" + Directory + "': " + Code.message());
  SmallString<256> Program;
  if (std::error_code Code = sys::fs::real_path(ThisProgram, Program))
    return createStringError(Code, "cannot find mpispec: " + Code.message());
  for (const std::string &Name : Names)
    if (Error E = makeLink(Program, inDirectory(Directory, Name)))
      return E;
  return std::vector<std::string>(Names.begin(), Names.end());
}

} // namespace mpispec
