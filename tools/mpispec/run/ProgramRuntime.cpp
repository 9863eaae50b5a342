//===- ProgramRuntime.cpp - The choice of a runtime for a program ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ProgramRuntime.h"
#include "Elf.h"
#include "MPI/RuntimeKinds.h"
#include "MappedFile.h"
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <glob.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace mpispec {

static bool startsWith(const std::string &Text, const std::string &Start) {
  return !Text.compare(0, Start.size(), Start);
}

static std::string baseName(const std::string &Path) { return Path.substr(Path.rfind('/') + 1); }

static std::string realPath(const std::string &Path) {
  char Real[PATH_MAX];
  return realpath(Path.c_str(), Real) ? Real : Path;
}

/// The files below \p Directory whose relative path matches the glob \p Pattern. No character of
/// \p Directory is special.
static Words filesLike(const std::string &Directory, const std::string &Pattern) {
  std::string All;
  for (const char C : Directory)
    All += {'\\', C}; // a character behind a backslash stands for itself
  glob_t Matches;
  Words Result;
  if (!glob((All + "/" + Pattern).c_str(), GLOB_BRACE, nullptr, &Matches))
    Result.assign(Matches.gl_pathv, Matches.gl_pathv + Matches.gl_pathc);
  globfree(&Matches);
  return Result;
}

//===- The libraries that the dynamic linker would load --------------------------------------===//

namespace {
/// "libmpich.so.12" and the path of its file, which is empty if there is none.
struct LoadedLibrary {
  std::string Name, Path;
};
} // namespace

/// The output of the dynamic linker about \p Program, which must use glibc's dynamic linker. Others
/// would execute the program. Empty: the dynamic linker fails.
static std::string trace(const std::string &Program, const std::string &PreloadValue) {
  Words Variables = {"LD_TRACE_LOADED_OBJECTS=1"};
  if (!PreloadValue.empty())
    Variables.push_back("LD_PRELOAD=" + PreloadValue);
  return captureOutput({Program}, Variables, Output::WithErrors).value_or("");
}

static std::vector<LoadedLibrary> librariesIn(const std::string &Trace) {
  std::vector<LoadedLibrary> Result;
  for (const std::string &Line : splitAt(Trace, "\n")) {
    const Words Parts = splitAt(Line, "\t "); // libmpich.so.12 => /usr/lib/libmpich.so.12 (0x...)
    if (Parts.size() > 2 && Parts[1] == "=>")
      Result.push_back({Parts[0], Parts[2] == "not" ? "" : Parts[2]});
  }
  return Result;
}

static std::vector<LoadedLibrary> traceLibraries(const std::string &Program) {
  return librariesIn(trace(Program, ""));
}

static const RuntimeKind *kindOf(const LoadedLibrary &Library) {
  const MappedFile File(Library.Path);
  const RuntimeKind *Kind = runtimeForLibrary(Library.Name, File.bytes());
  return Kind ? Kind : runtimeForLibrary(baseName(realPath(Library.Path)), File.bytes());
}

static const RuntimeKind *kindAmong(const std::vector<LoadedLibrary> &Libraries) {
  for (const LoadedLibrary &Library : Libraries)
    if (isMPILibraryFile(Library.Name) && !Library.Path.empty())
      return kindOf(Library);
  return nullptr;
}

static bool startsByGlibc(const ElfFile &File) {
  return std::find(File.Needed.begin(), File.Needed.end(), "libc.so.6") != File.Needed.end();
}

/// Whether the kernel makes the dynamic linker ignore LD_PRELOAD for \p Path.
static bool isPrivileged(const std::string &Path) {
  struct stat Status;
  return (!stat(Path.c_str(), &Status) && (Status.st_mode & (S_ISUID | S_ISGID))) ||
         getxattr(Path.c_str(), "security.capability", nullptr, 0) > 0;
}

/// The kind for the program \p Path. Null: it loads no MPI library when it starts, or it is
/// privileged. A privileged program might be executed instead of traced, and would get no preload.
static const RuntimeKind *kindOfProgram(const std::string &Path) {
  std::string Why;
  const std::optional<ElfFile> File = readElf(Path, Why);
  return File && startsByGlibc(*File) && !isPrivileged(Path) ? kindAmong(traceLibraries(Path))
                                                             : nullptr;
}

//===- Programs that load their MPI library later --------------------------------------------===//

/// The kind for an MPI library below \p Directory whose relative path matches \p Pattern.
static const RuntimeKind *kindInstalled(const std::string &Directory, const std::string &Pattern) {
  for (const std::string &Path : filesLike(Directory, Pattern))
    if (const RuntimeKind *Kind = kindOf({baseName(Path), Path}))
      return Kind;
  return nullptr;
}

/// The kind for the mpi4py of \p Python, which is located but not imported. If mpi4py comes from a
/// wheel, it has several modules. It then looks for an MPI library in Python's and the user's
/// prefixes first, because wheels of MPI libraries are installed there. After that it searches as
/// the dynamic linker does. Null: there is no mpi4py, or no such library.
static const RuntimeKind *kindForPython(const std::string &Python) {
  static const char *const Script = "import site, sys, importlib.util as u\n"
                                    "print(sys.executable)\n"
                                    "s = u.find_spec('mpi4py')\n"
                                    "print(s.submodule_search_locations[0] if s else '')\n"
                                    "print(sys.prefix)\n"
                                    "print(site.USER_BASE if site.ENABLE_USER_SITE else '')\n"
                                    "print(sys.base_prefix)\n";
  const Words Answer = splitAt(captureOutput({Python, "-c", Script}).value_or(""), "\n");
  const Words Modules = Answer.size() >= 4 ? filesLike(Answer[1], "MPI.*.so") : Words();
  const RuntimeKind *Kind = nullptr;
  for (size_t At = 2; Modules.size() > 1 && At < Answer.size() && !Kind; ++At)
    Kind = kindInstalled(Answer[At] + "/lib", "{libmpi.so.12,libmpich.so.12,libmpi.so.40}");
  for (size_t At = 0; At < Modules.size() && !Kind; ++At)
    Kind = kindAmong(librariesIn(trace(Answer[0], Modules[At])));
  return Kind;
}

/// The kind for the MPI library that is installed with the launcher.
static const RuntimeKind *kindForLauncher(const Launcher &L) {
  if (L.Path.empty() || L.Family == LauncherFamily::Slurm || L.Family == LauncherFamily::Other)
    return nullptr;
  const bool IsHydra = L.Family == LauncherFamily::Hydra;
  const std::string Launcher = realPath(L.Path);
  const std::string Prefix = Launcher.substr(0, Launcher.rfind('/')) + "/..";
  if (const RuntimeKind *Kind =
          kindInstalled(Prefix, std::string("{lib,lib64,lib/*-linux-gnu,lib/release}/") +
                                    (IsHydra ? "{libmpich.so.12,libmpi.so.12}" : "libmpi.so.40")))
    return Kind;
  constexpr unsigned FirstWithPRRTE = 5;
  return runtimeNamed(IsHydra                            ? "mpich"
                      : L.MajorVersion >= FirstWithPRRTE ? "openmpi5"
                                                         : "openmpi4");
}

static std::string interpreterOf(const std::string &Path) {
  const MappedFile File(Path);
  const std::string Line(File.bytes().substr(0, File.bytes().find('\n')));
  const Words Parts = splitAt(startsWith(Line, "#!") ? Line.substr(2) : "", "\t ");
  if (Parts.empty() || baseName(Parts[0]) != "env")
    return Parts.empty() ? "" : Parts[0];
  const auto Word = std::find_if(Parts.begin() + 1, Parts.end(), [](const std::string &Part) {
    return Part[0] != '-' && Part.find('=') == std::string::npos; // no option, no variable
  });
  return Word == Parts.end() ? "" : findExecutable(*Word);
}

/// Is \p Path an interpreter: python, python3, python3.13t? Other programs whose names begin alike
/// must not be started by kindForPython().
static bool isPython(const std::string &Path) {
  const std::string Name = baseName(Path);
  const std::string Start = "python";
  return startsWith(Name, Start) &&
         Name.find_first_not_of("0123456789.td", Start.size()) == std::string::npos;
}

/// The kind for Python or a Python script. Null: it is neither, or has no MPI library.
static const RuntimeKind *kindForPythonIn(const std::string &Path) {
  for (const std::string &Python : {Path, interpreterOf(Path)})
    if (isPython(Python))
      return kindForPython(Python);
  return nullptr;
}

/// The kind for a program without an MPI library of its own: an interpreter, a script, or a program
/// that starts another one.
static const RuntimeKind *kindOfStarter(const Words &Command, const std::string &Path,
                                        const Launcher &L) {
  const RuntimeKind *Kind = kindForPythonIn(Path);
  for (size_t At = 1; At < Command.size() && !Kind; ++At)
    if (const std::string Later = findExecutable(Command[At]); !Later.empty())
      if (Kind = kindOfProgram(Later); !Kind)
        Kind = kindForPythonIn(Later);
  return Kind ? Kind : kindForLauncher(L);
}

//===- The decision --------------------------------------------------------------------------===//

/// Why nothing is preloaded into \p File, or empty.
static std::string reasonAgainst(const ElfFile &File) {
  for (const std::string &Library : File.Needed)
    if (startsWith(Library, "libmpispec"))
      return "has the runtime already";
  if (!File.defines("MPI_Init"))
    return "";
  if (!stateIdentity(File).empty())
    return "has the runtime already";
  return std::any_of(File.Needed.begin(), File.Needed.end(), isMPILibraryFile)
             ? ""
             : "has its MPI library linked in: link it with mpispec instead";
}

std::string missingRuntime(const std::string &Path) {
  std::string Why;
  const std::optional<ElfFile> File = readElf(Path, Why);
  if (!File || !startsByGlibc(*File) || isPrivileged(Path))
    return "";
  for (const LoadedLibrary &Library : traceLibraries(std::filesystem::absolute(Path).string()))
    if (Library.Path.empty() && startsWith(Library.Name, "libmpispec"))
      return Library.Name;
  return "";
}

/// A sanitizer's library must be the first library.
static std::string sanitizerAmong(const std::vector<LoadedLibrary> &Libraries) {
  for (const LoadedLibrary &Library : Libraries)
    for (const char *Name : {"libasan.so", "libtsan.so", "liblsan.so", "libhwasan.so"})
      if (startsWith(Library.Name, Name))
        return Library.Path + ":";
  return "";
}

/// The reason in \p Trace why the dynamic linker would not load \p Runtime. Empty: it would load
/// the runtime. The trace may also contain lines that LD_DEBUG adds, which are no errors.
static std::string obstacleIn(const std::string &Trace, const std::string &Runtime) {
  for (const LoadedLibrary &Library : librariesIn(Trace))
    if (Library.Path.empty())
      return "does not find " + Library.Name;
  for (const std::string &Line : splitAt(Trace, "\n"))
    for (const std::string &Error :
         {"not found (required by " + Runtime + ")", "'" + Runtime + "' from LD_PRELOAD cannot"})
      if (Line.find(Error) != std::string::npos)
        return "says: " + Line;
  return "";
}

/// The preload of the runtime \p Kind, after a trial with the program \p Loader.
static Preload preloadKind(const RuntimeKind &Kind, const std::string &Loader,
                           const Words &Runtimes) {
  const std::string Runtime = runtimeFile(Runtimes, Kind.Name, "libmpispec.so");
  if (Runtime.empty())
    return {"", "needs the runtime '" + std::string(Kind.Name) + "' (" + std::string(Kind.Title) +
                    "), which is not installed ('mpispec runtime add MPICC' makes it)"};
  if (Runtime.find_first_of(" :") != std::string::npos)
    return {"", "cannot preload " + Runtime + ", because its path has a space or a colon"};
  const char *Before = std::getenv("LD_PRELOAD");
  const std::string Plain = trace(Loader, "");
  const std::string Value = sanitizerAmong(librariesIn(Plain)) + Runtime +
                            (Before && *Before ? ":" + std::string(Before) : "");
  const std::string Trace = trace(Loader, Value);
  if (Trace.empty() && !Plain.empty())
    return {"", "cannot load " + Runtime + ", because the dynamic linker fails with it"};
  if (const std::string Obstacle = obstacleIn(Trace, Runtime); !Obstacle.empty())
    return {"", "cannot load the runtime, because the dynamic linker " + Obstacle};
  return {Value, ""};
}

static bool isShell(const std::string &Path) {
  const std::string Name = baseName(Path);
  for (const char *Shell : {"sh", "bash", "dash", "ash", "zsh", "ksh", "csh", "tcsh", "fish"})
    if (Name == Shell)
      return true;
  return false;
}

/// A script may start programs that no word of the command names.
static constexpr const char *RemedyInScript =
    " (write 'mpispec run' in the script, before mpiexec or the MPI program)";

Preload choosePreload(const Words &Command, const std::string &Path, const Launcher &L,
                      const RunInstallation &Here) {
  const char *Before = std::getenv("LD_PRELOAD");
  if (Before && std::string(Before).find("libmpispec") != std::string::npos)
    return {"", "gets the runtime from LD_PRELOAD already"};
  if (isPrivileged(Path))
    return {"", "is set-uid or has capabilities, and the system allows no preload"};
  std::string Why;
  const std::optional<ElfFile> File = readElf(Path, Why);
  if (const std::string Reason = File ? reasonAgainst(*File) : ""; !Reason.empty())
    return {"", Reason};
  const bool IsTraceable = File && startsByGlibc(*File);
  const RuntimeKind *Kind = IsTraceable ? kindAmong(traceLibraries(Path)) : nullptr;
  if (!Kind)
    Kind = kindOfStarter(Command, Path, L);
  if (!Kind)
    return {"", std::string("uses no MPI library that could be found") +
                    (isShell(Path) || !interpreterOf(Path).empty() ? RemedyInScript : "")};
  return preloadKind(*Kind, IsTraceable ? Path : Here.Self, Here.Runtimes);
}

} // namespace mpispec
