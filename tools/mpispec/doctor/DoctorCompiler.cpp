//===- DoctorCompiler.cpp - Compiler, MPI library, launcher, and mpispec's own parts ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elf.h"
#include "MPI/RuntimeKinds.h"
#include "doctor/Doctor.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace mpispec {

Finding checkCompiler(Patient &P) {
  const std::string Compiler = joined(P.Compiler);
  if (findExecutable(P.Compiler[0]).empty())
    return off(
        "there is no '" + P.Compiler[0] + "' on the PATH",
        "install an MPI library with its compiler wrapper (Debian: mpich and libmpich-dev), or "
        "name yours: mpispec doctor -- /opt/mpi/bin/mpicc");
  Words Ask = P.Compiler;
  Ask.push_back("--version"); // a wrapper passes it on to its compiler
  const Patient::Outcome Version = P.run(Ask);
  if (Version.Status)
    return off("'" + Compiler + "' does not run: " + lastWords(Version.Text),
               "repair the compiler, or choose another one with MPICH_CC, OMPI_CC or I_MPI_CC");
  P.CompilerRuns = true;
  return on(Compiler + ": " + firstLine(Version.Text));
}

bool fits(const std::string &OneLibrary, const std::string &Other) {
  // Libraries with these names have the binary interface of MPICH.
  auto IsOfMPICH = [](const std::string &Name) {
    return Name == "libmpi.so.12" || Name == "libmpich.so.12";
  };
  return OneLibrary == Other || (IsOfMPICH(OneLibrary) && IsOfMPICH(Other));
}

/// The MPI library that a program of this compiler needs. Empty if no program can be built; \p Why
/// is then the reason.
static std::string linkedLibrary(Patient &P, std::string &Why) {
  const std::string Program = P.Directory + "/library", Source = Program + ".c";
  if (!writeFile(Source, "#include <mpi.h>\nint main(void) { return MPI_Finalize(); }\n")) {
    Why = "no file can be written to " + P.Directory;
    return "";
  }
  Words Build = P.Compiler;
  Build.insert(Build.end(), {Source, "-o", Program});
  if (const Patient::Outcome O = P.run(Build, 60); O.Status) {
    Why = lastWords(O.Text);
    return "";
  }
  const std::optional<ElfFile> File = readElf(Program, Why);
  if (!File)
    return "";
  const auto Found = std::find_if(File->Needed.begin(), File->Needed.end(), isMPILibraryFile);
  return Found == File->Needed.end() ? "a static MPI library" : *Found;
}

/// The name and the version that mpi.h defines: "MPICH 4.0.2".
static std::string libraryVersion(Patient &P) {
  const std::string Source = P.Directory + "/version.c";
  const bool IsWritten =
      writeFile(Source, "#include <mpi.h>\n"
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
  if (!IsWritten)
    return "";
  Words Preprocess = P.Compiler;
  Preprocess.insert(Preprocess.end(), {"-E", Source});
  const Patient::Outcome O = P.run(Preprocess, 60);
  const size_t At = O.Text.find("\ndoctor: ");
  if (O.Status || At == std::string::npos)
    return "";
  P.HasMPI41 = contains(O.Text, "\nhas MPI-4.1");
  std::string Name = firstLine(O.Text.substr(At + 9));
  Name.erase(std::remove(Name.begin(), Name.end(), '"'), Name.end());
  if (size_t Dot = Name.find(" . "); Dot != std::string::npos) // -E puts spaces between macros
    Name.replace(Dot, 3, ".");
  return Name;
}

Finding checkLibrary(Patient &P) {
  if (!P.CompilerRuns)
    return skipped("no compiler to ask");
  std::string Version = libraryVersion(P);
  if (Version.empty())
    return off("'" + joined(P.Compiler) + "' does not find mpi.h",
               "name an MPI wrapper: mpispec doctor -- mpicc; or install its headers (Debian: "
               "libmpich-dev)");
  std::string Why;
  P.Library = linkedLibrary(P, Why);
  if (P.Library.empty())
    return off(Version + "; a program that calls MPI does not link: " + Why,
               "install the library's development files (Debian: libmpich-dev)");
  P.LibraryVersion = Version;
  return on(Version + ", " + P.Library);
}

/// The launcher and its version: "HYDRA 4.0.2", "mpiexec (OpenRTE) 4.1.4".
static std::string launcherVersion(const std::string &Text) {
  const size_t At = Text.find("Version:");
  if (startsWith(Text, "HYDRA") && At != std::string::npos)
    return "HYDRA " + firstLine(Text.substr(At + strlen("Version:")));
  return firstLine(Text);
}

Finding checkLauncher(Patient &P) {
  Words Names = {"mpiexec", "mpirun"};
  if (!P.Launcher.empty())
    Names = {std::exchange(P.Launcher, "")};
  for (const std::string &Name : Names)
    if (const std::string Path = findExecutable(Name); !Path.empty()) {
      P.Launcher = Path;
      return on(Path + ": " + launcherVersion(P.run({Path, "--version"}).Text));
    }
  if (Names.size() == 1)
    return off("there is no launcher '" + Names[0] + "'",
               "name one that is on the PATH, or its path");
  return off("there is neither mpiexec nor mpirun on the PATH",
             "install the launcher of your MPI library (Debian: mpich)");
}

/// The runtime for the compiler's MPI library. Open MPI 4 and 5 have the same library name. MPICH
/// 4.2 and later has the library name of earlier MPICH releases. mpi.h distinguishes them.
static std::string runtimeFor(const Patient &P) {
  constexpr std::string_view OpenMPI = "Open MPI ";
  const bool IsYounger = startsWith(P.LibraryVersion, OpenMPI) &&
                         std::atoi(P.LibraryVersion.c_str() + OpenMPI.size()) >= 5;
  const RuntimeKind *Kind = runtimeForLibrary(P.Library, IsYounger    ? OpenMPI5Mark
                                                         : P.HasMPI41 ? MPI41Mark
                                                                      : std::string_view());
  return Kind && !P.Runtimes.empty() ? runtimeFile(P.Runtimes, Kind->Name, "libmpispec.a")
                                     : P.Archive;
}

std::string sharedRuntime(const Patient &P) {
  const std::string Archive = runtimeFor(P);
  const std::string Path = Archive.substr(0, Archive.rfind('.')) + ".so";
  return access(Path.c_str(), F_OK) ? "" : Path;
}

/// Checks that analysis and runtime are there, and that the runtime is for the compiler's MPI
/// library.
Finding checkParts(Patient &P) {
  const char *Again = "install mpispec again, whole: cmake --install build/release";
  const bool HasRuntimes = !P.Archive.empty() || !P.Runtimes.empty();
  const std::string Without = P.HasCompiler ? "specialised programs make ordinary calls"
                                            : "programs call the MPI library alone";
  if (P.HasCompiler && (P.Analyzer.empty() || P.run({P.Analyzer, "--version"}).Status))
    return off("the analysis (mpispec-analyze) is missing or does not run: sources compile as "
               "without mpispec",
               Again);
  std::string Shared = sharedRuntime(P);
  if (HasRuntimes && runtimeFor(P).empty())
    return off("there is no runtime for " + P.Library + ": " + Without,
               "make it: mpispec runtime add " + joined(P.Compiler));
  if (!HasRuntimes || Shared.empty())
    return off("the runtime (libmpispec) is missing: " + Without, Again);
  std::string Why;
  std::optional<ElfFile> File = readElf(Shared, Why);
  if (!File)
    return off(Shared + ": " + Why, Again);
  for (const std::string &Needed : File->Needed)
    if (isMPILibraryFile(Needed) && !P.Library.empty() && !fits(Needed, P.Library))
      return off("the runtime is made for " + Needed + ", and " + joined(P.Compiler) + " links " +
                     P.Library + ": calls go to that library as they are",
                 "use the MPI library that mpispec was built with, or build mpispec with this one");
  return on((P.HasCompiler ? "analysis and runtime are there (identity "
                           : "the runtime is there (identity ") +
            stateIdentity(*File) + " of what they share with programs), " + runtimeFor(P));
}

} // namespace mpispec
