//===- DoctorCompiler.cpp - Compiler, MPI library, launcher, and mpispec's own parts ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Doctor.h"
#include "Elf.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mpispec {

static std::string firstLine(StringRef Text) {
  return Text.ltrim().split('\n').first.rtrim().str();
}

Finding checkCompiler(Patient &P) {
  Command C = splitCommand(P.Compiler);
  const std::string &Wrapper = C.Compiler.back();
  if (!sys::findProgramByName(Wrapper))
    return off(
        "there is no '" + Wrapper + "' on the PATH",
        "install an MPI library with its compiler wrapper (Debian: mpich and libmpich-dev), or "
        "name yours: mpispec doctor -- /opt/mpi/bin/mpicc");
  Toolchain T = resolveToolchain(C);
  if (!sys::findProgramByName(T.Compiler.back()))
    return off("'" + Wrapper + "' runs '" + T.Compiler.back() + "', which is not on the PATH",
               "install it, or choose another with MPICH_CC");
  CommandLine Ask = T.Compiler;
  Ask.push_back("--version");
  Patient::Outcome Version = P.run(Ask);
  if (Version.Status)
    return off("'" + T.Compiler.back() + "' does not run: " + firstLine(Version.Text),
               "repair the compiler");
  P.Tools = T;
  return on(join(P.Compiler, " ") + (T.Wrapped ? " runs " : " is ") + firstLine(Version.Text));
}

/// Writes \p Text to a file in the patient's directory and returns its path, or empty.
static std::string writeFile(const Patient &P, StringRef Name, StringRef Text) {
  std::string Path = P.Directory + "/" + Name.str();
  std::error_code Code;
  raw_fd_ostream OS(Path, Code);
  if (Code)
    return "";
  OS << Text;
  OS.close();
  if (!OS.has_error())
    return Path;
  OS.clear_error();
  return "";
}

bool fits(StringRef OneLibrary, StringRef Other) {
  // The agreement of MPICH and its kin: one interface, number 12, under these names.
  auto IsOfMPICH = [](StringRef Name) {
    return Name == "libmpi.so.12" || Name == "libmpich.so.12";
  };
  return OneLibrary == Other || (IsOfMPICH(OneLibrary) && IsOfMPICH(Other));
}

/// The MPI library that a program of this compiler needs; the error says why there is no program.
static Expected<std::string> linkedLibrary(Patient &P) {
  std::string Source =
      writeFile(P, "library.c", "#include <mpi.h>\nint main(void) { return MPI_Finalize(); }\n");
  std::string Program = P.Directory + "/library";
  CommandLine Build = P.Compiler;
  Build.insert(Build.end(), {Source, "-o", Program});
  if (Source.empty())
    return createStringError("no file can be written to " + P.Directory);
  if (Patient::Outcome O = P.run(Build, 60); O.Status)
    return createStringError(lastWords(O.Text));
  std::string Why;
  std::optional<ElfFile> File = readElf(Program, Why);
  if (!File)
    return createStringError(Why);
  auto Found = find_if(File->Needed, isMPILibraryName);
  return Found == File->Needed.end() ? "a static MPI library" : *Found;
}

/// "MPICH 4.0.2", by what mpi.h defines.
static std::string libraryVersion(Patient &P) {
  std::string Source = writeFile(P, "version.c",
                                 "#include <mpi.h>\n"
                                 "#if defined I_MPI_VERSION\n"
                                 "doctor: \"Intel MPI\" I_MPI_VERSION\n"
                                 "#elif defined MVAPICH2_VERSION\n"
                                 "doctor: \"MVAPICH2\" MVAPICH2_VERSION\n"
                                 "#elif defined MPICH_VERSION\n"
                                 "doctor: \"MPICH\" MPICH_VERSION\n"
                                 "#elif defined OPEN_MPI\n"
                                 "doctor: \"Open MPI\" OMPI_MAJOR_VERSION.OMPI_MINOR_VERSION\n"
                                 "#else\n"
                                 "doctor: \"MPI\" MPI_VERSION.MPI_SUBVERSION\n"
                                 "#endif\n"
                                 "#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION)\n"
                                 "has MPI-4.1\n"
                                 "#endif\n");
  CommandLine Preprocess = P.Compiler;
  Preprocess.insert(Preprocess.end(), {"-E", Source});
  Patient::Outcome O = P.run(Preprocess, 60);
  size_t At = StringRef(O.Text).find("\ndoctor: ");
  if (O.Status || At == StringRef::npos)
    return "";
  P.HasMPI41 = StringRef(O.Text).contains("\nhas MPI-4.1");
  std::string Name = firstLine(StringRef(O.Text).substr(At + 9));
  erase(Name, '"');
  if (size_t Dot = Name.find(" . "); Dot != std::string::npos) // joins two macros
    Name.replace(Dot, 3, ".");
  return Name;
}

Finding checkLibrary(Patient &P) {
  if (!P.Tools)
    return skipped("no compiler to ask");
  std::string Version = libraryVersion(P);
  if (Version.empty())
    return off("'" + join(P.Compiler, " ") + "' does not find mpi.h",
               "name an MPI wrapper: mpispec doctor -- mpicc; or install its headers (Debian: "
               "libmpich-dev)");
  Expected<std::string> Library = linkedLibrary(P);
  if (!Library)
    return off(Version +
                   "; a program that calls MPI does not link: " + toString(Library.takeError()),
               "install the library's development files (Debian: libmpich-dev)");
  P.Library = *Library;
  P.LibraryVersion = Version;
  return on(Version + ", " + P.Library);
}

/// "HYDRA 4.0.2", "mpiexec (OpenRTE) 4.1.4".
static std::string launcherVersion(StringRef Text) {
  size_t At = Text.find("Version:");
  if (Text.starts_with("HYDRA") && At != StringRef::npos)
    return "HYDRA " + firstLine(Text.substr(At + strlen("Version:")));
  return firstLine(Text);
}

Finding checkLauncher(Patient &P) {
  CommandLine Names = {"mpiexec", "mpirun"};
  if (!P.Launcher.empty())
    Names = {std::exchange(P.Launcher, "")};
  for (const std::string &Name : Names)
    if (ErrorOr<std::string> Path = sys::findProgramByName(Name)) {
      P.Launcher = *Path;
      return on(*Path + ": " + launcherVersion(P.run({*Path, "--version"}).Text));
    }
  if (Names.size() == 1)
    return off("there is no launcher '" + Names[0] + "'",
               "name one that is on the PATH, or its path");
  return off("there is neither mpiexec nor mpirun on the PATH",
             "install the launcher of your MPI library (Debian: mpich)");
}

/// The runtime for the compiler's MPI library. Open MPI's 4 and 5 have one name, and so have MPICH
/// before and after 4.2: the header tells.
static std::string runtimeFor(const Patient &P) {
  bool IsYounger =
      StringRef(P.LibraryVersion).starts_with("Open MPI ") && P.LibraryVersion >= "Open MPI 5";
  const RuntimeKind *Kind = runtimeForLibrary(P.Library, IsYounger    ? OpenMPI5Mark
                                                         : P.HasMPI41 ? MPI41Mark
                                                                      : std::string_view());
  return Kind ? P.Here.runtimeFor(*Kind) : P.Here.Runtime;
}

std::string sharedRuntime(const Patient &P) {
  SmallString<256> Path(runtimeFor(P));
  sys::path::replace_extension(Path, "so");
  return sys::fs::exists(Path) ? Path.str().str() : "";
}

/// Checks that analysis and runtime are there, and that the runtime is for the compiler's MPI
/// library.
Finding checkParts(Patient &P) {
  const char *Again = "install mpispec again, whole: cmake --install build/release";
  if (P.Here.Analyzer.empty() || P.run({P.Here.Analyzer, "--version"}).Status)
    return off("the analysis (mpispec-analyze) is missing or does not run: sources compile as "
               "without mpispec",
               Again);
  std::string Shared = sharedRuntime(P);
  if (P.Here.hasRuntimes() && runtimeFor(P).empty())
    return off("there is no runtime for " + P.Library +
                   ": specialised programs make ordinary calls",
               "make it: mpispec runtime add " + join(P.Compiler, " "));
  if (!P.Here.hasRuntimes() || Shared.empty())
    return off("the runtime (libmpispec) is missing: specialised programs make ordinary calls",
               Again);
  std::string Why;
  std::optional<ElfFile> File = readElf(Shared, Why);
  if (!File)
    return off(Shared + ": " + Why, Again);
  for (StringRef Needed : File->Needed)
    if (isMPILibraryName(Needed) && !P.Library.empty() && !fits(Needed, P.Library))
      return off("the runtime is made for " + Needed + ", and " + join(P.Compiler, " ") +
                     " links " + P.Library + ": calls go to that library as they are",
                 "use the MPI library that mpispec was built with, or build mpispec with this one");
  return on("analysis and runtime are there (identity " + stateIdentity(*File) +
            " of what they share with programs), " + runtimeFor(P));
}

} // namespace mpispec
