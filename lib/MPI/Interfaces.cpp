//===- Interfaces.cpp - The binary interfaces of MPI libraries --------------------------------===//
#include "MPI/Interfaces.h"
#include "mpispec/contract.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mpispec {

StringRef text(HandleStyle Style) {
  switch (Style) {
  case HandleStyle::MPICH:
    return "MPICH";
  case HandleStyle::ABI:
    return "ABI";
  case HandleStyle::OMPI:
    return "OMPI";
  }
  llvm_unreachable("unknown style");
}

std::string stateSymbol(HandleStyle Style) {
  return "mpispec_state_" + std::to_string(mpispec_state_version) + "_" + text(Style).lower();
}

ArrayRef<RuntimeKind> allRuntimes() {
  static constexpr RuntimeKind Kinds[] = {
      {"mpich", HandleStyle::MPICH, "MPICH, Intel MPI or MVAPICH"},
      {"abi", HandleStyle::ABI, "MPI-5's ABI"},
      {"openmpi4", HandleStyle::OMPI, "Open MPI 4"},
      {"openmpi5", HandleStyle::OMPI, "Open MPI 5"},
  };
  return Kinds;
}

static const RuntimeKind *runtimeNamed(StringRef Name) {
  return find_if(allRuntimes(), [&](const RuntimeKind &K) { return K.Name == Name; });
}

/// A library with MPICH's handles is libmpi.so.12, or has mpich in its name. Open MPI's have
/// numbers from libmpi.so.20 on; its 4 and 5 are both libmpi.so.40, but 5 has more functions.
const RuntimeKind *runtimeForLibrary(StringRef File, StringRef Contents) {
  if (File.starts_with("libmpi_abi."))
    return runtimeNamed("abi");
  if (File.contains("mpich"))
    return runtimeNamed("mpich");
  unsigned Version = 0;
  if (!File.consume_front("libmpi.so.") || File.split('.').first.getAsInteger(10, Version))
    return nullptr;
  if (Version < 20)
    return runtimeNamed("mpich");
  return runtimeNamed(Contents.contains(OpenMPI5Mark) ? "openmpi5" : "openmpi4");
}

} // namespace mpispec
