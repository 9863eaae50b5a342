//===- DoctorProgram.cpp - The runtime that a program has -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elf.h"
#include "MPI/RuntimeKinds.h"
#include "doctor/Doctor.h"
#include "run/ProgramRuntime.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace mpispec {

namespace {
/// The way in which a program gets the runtime.
enum class Runtime { None, Static, Shared, Preloaded };
} // namespace

static bool isPreloaded() {
  const char *Value = std::getenv("LD_PRELOAD");
  return Value && contains(Value, "libmpispec");
}

static Runtime runtimeOf(const ElfFile &File) {
  if (std::any_of(File.Needed.begin(), File.Needed.end(),
                  [](const std::string &Name) { return startsWith(Name, "libmpispec"); }))
    return Runtime::Shared;
  // If the MPI library is shared, a program defines MPI_Init only if it contains the runtime.
  if (File.defines("MPI_Init") && !stateIdentity(File).empty())
    return Runtime::Static;
  return isPreloaded() ? Runtime::Preloaded : Runtime::None;
}

/// The number of objects with specialised calls. Each has a byte mpispec_specialised_object
/// (templates/mpispec/weak_state.h). Link-time optimization may append a suffix such as ".1" to
/// this name. 0: no such object, or the program was stripped.
static unsigned specialisedObjects(const ElfFile &File) {
  unsigned Objects = 0;
  for (const auto &[Name, Number] : File.Locals)
    if (Name.substr(0, Name.find('.')) == "mpispec_specialised_object")
      Objects += Number;
  return Objects;
}

static std::string described(Runtime R) {
  switch (R) {
  case Runtime::None:
    return "no runtime";
  case Runtime::Static:
    return "the runtime, linked in";
  case Runtime::Shared:
    return "the runtime, as libmpispec.so";
  case Runtime::Preloaded:
    return "the runtime, by LD_PRELOAD";
  }
  return "";
}

static std::string remedyWithoutRuntime(const Patient &P, bool IsSpecialised) {
  const std::string Link = "link it with 'mpispec " + joined(P.Compiler) + "'";
  if (IsSpecialised)
    return "it is specialised, but was linked without mpispec: " + Link;
  const std::string Start = "start it with 'mpispec run', or with LD_PRELOAD=" + sharedRuntime(P);
  return P.HasCompiler ? Link + ", or " + Start : Start;
}

static Finding examineMPIProgram(const Patient &P, const ElfFile &File,
                                 const std::string &Library) {
  Runtime R = runtimeOf(File);
  std::string Identity = stateIdentity(File), Own, Why;
  if (std::optional<ElfFile> Shared = readElf(sharedRuntime(P), Why))
    Own = stateIdentity(*Shared);
  std::string Says = P.Program + " uses " + Library + " and has " + described(R);
  if (!Identity.empty())
    Says += ", identity " + Identity;
  if (unsigned Objects = specialisedObjects(File))
    Says += ", and calls specialised in " + std::to_string(Objects) +
            (Objects == 1 ? " object" : " objects");
  if (R == Runtime::None && !P.HasCompiler && Identity.empty() && !File.defines("MPI_Init"))
    return on(P.Program + " uses " + Library + "; 'mpispec run' preloads the runtime into it");
  if (R == Runtime::None)
    return off(Says + ": all its calls go to the MPI library",
               remedyWithoutRuntime(P, !Identity.empty()));
  if (const std::string Missing = R == Runtime::Shared ? missingRuntime(P.Program) : "";
      !Missing.empty())
    return off(Says + ", and the dynamic linker does not find " + Missing +
                   ": the program does not start",
               "link it with -Wl,-rpath=" +
                   std::filesystem::path(sharedRuntime(P)).parent_path().string() +
                   ", or add that directory to LD_LIBRARY_PATH");
  if (!Own.empty() && !Identity.empty() && Identity != Own)
    return off(Says + "; the runtime that is installed has identity " + Own, "build it again");
  return on(Says);
}

/// The MPI library that \p File needs, also by way of the shared runtime; empty: none.
static std::string libraryOf(const Patient &P, const ElfFile &File) {
  for (const std::string &Needed : File.Needed)
    if (isMPILibraryFile(Needed))
      return Needed;
  if (runtimeOf(File) == Runtime::Shared)
    return P.Library.empty() ? "an MPI library" : P.Library;
  return File.defines("MPI_Init") ? "an MPI library linked in" : "";
}

Finding checkProgram(Patient &P) {
  std::string Why;
  std::optional<ElfFile> File = readElf(P.Program, Why);
  if (!File)
    return off(P.Program + ": " + Why, "name a program that calls MPI");
  std::string Library = libraryOf(P, *File);
  if (Library.empty() && !isPreloaded())
    return off(P.Program + " needs no MPI library",
               "name a program that calls MPI; one that loads the library itself (Python, say) "
               "starts with 'mpispec run', or with LD_PRELOAD=" +
                   sharedRuntime(P));
  std::string Compiler = joined(P.Compiler);
  if (!P.Library.empty() && isMPILibraryFile(Library) && !fits(Library, P.Library))
    return off(P.Program + " uses " + Library + ", another MPI library than " + Compiler +
                   " does (" + P.Library + "): the runtime leaves it alone",
               "build it with '" + Compiler + "', or ask with its own compiler: mpispec doctor " +
                   P.Program + " -- COMPILER");
  return examineMPIProgram(P, *File, Library.empty() ? "what it loads" : Library);
}

} // namespace mpispec
