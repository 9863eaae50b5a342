//===- RuntimeKinds.cpp - The runtime for each MPI library ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MPI/RuntimeKinds.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

namespace mpispec {

const std::array<RuntimeKind, 5> &allRuntimes() {
  static constexpr std::array<RuntimeKind, 5> Kinds = {{
      {"mpich", HandleStyle::MPICH, "MPICH before 4.2, or MVAPICH"},
      {"mpich42", HandleStyle::MPICH, "MPICH 4.2 or later, or Intel MPI"},
      {"abi", HandleStyle::ABI, "MPI-5's ABI"},
      {"openmpi4", HandleStyle::OMPI, "Open MPI 4"},
      {"openmpi5", HandleStyle::OMPI, "Open MPI 5"},
  }};
  return Kinds;
}

const RuntimeKind *runtimeNamed(std::string_view Name) {
  return std::find_if(allRuntimes().begin(), allRuntimes().end(),
                      [&](const RuntimeKind &Kind) { return Kind.Name == Name; });
}

static bool startsWith(std::string_view Text, std::string_view Start) {
  return Text.substr(0, Start.size()) == Start;
}

static bool contains(std::string_view Text, std::string_view Part) {
  return memmem(Text.data(), Text.size(), Part.data(), Part.size()) != nullptr;
}

bool isMPILibraryFile(std::string_view Name) {
  return startsWith(Name, "libmpi.so") || startsWith(Name, "libmpich.so") ||
         startsWith(Name, "libmpi_abi.so");
}

/// A library with MPICH's handles is libmpi.so.12, or has mpich in its name. From MPICH 4.2 on it
/// has MPI-4.1's functions. Open MPI's libraries have numbers from libmpi.so.20 on. Open MPI 4 and
/// 5 both have libmpi.so.40, but the library of Open MPI 5 has more functions.
const RuntimeKind *runtimeForLibrary(std::string_view File, std::string_view Contents) {
  constexpr std::string_view Prefix = "libmpi.so.";
  constexpr unsigned long FirstOfOpenMPI = 20;
  if (startsWith(File, "libmpi_abi."))
    return runtimeNamed("abi");
  auto OfMPICH = [&] { return runtimeNamed(contains(Contents, MPI41Mark) ? "mpich42" : "mpich"); };
  if (contains(File, "mpich"))
    return OfMPICH();
  if (!startsWith(File, Prefix))
    return nullptr;
  const std::string Version(
      File.substr(Prefix.size(), File.find('.', Prefix.size()) - Prefix.size()));
  if (Version.empty() || Version.find_first_not_of("0123456789") != std::string::npos)
    return nullptr;
  if (std::strtoul(Version.c_str(), nullptr, 10) < FirstOfOpenMPI)
    return OfMPICH();
  return runtimeNamed(contains(Contents, OpenMPI5Mark) ? "openmpi5" : "openmpi4");
}

} // namespace mpispec
